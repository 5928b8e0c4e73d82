# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh disable=SC2154
# The modules for each kernel that `scripts/setup kernels` has headers for, by gcc and clang, a warning being a failure; the
# newest in a virtual machine; kernels of which a source was given to `scripts/setup --source`; and everything on a big-endian
# machine. gcc takes each file by itself, clang the module as one file: a quarter of the time.

. "$repo/scripts/lib/arch.sh"
. "$repo/scripts/lib/one_file.sh"
. "$repo/scripts/lib/root.sh"

# In the root of Debian 13, which is the compilers' machine: the kernel's tools and scripts are programs of it. Debian's
# headers ask for the architecture, too, and take another compiler if it is not this one.
in_debian_13() { # COMMAND
    in_root "$repo/build/vm/kernels/root" build/check/kernels "$1" CLANG=clang-19 DEB_BUILD_ARCH=amd64 DEB_HOST_ARCH=amd64
}

newest=$(cat build/vm/newest/release 2>/dev/null || true)

# Debian configured 7.2 for a gcc that Debian 13 lacks: gcc-14 knows one attribute less, and clang is not tried.
newer_gcc() { # RELEASE
    case $1 in 7.2.*) ;; *) return 1 ;; esac
}

modules_for() { # RELEASE ARCHITECTURE gcc|clang
    release=$1 into=build/check/kernels/$1-$3
    # shellcheck disable=SC2046
    set -- $(arch_of "$2") "$3"
    with="CC=$2gcc-14"
    [ "$3" != clang ] || with="CC=/src/kernel_clang"
    flags=-Werror
    ! newer_gcc "$release" || flags="$flags -Wno-attributes"
    rm -rf "$into"
    mkdir -p "$into"
    cp -r Kbuild kernel "$into"
    [ "$3" = gcc ] || as_one_file "$into/kernel/Kbuild"
    in_debian_13 "make -s -j$(nproc) -C /usr/src/linux-headers-$release M=/src/${into##*/} W=1 CONFIG_DEBUG_INFO_BTF_MODULES= \
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
    # What is in build/check/kernels is in /src there.
    cp scripts/lib/kernel_clang scripts/lib/kernel_clang.h build/check/kernels
    while read -r release arch; do
        one "$release-gcc" modules_for "$release" "$arch" gcc || true
        ! newer_gcc "$release" || continue
        case $release in *-amd64 | 6.12.*-arm64) one "$release-clang" modules_for "$release" "$arch" clang || true ;; esac
    done <build/vm/kernels/matrix
    # What differs most from kernel to kernel; the hook before mac80211 is tried up to 6.12.
    if one tools compile WERROR=1 vm-tests; then
        FMP_FILE_SECONDS=1800
        export FMP_FILE_SECONDS
        suite "vm-newest" scripts/vm --kernel newest --smp 2 --timeout 7200 \
            --log build/check/vm-newest-kernel.log -- tests/vm/run baseband drop enforce filter genl devices mac80211 || true
    fi
else
    skip all "not set up (scripts/setup kernels)"
fi

# Kernels that no suite of Debian has, from sources that were given to `scripts/setup --source`. Symbols are not
# resolved there, for no kernel was linked; in User-Mode Linux they are.
source_modules() { # VERSION ARCHITECTURE gcc|clang
    into=$repo/build/check/kernels/$1-$2-$3 prepared=$repo/build/vm/source-$1/$2
    # shellcheck disable=SC2046
    set -- $(arch_of "$2") "$3"
    with="CC=$2gcc-12"
    [ "$3" != clang ] || with="CC=$repo/scripts/lib/kernel_clang"
    rm -rf "$into"
    mkdir -p "$into"
    cp -r Kbuild kernel "$into"
    [ "$3" = gcc ] || as_one_file "$into/kernel/Kbuild"
    sh "$prepared/make" -j"$(nproc)" M="$into" W=1 CONFIG_FMP_BENCH=m KBUILD_MODPOST_WARN=1 "$with" \
        KCFLAGS="-Werror -Wno-unused-variable" modules || return 1
    for module in fmp.ko baseband/fmp_baseband.ko bench/fmp_bench.ko; do
        [ -e "$into/kernel/$module" ] || { echo "no $module"; return 1; }
    done
    rm -rf "$into"
}
mkdir -p build/check/kernels
for format in build/vm/source-*/format; do
    [ -e "$format" ] || continue
    version=${format%/format} version=${version##*/source-}
    for make in "${format%/format}"/*/make; do
        arch=${make%/make} arch=${arch##*/}
        for compiler in gcc clang; do
            one "$version-$arch-$compiler" source_modules "$version" "$arch" "$compiler" || true
        done
    done
    if ! [ -e "build/vm/uml-$version/format" ]; then
        skip "uml-$version" "not compiled (scripts/setup --source)"
    elif one "uml-$version-modules" compile WERROR=1 "modules-uml-$version" "modules-uml-$version-kunit" vm-tests \
        KERNEL="uml-$version uml-$version-kunit"; then
        suite "kunit-$version" scripts/vm --kernel "uml-$version" --timeout 1500 \
            --log "build/check/uml-$version-kunit-kernel.log" -- tests/vm/kunit || true
        FMP_FILE_SECONDS=1800
        export FMP_FILE_SECONDS
        suite "uml-$version" scripts/vm --kernel "uml-$version" --timeout 7200 \
            --log "build/check/uml-$version-kernel.log" -- tests/vm/run || true
    fi
done

# Big-endian: the module's tests, and the programs' unit tests. Of the former those that look at bytes; an emulated s390x is
# slow, so that they get more time than elsewhere.
if [ -e build/vm/s390x/format ]; then
    if one s390x-modules compile WERROR=1 modules KERNEL=s390x &&
        one s390x-tools compile WERROR=1 for-s390x GOALS="vm-tests tests"; then
        mkdir -p build/s390x/kernel/s390x
        cp -L build/kernel/s390x/*.ko build/s390x/kernel/s390x
        FMP_FILE_SECONDS=3000
        export FMP_FILE_SECONDS
        suite vm-s390x scripts/vm --kernel s390x --timeout 10800 \
            --log build/check/vm-s390x-kernel.log -- tests/vm/run genl filter record tables || true
        suite units-s390x scripts/vm --kernel s390x --timeout 14400 \
            --log build/check/units-s390x-kernel.log -- tests/vm/units || true
    fi
else
    skip s390x "not set up (scripts/setup kernels)"
fi
