import sys
import sysconfig

sys.dont_write_bytecode = True  # it would be gone with the page
sys.path += ["/usr/local/lib/python3.15/libraries.zip", sysconfig.get_path("purelib")]
