# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh
# Python libraries of tests/interop, by pip into a virtual environment in the cache:
# $cache/python-HASH, HASH of scripts/setup.d/python.txt and python-source.txt. build/python is a file with that
# directory's name.

# Read by scripts/setup after apt.sh.
# shellcheck disable=SC2154

python_list=$repo/scripts/setup.d/python.txt
python_source=$repo/scripts/setup.d/python-source.txt

fetch_wheels() {
    retry "$python_dir/bin/pip" -q --disable-pip-version-check install --require-hashes "$@" >"$cache/python.log" 2>&1 || {
        tail -n 20 "$cache/python.log" >&2
        die "pip failed (log: $cache/python.log)"
    }
}

setup_python() {
    python_dir=$cache/python-$(cat "$python_list" "$python_source" | sha256sum | cut -c 1-12)
    if [ ! -e "$python_dir/done" ]; then
        want "Python libraries" "fetching Python libraries by pip" || return 0
        # An environment knows its own path: it can't be made elsewhere and moved.
        rm -rf "$python_dir"
        /usr/bin/python3 -m venv "$python_dir" || die "no venv: install what scripts/setup.d/packages.interop lists"
        fetch_wheels -r "$python_list" --only-binary :all:
        fetch_wheels -r "$python_source" --no-deps --no-build-isolation
        : >"$python_dir/done"
    fi
    mkdir -p "$repo/build"
    echo "$python_dir" >"$repo/build/python"
}
