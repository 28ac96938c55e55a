# SPDX-License-Identifier: MIT
"""The package as others get it: typed, and as a wheel and a source distribution that are built and installed offline.
"""

from __future__ import annotations

import ast
import importlib.util
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import venv
import zipfile

import pytest

from conftest import BUILD, PACKAGE, PROJECT_ROOT

pytestmark = pytest.mark.skipif(not BUILD, reason="VCSCHED_BUILD names no build")

SCENARIOS = PROJECT_ROOT / "examples" / "scenarios"
OLDEST_PYTHON = "3.9"
"""What the package needs at least, so mypy refuses what came later."""
PROGRAM = """
import vcsched as v
state = v.State(resources=[v.Resource(instances=2, flops=1e9)], projects=[v.Project()], tasks=[v.Task(remaining=60)])
print(state.wrr().tasks[0].finish)
"""


def test_the_types_are_right(tmp_path):
    pytest.importorskip("mypy")
    ended = subprocess.run([sys.executable, "-m", "mypy", "--strict", "--python-version", OLDEST_PYTHON, "--cache-dir",
                            str(tmp_path), "-p", "vcsched"], cwd=PACKAGE, check=False, capture_output=True, text=True)
    assert ended.returncode == 0, ended.stdout


def test_the_compiled_part_asks_nothing_of_python_that_a_later_one_may_lack(tmp_path):
    """What its headers declare for the stable interface of 3.2 is in each later Python."""
    compiler, nm = shutil.which("cc"), shutil.which("nm")
    if compiler is None or nm is None:
        pytest.skip("needs a compiler")
    compiled = next((PACKAGE / "vcsched").glob("_binding*.so"))
    listed = subprocess.run([nm, "-D", "--undefined-only", str(compiled)], check=True, capture_output=True, text=True)
    symbols = re.findall(r"\bU (_?Py\w+)", listed.stdout)
    assert "PyErr_Occurred" in symbols
    source = tmp_path / "stable.c"

    def compiles(names):
        lines = "".join(f"const void *const symbol_{i} = &{name};\n" for i, name in enumerate(names))
        source.write_text(f"#define Py_LIMITED_API 0x03020000\n#include <Python.h>\n{lines}", encoding="utf-8")
        return subprocess.run([compiler, "-fsyntax-only", f"-I{sysconfig.get_path('include')}", str(source)],
                              check=False, capture_output=True, text=True)

    assert compiles(["PyTuple_GET_SIZE", "PyUnicode_AsUTF8"]).returncode != 0, "these are not in it"
    ended = compiles(symbols)
    assert ended.returncode == 0, ended.stderr


GONE = """asynchat asyncore distutils imp smtpd
          aifc audioop cgi cgitb chunk crypt imghdr lib2to3 mailcap msilib nis nntplib ossaudiodev pipes sndhdr spwd
          sunau telnetlib uu xdrlib""".split()
"""The modules that Python 3.12, in the first line, and 3.13 do not have any more."""


def test_no_module_is_needed_that_a_later_python_lacks():
    needed = set()
    for path in (PACKAGE / "vcsched").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                needed |= {name.name.partition(".")[0] for name in node.names}
            elif isinstance(node, ast.ImportFrom) and node.level == 0:
                needed.add((node.module or "").partition(".")[0])
    assert {"vcsched", "concurrent"} <= needed
    assert not needed & set(GONE)


@pytest.fixture(name="distributions", scope="module")
def fixture_distributions(tmp_path_factory):
    """Source distribution and wheel, built from a clone: what is not under version control is not in it."""
    for module in ("build", "mesonpy"):
        pytest.importorskip(module)
    if not (PROJECT_ROOT / ".git").exists():
        pytest.skip("not a clone")
    folder = tmp_path_factory.mktemp("package")
    subprocess.run(["git", "-c", "safe.directory=*", "clone", "-q", "--depth", "1", PROJECT_ROOT.as_uri(),
                    str(folder / "clone")], check=True)
    # Not optimised: the tests look at what is in the package, not at how fast it is.
    built = subprocess.run([sys.executable, "-m", "build", "--no-isolation", "--outdir", str(folder / "dist"),
                            "bindings/python"],
                           cwd=folder / "clone", env={**os.environ, "CFLAGS": "-O0"}, check=False,
                           capture_output=True, text=True)
    assert built.returncode == 0, built.stdout[-3000:] + built.stderr[-3000:]
    return folder / "dist"


