# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh
# Python libraries of tests/interop, by pip into a virtual environment in the cache:
# $cache/python-HASH, HASH of scripts/setup.d/python.txt. build/python is a file with that
# directory's name.

# Read by scripts/setup after apt.sh.
# shellcheck disable=SC2154

python_list=$repo/scripts/setup.d/python.txt

setup_python() {
    python_dir=$cache/python-$(sha256sum "$python_list" | cut -c 1-12)
    if [ ! -e "$python_dir/done" ]; then
        want "Python libraries" "fetching Python libraries by pip" || return 0
        # An environment knows its own path: it can't be made elsewhere and moved.
        rm -rf "$python_dir"
        /usr/bin/python3 -m venv "$python_dir" || die "no venv: install what scripts/setup.d/packages.interop lists"
        retry "$python_dir/bin/pip" -q --disable-pip-version-check install --require-hashes --only-binary :all: \
            -r "$python_list" >"$cache/python.log" 2>&1 || {
            tail -n 20 "$cache/python.log" >&2
            die "pip failed (log: $cache/python.log)"
        }
        : >"$python_dir/done"
    fi
    mkdir -p "$repo/build"
    echo "$python_dir" >"$repo/build/python"
}
