"""`make bench`: the race, where a step spends its time, the ladder and charts. With arguments, the race."""

import sys

from benchmarks import chart, ladder, parts, race

race.main()
if not sys.argv[1:]:
    parts.main([])
    ladder.main([])
    chart.main([])
