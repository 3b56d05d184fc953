"""Points sent back by LTI 1.3, to a platform that is played here: it checks signatures, tokens and what a score has."""

import importlib.util
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import threading
import time
from contextlib import contextmanager
from datetime import datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from types import SimpleNamespace
from urllib.parse import parse_qs, urlsplit

import pytest
from classroom_course import EXERCISE, make_course

from minigrad_class import lti, tables
from minigrad_course import cli

pytest.importorskip("pylti1p3", reason="PyLTI1p3 comes with `make class`")
import jwt
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import rsa

ROOT = Path(__file__).resolve().parents[1]
CLIENT = "minigrad-17"
STUDENTS = {"ann": "41", "bob": "42", "cleo": "43"}  # the hub's name, and the platform's number


@contextmanager
def playing_a_platform():
    """Its keys, token endpoint and scores; Cleo's score is refused."""
    key = rsa.generate_private_key(public_exponent=65537, key_size=2048)
    platform = SimpleNamespace(scores=[], tokens=[], tool_key="", key=key)

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self):
            public = json.loads(jwt.algorithms.RSAAlgorithm.to_jwk(key.public_key()))
            self.answer(200, {"keys": [{**public, "kid": "theirs", "alg": "RS256", "use": "sig"}]})

        def do_POST(self):
            body = self.rfile.read(int(self.headers["Content-Length"])).decode()
            (self.token if self.path == "/token" else self.score)(body)

        def token(self, body):
            form = {name: values[0] for name, values in parse_qs(body).items()}
            assert form["grant_type"] == "client_credentials"
            assert form["client_assertion_type"] == "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"
            try:
                claims = jwt.decode(
                    form["client_assertion"], platform.tool_key, ["RS256"], audience=f"{platform.url}/token"
                )
            except jwt.PyJWTError as error:
                self.answer(400, {"error": "invalid_client", "error_description": f"<p>{error}</p>"})
                return
            assert claims["iss"] == claims["sub"] == CLIENT
            platform.tokens.append(f"token{len(platform.tokens)}")
            granted = {"access_token": platform.tokens[-1], "token_type": "Bearer", "expires_in": 3600}
            self.answer(200, {**granted, "scope": form["scope"]})

        def score(self, body):
            address, sent = urlsplit(self.path), json.loads(body)
            assert self.headers["Authorization"].removeprefix("Bearer ") in platform.tokens
            assert self.headers["Content-Type"] == "application/vnd.ims.lis.v1.score+json"
            assert re.fullmatch(r"/lineitems/\d+/lineitem/scores", address.path)
            assert address.query == "type_id=1"  # of Moodle's addresses: it comes after /scores
            if sent["userId"] == STUDENTS["cleo"]:
                self.answer(403, {"message": "not enrolled"})
                return
            platform.scores.append(sent)
            self.answer(200, {})

        def answer(self, status, content):
            data = json.dumps(content).encode()
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, *_):
            """Says nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        platform.url = f"http://127.0.0.1:{server.server_port}"
        threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
        yield platform
        server.shutdown()


def settings_for(platform, folder):
    """The class's folder knows the platform, and the platform its key."""
    (folder / "lti").mkdir(parents=True, exist_ok=True)
    addresses = {"authorize_url": "/auth", "jwks_endpoint": "/keys", "token_url": "/token"}
    settings = {name: platform.url + path for name, path in addresses.items()}
    settings |= {"issuer": platform.url, "client_id": CLIENT, "username_key": "custom_username"}
    (folder / "lti" / "platform.json").write_text(json.dumps(settings))
    platform.tool_key = lti.public_key(folder)


def claims_of(platform, name, exercise="01", link="5", **others):
    """The claims of a login from the link of an exercise, as the platform signs them."""
    return {
        "iss": platform.url, "aud": CLIENT, "sub": STUDENTS[name], "iat": int(time.time()),
        "exp": int(time.time()) + 60, "given_name": name,
        f"{lti.CLAIM}version": "1.3.0",
        f"{lti.CLAIM}message_type": "LtiResourceLinkRequest",
        f"{lti.CLAIM}deployment_id": "1",
        f"{lti.CLAIM}roles": ["http://purl.imsglobal.org/vocab/lis/v2/membership#Learner"],
        f"{lti.CLAIM}resource_link": {"id": link},
        f"{lti.CLAIM}target_link_uri": "https://hub.example/hub/user-redirect/lab",
        f"{lti.CLAIM}custom": {"exercise": exercise, "username": name},
        lti.ENDPOINT: {
            "scope": [lti.SCORE, "https://purl.imsglobal.org/spec/lti-ags/scope/lineitem.readonly"],
            "lineitems": f"{platform.url}/lineitems?type_id=1",
            "lineitem": f"{platform.url}/lineitems/{link}/lineitem?type_id=1",
        },
        **others,
    }  # fmt: skip


