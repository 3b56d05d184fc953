"""`make bench`: the race, other networks, parts of a step, the ladder, charts. With arguments, the race."""

import sys

from benchmarks import chart, ladder, parts, race, untuned

race.main()
if not sys.argv[1:]:
    untuned.main([])
    parts.main([])
    ladder.main([])
    chart.main([])
