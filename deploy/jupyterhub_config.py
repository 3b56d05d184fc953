"""A JupyterHub that serves the course to a class: `jupyterhub -f deploy/jupyterhub_config.py`. The guide is README.md.

Everything that a site decides is a variable of the environment; what is set here is what the course needs.
"""

import json
import os
import sys
from pathlib import Path

from minigrad_class import lti
from minigrad_class.hub import solutions_in_reach
from minigrad_course.grading.cells import GradingError
from minigrad_course.grading.files import private, write_whole

c = get_config()  # noqa: F821

HERE = Path(os.environ.get("MINIGRAD_HUB", "hub")).absolute()  # the hub's own folder
COURSE = Path(os.environ.get("MINIGRAD_HUB_COURSE", HERE / "course")).absolute()  # minigrad class course hub/course
CLASS = Path(os.environ.get("MINIGRAD_HUB_CLASS", HERE / "grading")).absolute()  # as in minigrad class --folder
PORT = int(os.environ.get("MINIGRAD_HUB_PORT", "8000"))
HAND_IN = f"http://127.0.0.1:{PORT + 2}"
# The Python of students' servers, an environment of its own: the one that grades has the solutions beside it.
PYTHON = os.environ.get("MINIGRAD_HUB_PYTHON", str(HERE / "python" / "bin" / "python"))

# The database, the service's folder and what servers write are for their owners alone; students pass through to COURSE.
os.umask(0o077)
HERE.mkdir(parents=True, exist_ok=True)
HERE.chmod(0o711)
for folder in (HERE / "state", CLASS):
    private(folder)

c.JupyterHub.bind_url = f"http://127.0.0.1:{PORT}"  # a web server with a certificate stands in front of it
c.JupyterHub.hub_bind_url = f"http://127.0.0.1:{PORT + 1}"
c.ConfigurableHTTPProxy.api_url = f"http://127.0.0.1:{PORT + 3}"
c.JupyterHub.db_url = f"sqlite:///{HERE / 'state' / 'jupyterhub.sqlite'}"
c.JupyterHub.cookie_secret_file = str(HERE / "state" / "cookie_secret")
c.ConfigurableHTTPProxy.pid_file = str(HERE / "state" / "proxy.pid")
c.JupyterHub.log_level = "WARN"

# Who may log in. Yours: oauthenticator, ldapauthenticator, or `lti`: a learning platform sends its people, and
# `minigrad class send` sends it their points.
c.JupyterHub.authenticator_class = os.environ.get("MINIGRAD_HUB_AUTHENTICATOR", "pam")
if c.JupyterHub.authenticator_class == "lti":
    from ltiauthenticator.lti13.auth import LTI13Authenticator

    class FromPlatform(LTI13Authenticator):
        """Keeps where a student's score belongs, as the platform says with each login."""

        async def authenticate(self, handler, data=None):
            user = await super().authenticate(handler, data)
            lti.note_launch(CLASS, self.normalize_username(user["name"]), data or {})
            return {"name": user["name"]}

    try:
        PLATFORM = lti.platform(CLASS)
    except GradingError as error:
        sys.exit(f"{error}")
    c.JupyterHub.authenticator_class = FromPlatform
    c.FromPlatform.issuer = PLATFORM["issuer"]
    c.FromPlatform.client_id = {PLATFORM["client_id"]}
    c.FromPlatform.authorize_url = PLATFORM["authorize_url"]
    c.FromPlatform.jwks_endpoint = PLATFORM["jwks_endpoint"]
    c.FromPlatform.username_key = PLATFORM.get("username_key", "sub")
c.Authenticator.allow_all = True
c.Authenticator.admin_users = set(filter(None, os.environ.get("MINIGRAD_HUB_ADMINS", "").split(",")))

# Each student's server runs as that student (a user of this system). `simple` is for trying it out alone: then all
# run as you, and can read each other's files.
c.JupyterHub.spawner_class = os.environ.get("MINIGRAD_HUB_SPAWNER", "jupyterhub.spawner.LocalProcessSpawner")
if c.JupyterHub.spawner_class == "simple":
    PYTHON = sys.executable
    c.Spawner.args = ["--allow-root"] if os.geteuid() == 0 else []
    c.SimpleLocalProcessSpawner.home_dir_template = str(HERE / "homes" / "{username}")
else:
    try:
        if SEEN := solutions_in_reach(PYTHON, COURSE):
            sys.exit(
                f"Students could read the solutions in {', '.join(SEEN)}: see deploy/README.md, who may read what."
            )
    except GradingError as error:
        sys.exit(f"{error}")
c.Spawner.cmd = [PYTHON, "-m", "minigrad_course.grading.bring", str(COURSE)]
c.Spawner.default_url = "/lab/tree/notebooks/00_start.ipynb"
# Students import the packages of the copy that was made for them, beside which there are no solutions.
c.Spawner.environment = {"MINIGRAD_HAND_IN": HAND_IN, "PYTHONPATH": str(COURSE)}
# Students' JupyterLab has no menu of nbgrader's, also where its packages have nbgrader: nobody collects from there.
SETTINGS = HERE / "settings"
HIDDEN = {"@jupyter/nbgrader": True, "nbgrader": True}
write_whole(SETTINGS / "labconfig" / "page_config.json", json.dumps({"disabledExtensions": HIDDEN}), public=True)
c.Spawner.environment["JUPYTER_CONFIG_PATH"] = str(SETTINGS)
c.Spawner.start_timeout = c.Spawner.http_timeout = 120
c.Spawner.mem_limit = "2G"  # kept by spawners that can: systemd, Docker, Kubernetes

# What is handed in. The service asks the hub who somebody is, and needs no rights of its own.
c.JupyterHub.services = [
    {
        "name": "hand-in",
        "url": HAND_IN,
        "command": [sys.executable, "-m", "minigrad_class.hub", str(CLASS)],
        "environment": {name: os.environ[name] for name in ("PYTHONPATH",) if name in os.environ},
    }
]
