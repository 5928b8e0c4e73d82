# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh
# The version is that of the Makefile wherever it must stand as a literal.

versions() {
    version=$(sed -n 's/^VERSION := //p' Makefile)
    [ "$version" ] || { echo "Makefile: no VERSION"; return 1; }
    # FILE, the text before the version, and the text behind it.
    sed 's/|/\n/g' <<END | while read -r file && read -r before && read -r behind; do
kernel/dkms.conf|PACKAGE_VERSION="|"
kernel/README.md|cp -r kernel /usr/src/fmp-|
kernel/README.md|dkms install fmp/|
openwrt/fmp/Makefile|PKG_VERSION:=|
openwrt/kmod-fmp/Makefile|PKG_VERSION:=|
END
        grep -qF -- "$before" "$file" || echo "$file: no line with '$before'"
        grep -nF -- "$before" "$file" | grep -vF -- "$before$version$behind" | sed "s|^|$file:|; s|\$| (the Makefile has $version)|"
    done >build/check/versions
    cat build/check/versions
    [ ! -s build/check/versions ]
}
one versions versions || true
