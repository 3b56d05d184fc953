import importlib
import sys
import sysconfig
import zipfile

packages = sysconfig.get_path("purelib")
sys.path += ["/usr/local/lib/python3.15/libraries.zip", packages]
with zipfile.ZipFile("/tmp/course.zip") as file:
    for name in file.namelist():
        file.extract(name, "/course" if name.startswith("exercises/") else packages)
importlib.invalidate_caches()
