# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh
# Debian's source packages of kernels, linux-source-VERSION: parts of them, unpacked into the cache once for all clones.

# Read by scripts/setup after apt.sh.
# shellcheck disable=SC2154

# What no config of ours compiles and no test reads: two thirds of the archive. The Kconfig files of
# all architectures stay, some are read whatever the architecture.
# shellcheck disable=SC2034,SC2037
source_without="*/Documentation/[!n]*/* */sound/*.c */drivers/gpu/*.[ch]
    */drivers/media/*.[ch] */drivers/staging/*.[ch] */drivers/scsi/*.[ch]
    */drivers/infiniband/*.[ch] */drivers/iio/*.[ch] */tools/perf/* */tools/testing/[!s]*/* */tools/testing/selftests/[!kln]*/*"
# The same for machines like this one, and for ARM of 32 bits, whose boards have devices of their own.
source_without_pc="*/arch/[a-tv-wyz]*/*.[chS] */arch/[a-tv-wyz]*/*.dts* */drivers/net/ethernet/*.[ch]"
source_without_arm="*/arch/[b-z]*/*.[chS] */arch/[b-z]*/*.dts* */arch/arm64/*.[chS] */arch/arm64/*.dts* */arch/al*/*.[chS]
    */arch/arc/*.[chS] */drivers/net/ethernet/[!s]*/*.[ch]"

# The version of the package, by the package lists that are chosen.
source_version() { # PACKAGE[=VERSION]
    file=$(apt_uris "$1" | awk '{ print $2 }')
    [ "$file" ] || die "cannot find $1 through apt"
    file=${file#*_}
    echo "${file%%_*}"
}

# The directory is there when it is whole.
source_unpack() { # PACKAGE[=VERSION] DIRECTORY OPTION-OF-TAR...
    package=$1 into=$2
    shift 2
    deb=$(apt_fetch "$package") && [ "$deb" ] || die "cannot fetch $package"
    package=${package%%=*}
    echo "setup: unpacking $package"
    rm -rf "$into" "$into.new"
    mkdir -p "$into.new"
    dpkg-deb --fsys-tarfile "$deb" | tar -x -O -f - "./usr/src/$package.tar.xz" |
        tar -x -J -C "$into.new" --strip-components=1 --wildcards "$@"
    [ "$(ls "$into.new")" ] || die "cannot unpack $deb"
    mv "$into.new" "$into"
    rm -f "$deb"
}

# Leaves the directory of a kernel's source in $source; fetches and unpacks it if need be.
linux_source() { # VERSION [arm]
    machine_lists
    apt_uris "linux-source-$1" >/dev/null || machine_lists fresh
    source=$(source_version "linux-source-$1")
    source=$cache/linux-source-${2:+$2-}$source
    [ ! -e "$source/Makefile" ] || return 0
    case ${2:-pc} in pc) without="$source_without $source_without_pc" ;; arm) without="$source_without $source_without_arm" ;; esac
    set -f
    # shellcheck disable=SC2046,SC2086
    source_unpack "linux-source-$1" "$source" $(printf -- '--exclude=%s ' $without)
    set +f
}
