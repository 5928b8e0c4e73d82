# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh disable=SC2154
# The modules for each kernel that `scripts/setup kernels` has headers for, by gcc and, for some, by clang, a warning being
# a failure; and the newest in a virtual machine.

root=$repo/build/vm/kernels/root
export root

# In the root of Debian 13, which is the compilers' machine: the kernel's tools and scripts are programs of it. Debian's
# headers ask for the architecture, too, and take another compiler if it is not this one.
in_root() ( # COMMAND
    as=
    [ "$(id -u)" = 0 ] || as=-r
    # shellcheck disable=SC2016
    unshare ${as:+"$as"} -m --propagation private sh -c '
        mount --rbind /proc "$root/proc" && mount --rbind /dev "$root/dev" &&
        mount --bind build/check/kernels "$root/src" && 
        exec chroot "$root" /usr/bin/env -i PATH=/usr/bin DEB_BUILD_ARCH=amd64 DEB_HOST_ARCH=amd64 sh -c "$1"' - "$1"
)

# How the kernel calls what Debian calls by the name, and whose compiler it is.
arch_of() {
    case $1 in
    amd64) echo x86 x86_64-linux-gnu- ;;
    arm64) echo arm64 aarch64-linux-gnu- ;;
    armhf) echo arm arm-linux-gnueabihf- ;;
    s390x) echo s390 s390x-linux-gnu- ;;
    esac
}

# The headers' configuration is for gcc: what clang does not know of it is left out.
clang_for_gcc() {
    cat <<'END'
#!/bin/sh
for arg; do
    shift
    case $arg in
    -fconserve-stack | -mrecord-mcount | -fsanitize=bounds-strict | -mindirect-branch* | -mfunction-return* | \
        -fno-allow-store-data-races | -fmin-function-alignment* | -mpreferred-stack-boundary* | -mskip-rax-setup | \
        -falign-jumps* | -falign-loops* | -mharden-sls* | -fzero-init-padding-bits* | -mstack-protector-guard* | \
        -fno-stack-clash-protection | -mtp=* | -mno-single-pic-base | -fno-dwarf2-cfi-asm | -mapcs | -mno-sched-prolog) ;;
    *) set -- "$@" "$arg" ;;
    esac
done
exec clang-19 --target="${CROSS_COMPILE%-}" "$@" -Wno-unused-command-line-argument -Wno-unknown-warning-option \
    -Wno-gnu-variable-sized-type-not-at-end
END
}

newest=$(cat build/vm/newest/release 2>/dev/null)

modules_for() { # RELEASE ARCHITECTURE gcc|clang
    release=$1 into=build/check/kernels/$1-$3
    # shellcheck disable=SC2046
    set -- $(arch_of "$2") "$3"
    with="CC=$2gcc-14"
    [ "$3" != clang ] || with="CC=/src/clang"
    # Debian's 7.2 was configured for a gcc that knows an attribute more.
    flags=-Werror
    case $release in 7.2.*) flags="$flags -Wno-attributes" ;; esac
    rm -rf "$into"
    mkdir -p "$into"
    cp -r Kbuild kernel "$into"
    in_root "make -s -C /usr/src/linux-headers-$release M=/src/${into##*/} W=1 CONFIG_DEBUG_INFO_BTF_MODULES= \
            CONFIG_FMP_BENCH=m ARCH=$1 CROSS_COMPILE=$2 $with KCFLAGS='$flags' modules" >"$into.out" 2>&1
    # Of how the headers were made, not of what is made with them. modpost's warnings stop nothing by themselves.
    ! grep -v -e 'pahole version differs' -e 'The kernel was built with' -e 'You are using:' \
        -e 'the compiler differs' "$into.out" || return 1
    for module in fmp.ko baseband/fmp_baseband.ko bench/fmp_bench.ko; do
        [ -e "$into/kernel/$module" ] || { echo "no $module"; return 1; }
    done
    if [ "$release" = "$newest" ] && [ "$3" = gcc ]; then
        mkdir -p build/kernel/newest
        cp "$into"/kernel/*.ko "$into"/kernel/*/*.ko build/kernel/newest
    fi
    rm -rf "$into"
}

if [ -e build/vm/kernels/matrix ]; then
    mkdir -p build/check/kernels
    clang_for_gcc >build/check/kernels/clang
    chmod 755 build/check/kernels/clang
    while read -r release arch; do
        one "$release-gcc" modules_for "$release" "$arch" gcc || true
        # Elsewhere the configuration for gcc names the place of the stack's guard, and behind 6.1 address spaces, too:
        # that is not clang's.
        case $release in 6.1.*-amd64) one "$release-clang" modules_for "$release" "$arch" clang || true ;; esac
    done <build/vm/kernels/matrix
    # What differs most from kernel to kernel; the hook before mac80211 is tried up to 6.12.
    if one tools compile WERROR=1 vm-tests; then
        suite "vm-newest" scripts/vm --kernel newest --smp 2 --timeout 1200 \
            --log build/check/vm-newest-kernel.log -- tests/vm/run baseband drop enforce filter genl devices || true
    fi
else
    skip all "not set up (scripts/setup kernels)"
fi
