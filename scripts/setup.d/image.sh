# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh
# What scripts/image needs: the tools that pack file systems, and for each Debian of another architecture that is set up a
# libxml2 without ICU, which is 32 MB of tables for encodings that fmp refuses.
#
#   build/vm/ARCHITECTURE/libxml2/   libxml2.so.2

# Read by scripts/setup after source_package.sh.
# shellcheck disable=SC2154

# What a finished directory was made from: rises when the steps below change.
libxml2_format=2

# Debian's source, so with Debian's corrections; the calls are the same.
compile_libxml2() { # ARCHITECTURE TRIPLET
    source=$dir.source/libxml2
    debian_source libxml2 "$dir.source"
    (
        cd "$source" && autoreconf -fi &&
            ./configure --host="$2" CC="$2-gcc --sysroot=$repo/build/vm/$1/rootfs" CFLAGS="-Os -g" --disable-static \
                --without-icu --without-lzma --without-python --without-history --without-readline \
                --without-zlib &&
            nice make -j"$(nproc)" libxml2.la
    ) >"$cache/libxml2-$1.log" 2>&1 || {
        tail -n 20 "$cache/libxml2-$1.log" >&2
        die "cannot compile libxml2 for $1 (log: $cache/libxml2-$1.log)"
    }
}

setup_libxml2() { # ARCHITECTURE TRIPLET
    dir=$repo/build/vm/$1/libxml2
    [ "$(cat "$dir/format" 2>/dev/null)" != "$libxml2_format" ] || return 0
    want "libxml2 without ICU for $1" "libxml2 without ICU into build/vm/$1/libxml2" || return 0
    need_debian
    rm -rf "$dir"
    compile_libxml2 "$1" "$2"
    mkdir "$dir"
    cp "$source/.libs/libxml2.so.2" "$dir/"
    echo "$libxml2_format" >"$dir/format"
    rm -rf "$dir.source"
}

setup_image() {
    setup_packages packages.image
    for arch in armhf arm64 armel; do
        # shellcheck disable=SC2046
        [ ! -e "$repo/build/vm/$arch/format" ] || setup_libxml2 "$arch" "$(triplet_of "$arch")"
    done
}
