# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash disable=SC2154
#
# File systems and boot stage of an image. Sourced by scripts/image after root.sh.

# The time of all files is that of the commit, so that the same root makes the same image.
image_time() { git log -1 --format=%ct 2>/dev/null || echo 0; }

# A slow processor's time to its protection is the time to unpack what it runs: of 125 million instructions a second, from
# init on, 6.3 s with zstd in blocks of 128 KB, 4.9 s in blocks of 32 KB, 2.5 s with lz4, 2.0 s with nothing packed. lz4 costs a
# quarter more of flash.
pack_root() { # TREE FILE
    rm -f "$2"
    mksquashfs "$1" "$2" -comp lz4 -Xhc -b 64K -all-root -noappend -quiet -no-progress -all-time "$(image_time)" \
        -mkfs-time "$(image_time)"
}

# Found by its label.
pack_data() { # FILE
    rm -f "$1"
    truncate -s 16M "$1"
    mke2fs -q -t ext4 -L fmp-data -m 0 "$1"
}

pack_initrd() { # FILE
    local tree=$1.d file
    rm -rf "$tree"
    mkdir -p "$tree"/{bin,dev,proc,sys,modules}
    cp "$debian/bin/busybox" "$tree/bin/"
    install -m 755 scripts/image.d/initrd "$tree/init"
    boot_modules | module_files | while read -r file; do
        plain_module "$file" "$tree/modules"
        name=${file##*/}
        name=${name%.xz}
        echo "${name%.zst}" >>"$tree/modules/order"
    done
    find "$tree/modules" -name '*.ko' -exec "$triplet-strip" --strip-debug {} +
    (cd "$tree" && find . | sort | cpio -o -H newc --quiet -R 0:0 --reproducible) | xz --check=crc32 --lzma2=dict=1MiB >"$1"
    rm -rf "$tree"
}

# What of the root is there for fmp: its programs, files and module, and all libraries but the C library.
pack_fmp() { # TREE FILE
    local into=$PWD/$2.d
    rm -rf "$into"
    mkdir -p "$into"
    (cd "$1" && find usr/sbin/fmp* usr/libexec/fmp* usr/share/fmp "lib/$triplet" "lib/modules/$release/kernel/fmp.ko" \
        -type f ! -name 'libc.so*' | cpio -pdm --quiet "$into")
    pack_root "$into" "$2"
    rm -rf "$into"
}