@pytest.fixture
def platform(monkeypatch):
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    with playing_a_platform() as platform:
        yield platform


@pytest.fixture
def course(tmp_path, monkeypatch):
    course = make_course(tmp_path)
    monkeypatch.chdir(course.course)
    return course.course


def graded(folder, **points):
    rows = [[student, EXERCISE, "graded" if score else "ungraded", score, 6] for student, score in points.items()]
    tables.write(folder / f"grades-{EXERCISE}.csv", [["student", "exercise", "status", "points", "of"], *rows])


def test_points_arrive_with_all_that_the_standard_asks_for(platform, course, capsys):
    folder = course / "grading"
    settings_for(platform, folder)
    for name, exercise in (("ann", "01"), ("bob", EXERCISE), ("cleo", "01")):
        lti.note_launch(folder, name, claims_of(platform, name, exercise))
    graded(folder, ann="5.5", bob="0", cleo="6", dan="3", eve="")
    assert cli.main(["class", "send", "01"]) == 1
    printed = capsys.readouterr().out
    for part in (
        f"2 students have their points in {EXERCISE} on the platform.",
        "Without points here, and not sent: eve.",
        "Never came by the platform's link of this exercise: dan.",
        "Not taken: cleo (LtiServiceException: HTTP response",
        "403",
    ):
        assert part in printed
    assert [(one["userId"], one["scoreGiven"], one["scoreMaximum"]) for one in platform.scores] == [
        ("41", 5.5, 6.0), ("42", 0.0, 6.0),
    ]  # fmt: skip
    for one in platform.scores:
        assert one["activityProgress"] == "Completed"
        assert one["gradingProgress"] == "FullyGraded"
        assert datetime.fromisoformat(one["timestamp"]).utcoffset() is not None
        assert re.search(r"\.\d{3}\+00:00$", one["timestamp"])  # the standard asks for less than a second
    assert len(platform.tokens) == 1
    # What is kept of a login is damaged: that is said, the others get theirs, and the next login mends it.
    kept = folder / "lti" / "launches" / "bob.json"
    kept.write_text('{"01": ')
    graded(folder, ann="5.5", bob="0")
    assert cli.main(["class", "send", "01"]) == 1
    assert "Not taken: bob (grading/lti/launches/bob.json cannot be read" in capsys.readouterr().out
    assert platform.scores.pop()["userId"] == "41"
    lti.note_launch(folder, "bob", claims_of(platform, "bob"))
    # Once more, with other points: they replace what is there, so the time must be later.
    graded(folder, ann="6", bob="1")
    time.sleep(0.002)
    assert cli.main(["class", "send", "01"]) == 0
    assert [one["scoreGiven"] for one in platform.scores[2:]] == [6.0, 1.0]
    assert platform.scores[2]["timestamp"] > platform.scores[0]["timestamp"]


def test_only_a_link_of_an_exercise_that_takes_scores_is_kept(platform, tmp_path):
    target, endpoint = f"{lti.CLAIM}target_link_uri", claims_of(platform, "ann")[lti.ENDPOINT]
    nothing = [
        {lti.ENDPOINT: None}, {lti.ENDPOINT: {**endpoint, "lineitem": ""}}, {lti.ENDPOINT: {**endpoint, "scope": []}},
        {f"{lti.CLAIM}custom": {}}, {f"{lti.CLAIM}custom": None},
    ]  # fmt: skip
    for others in nothing:
        lti.note_launch(tmp_path, "ann", claims_of(platform, "ann", **others))
    assert not (tmp_path / "lti").exists()
    address = f"https://hub.example/hub/user-redirect/lab/tree/exercises/{EXERCISE}/{EXERCISE}.ipynb"
    lti.note_launch(tmp_path, "../ann", claims_of(platform, "ann", **{f"{lti.CLAIM}custom": None, target: address}))
    lti.note_launch(tmp_path, "../ann", claims_of(platform, "ann", "02", "6"))
    (file,) = (tmp_path / "lti" / "launches").iterdir()
    assert file.name == "ann.json"
    assert {name: place["lineitem"] for name, place in json.loads(file.read_text()).items()} == {
        name: f"{platform.url}/lineitems/{link}/lineitem?type_id=1" for name, link in ((EXERCISE, 5), ("02", 6))
    }
    assert file.stat().st_mode & 0o077 == 0


def test_a_key_is_made_once_and_closed(course, capsys):
    assert cli.main(["class", "key"]) == 0
    public = capsys.readouterr().out
    pem, jwk = public.split("\n\n")
    assert pem.startswith("-----BEGIN PUBLIC KEY-----\n")
    known = jwt.PyJWK(json.loads(jwk)).key.public_numbers()  # the same key in the form that Canvas takes
    assert known == serialization.load_pem_public_key(pem.encode()).public_numbers()
    assert "PRIVATE" not in public
    assert '"d"' not in public
    assert cli.main(["class", "key"]) == 0
    assert capsys.readouterr().out == public
    assert (course / "grading" / "lti" / "key.pem").stat().st_mode & 0o077 == 0
    (course / "grading" / "lti" / "key.pem").write_text("no key")
    assert cli.main(["class", "key"]) == 2
    assert "key.pem is no private key" in capsys.readouterr().err


