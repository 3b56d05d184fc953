"""Test the tests: change minigrad at one place after another, and list the changes that no quick test notices.

    make mutants ARGS="core 150"    # 150 changes of a folder of TESTS, other ones in each run

cosmic-ray changes operators, comparisons, numbers and conditions, in clones in build/mutants; the reports lie in build.
"""

import os
import shutil
import sqlite3
import subprocess
import sys
from contextlib import closing

from setup import PYTHON, ROOT, VENV, pins, uv

TESTS = {  # of each folder of minigrad
    "core": "dual graph functional rules tree one_meaning numpy_edges typed pickle help hyper",
    "ops": "ops_more ops_conv attention numpy_edges campaign/gradients",
    "compiler": "program_text compiled_inputs compiled_changes campaign/in_plain_python",
}
QUICK = "not (slow or thorough or torch or compiled)"
IN_PLAIN_PYTHON = {"NUMBA_DISABLE_JIT": "1", "OMP_NUM_THREADS": "1"}
IN_PLAIN_PYTHON |= {"MINIGRAD_CAMPAIGN": "300", "MINIGRAD_CAMPAIGN_SEED": "1"}
# The | of annotations, and changes that are like others or end in an error at once.
LEFT_OUT = ["BinaryOperator_BitOr_.*", "BinaryOperator_.*_(FloorDiv|Mod|RShift|LShift|BitOr|BitAnd|BitXor)"]
LEFT_OUT += ["ComparisonOperator_.*_(Is|IsNot)", "ComparisonOperator_.*Eq_[LG]t.*", "UnaryOperator_.*_(Invert|UAdd)"]
SAMPLE = """INSERT INTO work_results (worker_outcome, job_id) SELECT 'SKIPPED', job_id FROM work_items
    WHERE job_id NOT IN (SELECT job_id FROM work_results) ORDER BY random() LIMIT -1 OFFSET ?"""


def survivors(part: str, count: int) -> str:
    """Try `count` changes of a part; return how many survived, and these as differences."""

    def run(*words: str) -> None:
        subprocess.run([VENV / "bin" / words[0], *words[1:]], cwd=clone, env=os.environ | IN_PLAIN_PYTHON, check=True)

    clone, config, session = ROOT / "build" / "mutants" / part, "build/config.toml", "build/session.sqlite"
    shutil.rmtree(clone, ignore_errors=True)
    subprocess.run(["git", "clone", "--quiet", str(ROOT), str(clone)], check=True)
    (clone / "build").mkdir()
    paths = [f"tests/{name.rpartition('/')[0]}/test_{name.rpartition('/')[2]}.py" for name in TESTS[part].split()]
    (clone / config).write_text(
        f"[cosmic-ray]\nmodule-path = 'minigrad/{part}'\ntimeout = 900.0\nexcluded-modules = []\n"
        f"test-command = '''{sys.executable} -m pytest -q -x -p no:cacheprovider -m \"{QUICK}\" {' '.join(paths)}'''\n"
        "[cosmic-ray.distributor]\nname = 'local'\n[cosmic-ray.filters.operators-filter]\n"
        f"exclude-operators = {['core/ExceptionReplacer', *(f'core/Replace{name}' for name in LEFT_OUT)]}\n",
        encoding="utf-8",
    )
    run("cosmic-ray", "baseline", config)
    run("cosmic-ray", "init", config, session)
    run("cr-filter-operators", session, config)
    with closing(sqlite3.connect(clone / session)) as data, data:
        data.execute(SAMPLE, [count])
    run("cosmic-ray", "exec", config, session)
    with closing(sqlite3.connect(clone / session)) as data:
        rows = data.execute("SELECT test_outcome, diff FROM work_results WHERE worker_outcome = 'NORMAL'").fetchall()
    alive = sorted(diff for outcome, diff in rows if outcome == "SURVIVED")
    return f"{part}: {len(alive)} of {len(rows)} changes survived the quick tests.\n\n" + "\n\n".join(alive) + "\n"


if __name__ == "__main__":
    words = ["pip", "install", "--quiet", "--python", str(PYTHON), *pins()]
    uv(*words, "cosmic-ray")  # yattag, which it needs, has no wheel
    report = survivors(sys.argv[1], int(sys.argv[2]))
    (ROOT / "build" / f"mutants_{sys.argv[1]}.txt").write_text(report, encoding="utf-8")
    print(report)
