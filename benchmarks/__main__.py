"""`make bench`: the race, then the ladder, the scaling and the charts. `--quick`: a short race and a short ladder.

Arguments go to the race; with some that choose what races (`--networks`, `--engines`, ...), only the race runs.
"""

import sys

from benchmarks import chart, ladder, race, scaling

results = race.main()
if sys.argv[1:] == ["--quick"]:
    ladder.main(["--quick"])
elif not sys.argv[1:]:
    ladder.main([])
    scaling.main([])
    chart.main([])