def test_the_source_distribution_has_the_sources_of_the_library(distributions):
    with tarfile.open(next(distributions.glob("*.tar.gz"))) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    assert {"pyproject.toml", "lib/vcsched/simulation/wrr.c", "include/vcsched/vcsched.h",
            "bindings/python/vcsched/state.py", "bindings/python/generate/headers.py"} <= names


def test_the_wheel_has_the_package_and_the_tool_and_nothing_else(distributions):
    with zipfile.ZipFile(next(distributions.glob("*.whl"))) as wheel:
        names = wheel.namelist()
    assert {"vcsched/state.py", "vcsched/interface.py", "vcsched/constants.py", "vcsched/py.typed",
            "vcsched/boinc/host_import.py"} <= set(names)
    assert any(name.startswith("vcsched/_binding.") and name.endswith(".so") for name in names)
    assert {name.split("/")[0].split("-")[0] for name in names} == {"vcsched"}
    assert [name.partition(".data/")[2] for name in names if ".data/" in name] == ["scripts/vcemu"]


def test_the_wheel_works_in_an_environment_with_nothing_but_cffi(distributions, tmp_path):
    environment = tmp_path / "environment"
    venv.create(environment, with_pip=True)
    python = str(environment / "bin" / "python")
    site = subprocess.run([python, "-c", "import sysconfig; print(sysconfig.get_path('platlib'))"], check=True,
                          capture_output=True, text=True).stdout.strip()
    copy_cffi(site)
    subprocess.run([python, "-m", "pip", "-q", "install", "--no-index", str(next(distributions.glob("*.whl")))],
                   check=True)
    found = subprocess.run([python, "-c", PROGRAM], check=True, cwd=tmp_path, capture_output=True, text=True)
    assert found.stdout == "60.0\n"
    tool = subprocess.run([str(environment / "bin" / "vcemu"), "plan", str(SCENARIOS / "small_state.ini")], check=True,
                          cwd=tmp_path, capture_output=True, text=True)
    assert "skymap_2031_a" in tool.stdout
    refused = subprocess.run([python, "-c", "import vcsched; vcsched.Task.array(1)"], check=False, cwd=tmp_path,
                             capture_output=True, text=True)
    assert "Task.array() needs NumPy; Task.records() does not" in refused.stderr


def test_it_is_installed_without_an_index(distributions, tmp_path):
    """As doc/python.md says. pip is told of an index that does not exist, should it ask one."""
    environment = tmp_path / "environment"
    venv.create(environment, with_pip=True, system_site_packages=True)
    pip = subprocess.run([str(environment / "bin" / "pip"), "install", "--no-index", "--no-build-isolation",
                          "bindings/python"], cwd=distributions.parent / "clone", check=False, capture_output=True,
                         text=True, env={**os.environ, "CFLAGS": "-O0", "PIP_INDEX_URL": "http://localhost:9/"})
    assert pip.returncode == 0, pip.stdout + pip.stderr
    found = subprocess.run([str(environment / "bin" / "python"), "-c", PROGRAM + "print(v.__file__)"], check=True,
                           cwd=tmp_path, capture_output=True, text=True)
    finish, file = found.stdout.split()
    assert finish == "60.0" and file.startswith(str(environment))


def test_the_version_is_that_of_the_header():
    header = (PROJECT_ROOT / "include" / "vcsched" / "abi.h").read_text(encoding="ascii")
    [version] = re.findall(r'#define VCS_VERSION "(.+)"', header)
    found = subprocess.run([sys.executable, "-c", "import vcsched; print(vcsched.__version__)"], check=True,
                           cwd=PACKAGE, capture_output=True, text=True)
    assert found.stdout == version.replace("-rc", "rc") + "\n"


def copy_cffi(site):
    """Installs the distribution's cffi, as an index would: what is imported, and what pip looks for."""
    backend = importlib.util.find_spec("_cffi_backend").origin
    package = os.path.dirname(importlib.util.find_spec("cffi").origin)
    shutil.copy(backend, site)
    for path in (package, *(os.path.join(os.path.dirname(package), name)
                            for name in os.listdir(os.path.dirname(package))
                            if name.startswith(("cffi-", "pycparser")))):
        if os.path.isdir(path):
            shutil.copytree(path, os.path.join(site, os.path.basename(path)))