def test_what_is_missing_or_refused_is_said(platform, course, capsys):
    folder = course / "grading"

    def complaint():
        assert cli.main(["class", "send", "01"]) == 2
        return capsys.readouterr().err

    assert f"{EXERCISE} has no table of grades in grading: minigrad class grade 01" in complaint()
    graded(folder, ann="5")
    assert "platform.json is missing: deploy/README.md" in complaint()
    settings_for(platform, folder)
    file = folder / "lti" / "platform.json"
    settings = json.loads(file.read_text())
    for text, sentence in (
        ("{", "platform.json cannot be read: "),
        ("[]", "platform.json lacks issuer, client_id, authorize_url, jwks_endpoint, token_url"),
        (json.dumps({**settings, "token_url": ""}), "platform.json lacks token_url"),
        (
            json.dumps({**settings, "token_url": "http://127.0.0.1:1/t"}),
            "gives no access at http://127.0.0.1:1/t: ",
        ),
    ):
        file.write_text(text)
        assert sentence in complaint()
    file.write_text(json.dumps(settings))
    (folder / "lti" / "key.pem").unlink()  # a new key, of which the platform knows nothing
    assert "the platform gives no access" in (sentence := complaint())
    assert "invalid_client" in sentence
    assert platform.scores == []


# The whole way, through a JupyterHub: what deploy/README.md installs.


@pytest.mark.skipif(
    not all(map(importlib.util.find_spec, ("jupyterhub", "ltiauthenticator"))), reason="they are not installed"
)
@pytest.mark.skipif(shutil.which("configurable-http-proxy") is None, reason="no configurable-http-proxy")
@pytest.mark.thorough
def test_a_login_by_the_platform_and_the_points_back(platform, course, tmp_path):
    """The platform starts a login, the hub asks it who that is, its signed answer opens the hub, and points go back."""
    import requests

    hub, folder, port = tmp_path / "hub", tmp_path / "hub" / "grading", 8570
    settings_for(platform, folder)
    (hub / "course").mkdir()
    environment = {
        **os.environ, "PYTHONPATH": str(ROOT), "MINIGRAD_HUB": str(hub), "MINIGRAD_HUB_PORT": str(port),
        "MINIGRAD_HUB_SPAWNER": "simple", "MINIGRAD_HUB_AUTHENTICATOR": "lti",
    }  # fmt: skip
    command = [sys.executable, "-m", "jupyterhub", "-f", str(ROOT / "deploy" / "jupyterhub_config.py")]
    with open(tmp_path / "hub.log", "w") as log:
        process = subprocess.Popen(command, cwd=hub, env=environment, stdout=log, stderr=log, start_new_session=True)
    base = f"http://127.0.0.1:{port}/hub"
    try:
        for _ in range(300):
            try:
                requests.get(f"{base}/health", timeout=2).raise_for_status()
                break
            except requests.RequestException:
                time.sleep(0.2)
        for name in ("ann", "bob"):
            forged = rsa.generate_private_key(public_exponent=65537, key_size=2048)
            for key, status in ((forged, 400), (platform.key, 302)):
                browser = requests.Session()
                words = {"iss": platform.url, "login_hint": STUDENTS[name], "target_link_uri": base}
                asked = browser.post(f"{base}/lti13/oauth_login", words | {"client_id": CLIENT}, allow_redirects=False)
                address, _, query = asked.headers["Location"].partition("?")
                assert address == f"{platform.url}/auth"
                question = {word: values[0] for word, values in parse_qs(query).items()}
                claims = {**claims_of(platform, name), "nonce": question["nonce"]}
                token = jwt.encode(claims, key, "RS256", {"kid": "theirs"})
                form = {"id_token": token, "state": question["state"]}
                answer = browser.post(question["redirect_uri"], form, allow_redirects=False)
                assert answer.status_code == status, (answer.text, (tmp_path / "hub.log").read_text())
                kept = folder / "lti" / "launches" / f"{name}.json"
                assert kept.exists() == (key is platform.key)
            assert browser.get(f"{base}/home").text.count(name)
    finally:
        process.send_signal(signal.SIGTERM)
        try:
            process.wait(30)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
    graded(folder, ann="6", bob="2")
    assert cli.main(["class", "send", "01", "--folder", str(folder)]) == 0
    assert {one["userId"]: one["scoreGiven"] for one in platform.scores} == {"41": 6.0, "42": 2.0}
