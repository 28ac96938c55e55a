#!/bin/sh
# SPDX-License-Identifier: MIT
#
# The wheel carries the tag that its symbols allow. It is installed in two small Debians, with Python 3.11 and 3.13:
# the package and the tool are tried there, with the package's own tests. So is what pip makes of the source
# distribution.
#
#     python.sh MADE FOLDER BUILD

set -eu

# shellcheck source=tests/assurance/packages/system.sh
. "$(dirname "$0")/system.sh"

wheel=$(echo "$made"/python/*-manylinux_*.whl)
mkdir "$folder/wheel" "$folder/bad"
python3 -m zipfile -e "$wheel" "$folder/wheel"
cd "$folder/wheel"
tool=$(echo vcsched-*.data/scripts/vcemu)
readelf --version-info "$tool" vcsched/_binding.abi3.so >"$folder/versions"
newest=$(grep -o 'GLIBC_[0-9.]*' "$folder/versions" | sort -V | tail -n 1)
case $wheel in
*-cp39-abi3-manylinux_"$(echo "${newest#GLIBC_}" | tr . _)_$(uname -m)".whl) ;;
*) echo "$wheel needs $newest" >&2; exit 1 ;;
esac
readelf --dynamic "$tool" vcsched/_binding.abi3.so | sed -n 's/.*NEEDED.*\[\(.*\)\]/\1/p' >"$folder/needed"
test -s "$folder/needed"
if grep -v '^lib[cm]\.so\.6$' "$folder/needed"; then
    exit 1
fi
for line in 'Name: vcsched' 'License: MIT' 'Requires-Python: >=3.9' 'Requires-Dist: cffi' \
    'Classifier: Typing :: Typed' 'Description-Content-Type: text/markdown' '# libvcsched'; do
    grep -q "^$line" vcsched-*.dist-info/METADATA
done

# One that needs other libraries is refused.
cc -shared -fPIC -Wl,--no-as-needed -x c /dev/null -L "$build/lib" -lvcsched -o vcsched/other.so
python3 -c 'import pathlib, sys, zipfile
with zipfile.ZipFile(sys.argv[1], "w") as archive:
    for path in pathlib.Path().rglob("*"):
        archive.write(path)' "$folder/bad/vcsched-0-cp311-cp311-linux_x86_64.whl"
if python3 "$root/doc/packaging/wheel.py" "$folder/bad/"*.whl "$folder" 2>"$folder/refused"; then
    exit 1
fi
grep 'other.so: needs libvcsched.so.0' "$folder/refused"

for release in bookworm trixie; do
    new_system $release
    install python3-venv python3-cffi python3-numpy python3-pytest python3-hypothesis
    in_system <<'END'
python3 -m venv --system-site-packages /opt/env
/opt/env/bin/pip install --no-index /opt/made/python/*-manylinux_*.whl
cd /tmp
. /opt/env/bin/activate
command -v vcemu | grep /opt/env/bin/vcemu
vcemu --version
vcemu plan /opt/project/examples/scenarios/small_state.ini | grep -q fold_
python3 -m vcsched import /opt/project/examples/scenarios/client_state.xml >state.ini
vcemu plan state.ini >/dev/null
test "$(vcemu --version | sed 's|.* ||; s|-rc|rc|')" = "$(python3 -c 'import vcsched; print(vcsched.__version__)')"
VCSCHED_INSTALLED=$(python3 -c 'import pathlib, vcsched; print(pathlib.Path(vcsched.__file__).parents[1])')
export VCSCHED_INSTALLED VCSCHED_BUILD=none VCSCHED_VECTORS=/opt/vectors VCEMU=/opt/env/bin/vcemu
export PYTHONDONTWRITEBYTECODE=1 VCS_TEST_SECONDS=1500
cd /opt/project/bindings/python/tests
python3 -m pytest -q -p no:cacheprovider --ignore test_package.py --ignore test_real_client.py
END
    install gcc libc6-dev python3-dev python3-mesonpy patchelf
    in_system <<'END'
rm -r /opt/env
python3 -m venv --system-site-packages /opt/env
CFLAGS=-O0 /opt/env/bin/pip install --no-index --no-build-isolation /opt/made/python/*.tar.gz
cd /tmp
/opt/env/bin/vcemu plan /opt/project/examples/scenarios/small_state.ini | grep -q fold_
/opt/env/bin/python3 -c 'import vcsched; vcsched.Parameters("current")'
END
done
