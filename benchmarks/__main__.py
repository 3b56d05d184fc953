"""`make bench`: the race, then the ladder, the scaling and the charts. With any argument, the race alone."""

import sys

from benchmarks import chart, ladder, race, scaling

race.main()
if not sys.argv[1:]:
    ladder.main([])
    scaling.main([])
    chart.main([])
