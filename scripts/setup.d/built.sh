# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh
# Kernels that Debian does not have as packages: its source package, compiled with a config
# of ours into the cache, once for all clones.
#
#   $cache/linux-source-VERSION/   the source, without what is never compiled here
#   $cache/NAME-HASH/              the compiled kernel; HASH is of config and source version
#   build/vm/NAME/                 release  linux|vmlinux|vmlinuz  initrd  lib/modules/RELEASE/  build

# Read by scripts/setup after kernel.sh and linux_source.sh.
# shellcheck disable=SC2034,SC2154

# What a finished directory was made from: rises when the steps below change.
built_format=1

# make in the kernel's source for kernel NAME, objects in $built. With ccache, where it is
# installed, a compilation that was stopped, or one with another option, is not all done again.
kernel_make() { # NAME ARGUMENT...
    name=$1
    shift
    prefix=
    case $name in uml*) arch=um ;; xscale) arch=arm prefix=arm-linux-gnueabi- ;; *) arch=x86_64 ;; esac
    compiler=${prefix}gcc-12
    ! command -v ccache >/dev/null || compiler="ccache $compiler"
    nice make -C "$source" O="$built" ARCH="$arch" CROSS_COMPILE="$prefix" CC="$compiler" HOSTCC=gcc-12 \
        KBUILD_BUILD_USER=fmp KBUILD_BUILD_HOST=fmp KBUILD_BUILD_TIMESTAMP=@1 "$@"
}

# An option that the source does not know, or that lacks what it depends on, is dropped
# without a word by the kernel's own make.
config_taken() { # CONFIG
    sed -n '/^CONFIG_.*=n$/d; /^CONFIG_/p' "$1" | while read -r line; do
        grep -qxF -- "$line" "$built/.config" || echo "$line"
    done
}

# UML keeps as many of the host's registers as a processor with AVX-512 has: 2696 bytes. One with
# AMX has 11,008, ptrace() writes all of them or none, and no process of UML would ever run.
room_for_registers() {
    offsets=$source/arch/x86/um/user-offsets.c
    sed -i 's/(HOST_FP_SIZE, 2696)/(HOST_FP_SIZE, 16384)/' "$offsets"
    grep -qF '(HOST_FP_SIZE, 16384)' "$offsets" || die "cannot make room for registers in $offsets"
}

compile_kernel() { # NAME IMAGE
    config=$repo/scripts/setup.d/${1%%-*}.config log=$cache/$1.log
    case $1 in uml*) room_for_registers ;; esac
    rm -rf "$built"
    mkdir -p "$built"
    case $1 in
    uml-*)
        cat "$config" "$repo/scripts/setup.d/uml-older.config" >"$built/fragment"
        config=$built/fragment
        ;;
    esac
    kernel_make "$1" -s allnoconfig KCONFIG_ALLCONFIG="$config" >"$log" 2>&1 || {
        tail -n 20 "$log" >&2
        die "cannot configure the $1 kernel (log: $log)"
    }
    lost=$(config_taken "$config")
    # The options are those of 6.1 and 5.15; a kernel of another version lacks some.
    case $lost/$1 in
    /*) ;;
    */uml-*) echo "setup: the $1 kernel does without $(echo "$lost" | tr '\n' ' ')" ;;
    *) die "the source of the $1 kernel did not take: $(echo "$lost" | tr '\n' ' ')" ;;
    esac
    rm -f "$built.failed"
    # The pipe's status is that of its end.
    { kernel_make "$1" -j"$(nproc)" "$2" modules 2>&1 || : >"$built.failed"; } | tee "$log" |
        awk -v name="$1" '/^  (CC|AS|LD|AR) / && ++n % 250 == 0 {
            print "setup: " name ": " n " steps of compiling done"; fflush() }'
    if [ -e "$built.failed" ]; then
        rm -f "$built.failed"
        grep -E 'error|Error|\*\*\*' "$log" | head -n 20 >&2
        die "cannot compile the $1 kernel (log: $log)"
    fi
    kernel_make "$1" -s modules_install INSTALL_MOD_PATH="$installed" >>"$log" 2>&1 ||
        die "cannot install the modules of the $1 kernel (log: $log)"
    # Modules are built against headers and host tools; objects only take room.
    find "$built" -path "$built/scripts" -prune -o -path "$built/tools" -prune -o \
        -path "$installed" -prune -o -name '*.[oa]' -type f -exec rm -f {} +
}

# The kernel in the cache, ready in $built; its modules as installed below $installed.
built_in_cache() { # NAME IMAGE WORDS
    hash=$({ echo "$built_format ${source##*/}"; cat "$repo/scripts/setup.d/$1.config"; } | sha256sum | cut -c 1-12)
    built=$cache/$1-$hash installed=$cache/$1-$hash/root
    [ ! -e "$built/format" ] || return 0
    echo "setup: compiling the $1 kernel; takes $3 on two processors"
    compile_kernel "$1" "$2"
    echo "$built_format" >"$built/format"
}

# The modules that the first boot stage needs are built in.
built_initrd_from() ( # NAME
    [ "$1" != xscale ] || { xscale_initrd_from; return; }
    initrd_modules=
    initrd_from
)

make_built_initrd() ( # NAME DIR
    [ "$1" != xscale ] || { make_xscale_initrd "$2"; return; }
    initrd_modules=
    make_initrd "$2" none
)

setup_built() { # NAME IMAGE WORDS
    dir=$repo/build/vm/$1
    from=$({ echo "$built_format"; cat "$repo/scripts/setup.d/$1.config"; } | sha256sum)
    if [ "$(cat "$dir/format" 2>/dev/null)" = "$from" ] && [ -e "$dir/build/format" ]; then
        if [ "$(cat "$dir/initrd.from" 2>/dev/null)" != "$(built_initrd_from "$1")" ] &&
            want "boot stage of $1" "packing build/vm/$1/initrd"; then
            make_built_initrd "$1" "$dir"
        fi
        return 0
    fi
    want "kernel $1" "kernel $1 into build/vm/$1" || return 0
    need_debian
    # shellcheck disable=SC2046
    linux_source 6.1 $([ "$1" != xscale ] || echo arm)
    # The long part waits only for another one of its own kind.
    flock -u 9
    exec 8>"$cache/$1.lock"
    flock -n 8 || { echo "setup: waiting for another run that compiles $1"; flock 8; }
    built_in_cache "$@"
    exec 8>&-
    flock 9
    rm -rf "$dir" "$dir.new"
    mkdir -p "$dir.new/lib"
    ln -s "$built" "$dir.new/build"
    ln -s "$installed/lib/modules" "$dir.new/lib/modules"
    cat "$built/include/config/kernel.release" >"$dir.new/release"
    case $1 in
    uml) ln -s build/linux "$dir.new/linux" ;;
    xscale) ln -s "build/$(kernel_make "$1" -s image_name)" "$dir.new/vmlinuz" ;;
    *) ln -s "build/$(kernel_make "$1" -s image_name)" "$dir.new/vmlinux" ;;
    esac
    make_built_initrd "$1" "$dir.new"
    echo "$from" >"$dir.new/format"
    mv "$dir.new" "$dir"
}
