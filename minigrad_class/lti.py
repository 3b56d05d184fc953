"""Points sent back into a learning platform, by LTI 1.3 and its Assignment and Grade Services 2.0.

The hub logs students in by jupyterhub-ltiauthenticator (deploy/jupyterhub_config.py). Each exercise is a link of its
own on the platform, and the login that comes from it says where that student's score for it belongs: `note_launch`
keeps that. `send` posts the points there, by PyLTI1p3. All of it is in the class's folder:

    lti/platform.json      the platform's addresses and the client id that it gave to this tool
    lti/key.pem            the key that signs our requests; the platform has its public half
    lti/launches/ann.json  for each exercise: who ann is on the platform, and where her score belongs
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timezone
from pathlib import Path
from typing import Any, Final

from minigrad_class.names import slug
from minigrad_course.grading.cells import GradingError
from minigrad_course.grading.files import write_whole

FIELDS = ("issuer", "client_id", "authorize_url", "jwks_endpoint", "token_url")
CLAIM = "https://purl.imsglobal.org/spec/lti/claim/"
ENDPOINT = "https://purl.imsglobal.org/spec/lti-ags/claim/endpoint"
SCORE: Final = "https://purl.imsglobal.org/spec/lti-ags/scope/score"
SECONDS = 30  # that the platform may take to answer


def platform(folder: Path) -> dict[str, str]:
    """Read lti/platform.json of the class's folder. Raises GradingError where it is missing or says too little."""
    path = folder / "lti" / "platform.json"
    try:
        settings = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise GradingError(f"{path} is missing: deploy/README.md says what your platform wants there") from None
    except (OSError, ValueError) as error:
        raise GradingError(f"{path} cannot be read: {error}") from None
    empty = [name for name in FIELDS if not (isinstance(settings, dict) and settings.get(name))]
    if empty:
        raise GradingError(f"{path} lacks {', '.join(empty)}")
    return settings


def public_key(folder: Path) -> str:
    """The public half of our key, as PEM, for the platform. The key is made where there is none."""
    from cryptography.hazmat.primitives import serialization
    from cryptography.hazmat.primitives.asymmetric import rsa

    path = folder / "lti" / "key.pem"
    if not path.exists():
        key = rsa.generate_private_key(public_exponent=65537, key_size=2048)
        secret = key.private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
        )
        write_whole(path, secret)
    try:
        private = serialization.load_pem_private_key(path.read_bytes(), password=None)
    except ValueError as error:
        raise GradingError(f"{path} is no private key: {error}") from None
    form = serialization.PublicFormat.SubjectPublicKeyInfo
    return private.public_key().public_bytes(serialization.Encoding.PEM, form).decode()


def as_jwk(public: str) -> str:
    """A public key as a JSON Web Key."""
    try:
        from pylti1p3.registration import Registration
    except ImportError as error:
        raise _lacks(error) from None
    return json.dumps(Registration.get_jwk(public))


def note_launch(folder: Path, student: str, claims: Mapping[str, Any]) -> None:
    """Keep where the score of a student belongs, as a login from an exercise's link says.

    The exercise is the link's custom parameter `exercise`, or else stands in the address that the link opens. A login
    from any other link, or from a platform that takes no scores, is none of our business.
    """
    endpoint = claims.get(ENDPOINT) or {}
    named = (claims.get(f"{CLAIM}custom") or {}).get("exercise")
    _, _, address = str(claims.get(f"{CLAIM}target_link_uri", "")).partition("exercises/")
    exercise = str(named or address.partition("/")[0])
    if not exercise or not endpoint.get("lineitem") or SCORE not in endpoint.get("scope", ()):
        return
    path = folder / "lti" / "launches" / f"{slug([student])}.json"
    place = {"user": claims["sub"], "lineitem": endpoint["lineitem"]}
    try:
        launches = _launches(path)
    except GradingError:  # damaged: written anew, for nobody shall be kept from logging in
        launches = {}
    if launches.get(exercise) != place:
        write_whole(path, json.dumps({**launches, exercise: place}, indent=1))


@dataclass
class Sent:
    """The students whose points the platform has taken, and the others, with the reason."""

    taken: list[str] = field(default_factory=list)
    unopened: list[str] = field(default_factory=list)  # never came from the platform's link of this exercise
    refused: dict[str, str] = field(default_factory=dict)  # student -> the platform's answer, or a damaged note


def send(folder: Path, exercise: str, points: Mapping[str, float], of: float) -> Sent:
    """Send points (student -> points, of at most `of`) to the platform. Sent again, they replace what is there.

    `exercise` is its full name; a link may call it by its number. Raises GradingError where nothing can be sent at all.
    """
    try:
        from pylti1p3.assignments_grades import AssignmentsGradesService
        from pylti1p3.exception import LtiException
        from pylti1p3.grade import Grade
        from pylti1p3.registration import Registration
        from pylti1p3.service_connector import ServiceConnector
        from requests import RequestException, Session
    except ImportError as error:
        raise _lacks(error) from None

    class Patient(Session):
        """Requests that give up, which they never do by themselves."""

        def request(self, *args: Any, **options: Any) -> Any:
            return super().request(*args, **{"timeout": SECONDS, **options})

    settings, public = platform(folder), public_key(folder)
    registration = Registration().set_client_id(settings["client_id"]).set_auth_token_url(settings["token_url"])
    registration.set_auth_audience(settings.get("audience") or settings["token_url"])
    registration.set_tool_private_key((folder / "lti" / "key.pem").read_text()).set_tool_public_key(public)
    connector = ServiceConnector(registration, Patient())
    try:
        connector.get_access_token([SCORE])
    except (LtiException, RequestException, ValueError, KeyError) as error:
        reason = _sentence(error)
        raise GradingError(f"the platform gives no access at {settings['token_url']}: {reason}") from None
    result = Sent()
    for student, earned in points.items():
        try:
            launches = _launches(folder / "lti" / "launches" / f"{student}.json")
        except GradingError as error:
            result.refused[student] = str(error)
            continue
        number = exercise.partition("_")[0]
        place = launches.get(exercise) or launches.get(number)
        if place is None:
            result.unopened.append(student)
            continue
        grade = Grade().set_user_id(place["user"]).set_score_given(earned).set_score_maximum(of)
        grade.set_activity_progress("Completed").set_grading_progress("FullyGraded")
        grade.set_timestamp(datetime.now(timezone.utc).isoformat(timespec="milliseconds"))
        service = AssignmentsGradesService(connector, {"scope": [SCORE], "lineitem": place["lineitem"]})
        try:
            service.put_grade(grade)
            result.taken.append(student)
        except (LtiException, RequestException) as error:
            result.refused[student] = _sentence(error)
    return result


def _lacks(error: ImportError) -> GradingError:
    return GradingError(f"sending points needs {error.name}: `make class` installs it")


def _launches(path: Path) -> dict[str, dict[str, str]]:
    """Read what is kept of a student's logins. Raises GradingError where it cannot be read."""
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
    except (OSError, ValueError) as error:
        sentence = f"{path} cannot be read ({error}): the next login from the exercise's link writes it anew"
        raise GradingError(sentence) from None


def _sentence(error: Exception) -> str:
    """An error on one line, without an answer's whole page."""
    return " ".join(f"{type(error).__name__}: {error}".split())[:300]
