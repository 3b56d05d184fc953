"""`make bench`: the race, where a step spends its time, the ladder, scaling and charts. With arguments, the race."""

import sys

from benchmarks import chart, ladder, parts, race, scaling

race.main()
if not sys.argv[1:]:
    parts.main([])
    ladder.main([])
    scaling.main([])
    chart.main([])
