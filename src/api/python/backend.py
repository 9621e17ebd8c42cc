"""Builds the Python package: a wheel with libvarabs and the program inside, and a source package.

pip calls this module (PEP 517; see pyproject.toml). By hand: python3 backend.py wheel|sdist FOLDER

The C sources are in `source`, where the source package has them, or else in the repository around this folder. The
libraries that libvarabs is linked with, Expat and Jansson, are copied into the wheel together with their licences. The
wheel works wherever the C library is at least as new as its name says. SOURCE_DATE_EPOCH sets the times in the files.
"""

import base64
import gzip
import hashlib
import io
import os
import pathlib
import platform
import re
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import time
import zipfile

HERE = pathlib.Path(__file__).resolve().parent
SOURCE = HERE / "source" if (HERE / "source").is_dir() else HERE.parents[2]
BUNDLED = ("libexpat", "libjansson")
#: What the build needs besides the sources, and the makefiles in scripts/.
BESIDE = ("Makefile", "LICENSE", "CHANGELOG", "scripts/version.sh")
OWN = ("pyproject.toml", "backend.py", "README.md")


def version():
    text = (SOURCE / "Makefile").read_text(encoding="utf-8")
    return re.search(r"^VERSION := (.*)$", text, re.MULTILINE)[1]


def metadata():
    """As the core metadata specification has it."""
    return f"""Metadata-Version: 2.1
Name: varabs
Version: {version()}
Summary: Make Uppaal models smaller, and check them
License: Apache-2.0
Requires-Python: >=3.9
Classifier: License :: OSI Approved :: Apache Software License
Classifier: Operating System :: POSIX :: Linux
Classifier: Topic :: Scientific/Engineering
Classifier: Typing :: Typed
Description-Content-Type: text/markdown

{(HERE / "README.md").read_text(encoding="utf-8")}"""


def timestamp():
    return max(int(os.environ.get("SOURCE_DATE_EPOCH", time.time())), 315532800)  # zip begins in 1980


# ---- the libraries ----


def output_of(*command):
    return subprocess.run(command, check=True, stdout=subprocess.PIPE,
                          universal_newlines=True).stdout


def build():
    """Makes library and program, which look for other libraries beside themselves; the folder of them."""
    folder = SOURCE / "build" / "wheel"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    library, program = "build/wheel/libvarabs.so.0", "build/wheel/varabs"
    subprocess.run(["make", "-C", str(SOURCE), "-j", str(os.cpu_count() or 1), f"SHARED={library}", f"BIN={program}",
                    "LDFLAGS=-Wl,-rpath,'$$ORIGIN' -Wl,-z,relro,-z,now", library, program],
                   check=True, stdout=sys.stderr)
    for line in output_of("ldd", str(folder / "varabs")).splitlines():
        found = re.match(r"\s*(\S+) => (/\S+)", line)
        if found and found[1].startswith(BUNDLED):
            shutil.copy(os.path.realpath(found[2]), folder / found[1])
    for path in folder.iterdir():
        path.chmod(0o755)
        if shutil.which("strip"):
            subprocess.run(["strip", "--strip-unneeded", str(path)], check=True)
    return folder


def tag(folder):
    """Of the oldest C library that has all symbols that are needed."""
    if platform.libc_ver()[0] != "glibc":
        return "py3-none-" + re.sub(r"[-.]", "_", sysconfig.get_platform())
    needed = max((int(major), int(minor)) for path in folder.iterdir()
                 for major, minor in re.findall(rb"GLIBC_(\d+)\.(\d+)", path.read_bytes()))
    return f"py3-none-manylinux_{needed[0]}_{needed[1]}_{platform.machine()}"


def notices():
    """The licences of what is bundled, by name."""
    found = {}
    for package in ("libexpat1", "libjansson4"):
        path = pathlib.Path("/usr/share/doc", package, "copyright")
        if path.is_file():
            found[package + ".txt"] = path.read_bytes()
    return found


# ---- the wheel ----


class Wheel:
    """Writes members, and the list of them at the end."""

    def __init__(self, path):
        self.zip = zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED)
        self.record = ""

    def write(self, name, data, mode):
        member = zipfile.ZipInfo(name, time.gmtime(timestamp())[:6])
        member.compress_type = zipfile.ZIP_DEFLATED
        member.external_attr = (0o100000 | mode) << 16
        self.zip.writestr(member, data)

    def add(self, name, data, mode=0o644):
        self.write(name, data, mode)
        digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
        self.record += f"{name},sha256={digest},{len(data)}\n"

    def close(self, record):
        self.write(record, f"{self.record}{record},,\n".encode(), 0o644)
        self.zip.close()


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    folder = build()
    tags = tag(folder)
    name = f"varabs-{version()}-{tags}.whl"
    info = f"varabs-{version()}.dist-info/"
    wheel = Wheel(os.path.join(wheel_directory, name))
    for path in sorted((HERE / "varabs").iterdir()):
        if path.suffix in (".py", ".typed"):
            wheel.add("varabs/" + path.name, path.read_bytes())
    for path in sorted(folder.iterdir()):
        wheel.add("varabs/lib/" + path.name, path.read_bytes(), 0o755)
    wheel.add(info + "licenses/LICENSE", (SOURCE / "LICENSE").read_bytes())
    for notice, text in notices().items():
        wheel.add(info + "licenses/" + notice, text)
    wheel.add(info + "METADATA", metadata().encode())
    wheel.add(info + "WHEEL", f"Wheel-Version: 1.0\nGenerator: varabs\nRoot-Is-Purelib: false\nTag: {tags}\n".encode())
    wheel.add(info + "entry_points.txt", b"[console_scripts]\nvarabs = varabs.__main__:main\n")
    wheel.close(info + "RECORD")
    return name


# ---- the source package ----


def sources():
    """Files by their names in the package."""
    files = {name: HERE / name for name in OWN}
    files.update({"varabs/" + path.name: path for path in (HERE / "varabs").iterdir()
                  if path.suffix in (".py", ".typed")})
    files.update({"source/" + name: SOURCE / name for name in BESIDE})
    files.update({"source/scripts/" + path.name: path for path in (SOURCE / "scripts").glob("*.mk")})
    for path in (SOURCE / "src").rglob("*"):
        if path.is_file() and "python" not in path.parts and "__pycache__" not in path.parts:
            files["source/" + str(path.relative_to(SOURCE))] = path
    return files


def build_sdist(sdist_directory, config_settings=None):
    base = f"varabs-{version()}"
    with open(os.path.join(sdist_directory, base + ".tar.gz"), "wb") as file, \
            gzip.GzipFile("", "wb", fileobj=file, mtime=timestamp()) as packed, \
            tarfile.open(fileobj=packed, mode="w", format=tarfile.PAX_FORMAT) as package:
        def add(name, data):
            member = tarfile.TarInfo(f"{base}/{name}")
            member.size, member.mtime, member.mode = len(data), timestamp(), 0o644
            package.addfile(member, io.BytesIO(data))

        add("PKG-INFO", metadata().encode())
        for name, path in sorted(sources().items()):
            add(name, path.read_bytes())
    return base + ".tar.gz"


def main():
    makers = {"wheel": build_wheel, "sdist": build_sdist}
    if len(sys.argv) != 3 or sys.argv[1] not in makers:
        sys.exit("usage: python3 backend.py wheel|sdist FOLDER")
    os.makedirs(sys.argv[2], exist_ok=True)
    print(os.path.join(sys.argv[2], makers[sys.argv[1]](sys.argv[2])))


if __name__ == "__main__":
    main()
