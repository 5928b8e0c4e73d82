# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh
# A kernel that no suite of Debian has, from a source that is given by `scripts/setup --source DIR`: what
# scripts/check kernels builds the module for, and a User-Mode Linux that runs the module's tests.
#
#   build/vm/source-VERSION/   linux  links to the files of DIR, in which nothing is written
#                              amd64  arm64  armhf  what modules are built against
#   build/vm/uml-VERSION/      like build/vm/uml/, for `scripts/vm --kernel uml-VERSION`
#
# VERSION is like 5.15.

# Read by scripts/setup after built.sh.
# shellcheck disable=SC2034,SC2154

# What a finished directory was made from: rises when the steps below change.
source_format=1

# The configuration of ARCHITECTURE and what a make of modules asks for. No kernel is linked, so there is no
# Module.symvers.
source_headers() { # ARCHITECTURE
    into=$dir/$1 log=$cache/source-$1.log
    mkdir -p "$into"
    # shellcheck disable=SC2046
    set -- "$1" $(arch_of "$1")
    # shellcheck disable=SC2016
    printf 'nice make -s -C %s O=%s ARCH=%s CROSS_COMPILE=%s CC=%sgcc-12 HOSTCC=gcc-12 "$@"\n' \
        "$source" "$into" "$2" "$3" "$3" >"$into/make"
    sh "$into/make" allnoconfig KCONFIG_ALLCONFIG="$repo/scripts/setup.d/source.config" >"$log" 2>&1 &&
        sh "$into/make" -j"$(nproc)" modules_prepare >>"$log" 2>&1 || {
        tail -n 20 "$log" >&2
        die "cannot prepare the source for modules of $1 (log: $log)"
    }
    for option in MODULES NETFILTER_INGRESS MAC80211; do
        grep -q "^CONFIG_$option=" "$into/.config" || die "the source did not take $option for $1"
    done
}

# The program, and what scripts/vm asks for.
source_uml() { # NAME
    built=$repo/build/vm/$1/build
    installed=$built/root
    rm -rf "$repo/build/vm/$1"
    echo "setup: compiling the $1 kernel; takes about five minutes on two processors"
    compile_kernel "$1" linux
    cat "$built/include/config/kernel.release" >"$repo/build/vm/$1/release"
    ln -s build/linux "$repo/build/vm/$1/linux"
    mkdir -p "$repo/build/vm/$1/lib"
    ln -s ../build/root/lib/modules "$repo/build/vm/$1/lib/modules"
    make_built_initrd "$1" "$repo/build/vm/$1"
    echo "$source_format" >"$repo/build/vm/$1/format"
}

setup_source() { # DIR
    [ -e "$1/Kbuild" ] && [ -e "$1/kernel/module.c" ] || [ -e "$1/kernel/module/main.c" ] ||
        die "--source: '$1' is no source of a kernel"
    from=$(cd "$1" && pwd)
    full=$(make -s -C "$from" kernelversion) || die "--source: '$1' does not say its version"
    version=$(echo "$full" | cut -d. -f 1,2)
    dir=$repo/build/vm/source-$version
    made=$(cd "$repo/scripts/setup.d" && cat source.config uml.config uml-older.config | cksum)
    [ "$(cat "$dir/format" 2>/dev/null)" != "$source_format $full $made" ] || ! [ -e "$repo/build/vm/uml-$version/format" ] ||
        return 0
    want "kernel $full" "kernel $full from $from into build/vm/source-$version and uml-$version" || return 0
    need_debian
    # Long, and nothing that other clones share.
    flock -u 9
    rm -rf "$dir"
    mkdir -p "$dir"
    # Links, for one file is changed, see room_for_registers().
    source=$dir/linux
    cp -rs "$from" "$source"
    ! [ -e "$source/.config" ] || die "--source: '$1' was configured; a clean one is needed (make mrproper)"
    for arch in amd64 arm64 armhf; do
        ! command -v "$(arch_of "$arch" | cut -d' ' -f 2)gcc-12" >/dev/null || source_headers "$arch"
    done
    echo "$full" >"$dir/release"
    echo "$source_format $full $made" >"$dir/format"
    # A vendor may have changed what User-Mode Linux needs.
    (source_uml "uml-$version") || echo "setup: without it scripts/check kernels only compiles for $version" >&2
    flock 9
}
