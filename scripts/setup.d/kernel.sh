# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh
# Guest kernels: image, modules and headers of a Debian kernel, unpacked into
# build/vm/VERSION/ and never installed.
#
#   release  vmlinux  initrd  lib/modules/RELEASE/  usr/src/linux-headers-*/

# Read by scripts/setup after apt.sh.
# shellcheck disable=SC2154

# What a finished directory was made from: rises when the steps below change.
kernel_format=1
# What the first stage of the boot needs to reach the host's root.
initrd_modules="virtio_pci virtio_console 9p 9pnet_virtio overlay"

# Versions that the package lists know, newest first.
kernel_abis() {
    case $1 in
    6.1) pattern='6\.1\.0-[0-9]+' ;;
    6.12) pattern='6\.12\.[0-9]+\+deb12(\.[0-9]+)?' ;;
    esac
    # shellcheck disable=SC2086
    apt-cache $apt_opts pkgnames "linux-headers-$1." |
        sed -n -E "s/^linux-headers-($pattern)-amd64\$/\\1/p" | sort -rV
}

# The four packages of the newest version that has them all.
kernel_packages() {
    for abi in $(kernel_abis "$1"); do
        case $1 in
        6.1) kbuild=linux-kbuild-6.1 ;;
        6.12) kbuild=linux-kbuild-$abi ;;
        esac
        for image in "linux-image-$abi-amd64" "linux-image-$abi-amd64-unsigned"; do
            list="$image linux-headers-$abi-amd64 linux-headers-$abi-common $kbuild"
            # shellcheck disable=SC2086
            if apt_uris $list >/dev/null; then
                echo "$list"
                return 0
            fi
        done
    done
    return 1
}

# The kernel proper out of a bzImage (the boot protocol's payload_offset and
# payload_length); it boots by PVH, some seconds faster than the bzImage.
extract_vmlinux() {
    num() { od -An -v -t "u$2" -j "$1" -N "$2" "$3" | tr -d ' '; }
    start=$((($(num 497 1 "$1") + 1) * 512 + $(num 584 4 "$1")))
    length=$(($(num 588 4 "$1") - 4)) # the last four bytes are the unpacked size
    magic=$(od -An -v -t x1 -j "$start" -N 4 "$1" | tr -d ' ')
    case $magic in
    fd377a58) unpack="xz -dc" ;;
    28b52ffd) unpack="zstd -dc" ;;
    1f8b*) unpack="gzip -dc" ;;
    *) die "cannot unpack $1: unknown compression $magic" ;;
    esac
    tail -c "+$((start + 1))" "$1" | head -c "$length" | $unpack >"$2" && [ -s "$2" ]
}

initrd_from() {
    (echo "$initrd_modules" && cat "$repo/scripts/vm.d/initrd") | cksum
}

make_initrd() ( # DIR RELEASE [BUSYBOX]
    dir=$1 rel=$2 tree=$1/initrd.d
    rm -rf "$tree"
    mkdir -p "$tree/bin" "$tree/dev" "$tree/proc" "$tree/sys" "$tree/modules"
    cp "${3:-/bin/busybox}" "$tree/bin/busybox"
    cp "$repo/scripts/vm.d/initrd" "$tree/init"
    chmod 755 "$tree/init"
    for mod in $initrd_modules; do
        /sbin/modprobe -d "$dir" -S "$rel" --show-depends "$mod"
    done | awk '$1 == "insmod" && !seen[$2]++ { print $2 }' | while read -r file; do
        name=$(basename "$file" .xz)
        case $file in
        *.xz) xz -dc "$file" >"$tree/modules/$name" ;;
        *) cp "$file" "$tree/modules/$name" ;;
        esac
        echo "$name" >>"$tree/modules/order"
    done
    (cd "$tree" && find . | cpio -o -H newc --quiet -R 0:0) | gzip -1 >"$dir/initrd"
    initrd_from >"$dir/initrd.from"
    rm -rf "$tree"
)

# Packages' paths come on standard input. A subshell: its names don't touch the caller's.
unpack_kernel() (
    dir=$1
    while read -r deb; do
        dpkg-deb -x "$deb" "$dir"
    done
    rm -rf "${dir:?}/usr/share"
    rel=$(ls "$dir/lib/modules")
    # Paths of an installed kernel, made relative to where it lies here.
    src=$(echo "$dir"/usr/src/linux-headers-*-common)
    for makefile in "$dir"/usr/src/linux-headers-*-amd64/Makefile; do
        # shellcheck disable=SC2016
        printf 'include $(dir $(realpath $(lastword $(MAKEFILE_LIST))))../%s/Makefile\n' "${src##*/}" >"$makefile"
    done
    ln -sfn "../../../usr/src/linux-headers-$rel" "$dir/lib/modules/$rel/build"
    ln -sfn "../../../usr/src/${src##*/}" "$dir/lib/modules/$rel/source"
    # Only for BTF of modules, which would need a pahole as new as that kernel.
    rm -f "$dir/usr/src/linux-headers-$rel/vmlinux"
    extract_vmlinux "$dir/boot/vmlinuz-$rel" "$dir/vmlinux"
    rm -f "$dir/boot/vmlinuz-$rel"
    /sbin/depmod -b "$dir" "$rel"
    echo "$rel" >"$dir/release"
)

fetch_kernel() {
    packages=$(kernel_packages "$1") || return 1
    # shellcheck disable=SC2086
    debs=$(apt_fetch $packages)
}

setup_kernel() {
    version=$1 dir=$repo/build/vm/$1
    if [ "$(cat "$dir/format" 2>/dev/null)" = "$kernel_format" ]; then
        # A newer first stage is packed again without fetching anything.
        if [ "$(cat "$dir/initrd.from" 2>/dev/null)" != "$(initrd_from)" ] &&
            want "boot stage of $1" "packing build/vm/$1/initrd"; then
            make_initrd "$dir" "$(kernel_release "$1")"
        fi
        return 0
    fi
    want "guest kernel $1" "guest kernel $1 into build/vm/$1" || return 0
    need_debian
    case $1 in
    6.1) machine_lists ;;
    6.12) suite_lists bookworm-backports ;;
    esac
    # Lists that are empty, or older than what the archive holds now, are read anew once.
    fetch_kernel "$version" || {
        [ "$version" = 6.12 ] || machine_lists fresh
        fetch_kernel "$version" || die "cannot fetch a kernel $version through apt"
    }
    # Built beside and moved in place: an interrupted run leaves nothing half done.
    rm -rf "$dir" "$dir.new"
    mkdir -p "$dir.new"
    echo "$debs" | unpack_kernel "$dir.new"
    make_initrd "$dir.new" "$(cat "$dir.new/release")"
    echo "$kernel_format" >"$dir.new/format"
    mv "$dir.new" "$dir"
}

# The style checker is in the kernel's source package only.
setup_checkpatch() {
    dir=$repo/build/vm/checkpatch
    [ -x "$dir/checkpatch.pl" ] && return 0
    want checkpatch "checkpatch into build/vm/checkpatch" || return 0
    need_debian
    mkdir -p "$cache/checkpatch" "$dir"
    if ! [ -e "$cache/checkpatch/checkpatch.pl" ]; then
        linux_source 6.1
        cp "$source/scripts/checkpatch.pl" "$source/scripts/spelling.txt" \
            "$source/scripts/const_structs.checkpatch" "$cache/checkpatch/"
    fi
    cp "$cache"/checkpatch/* "$dir/"
    chmod 755 "$dir/checkpatch.pl"
}
