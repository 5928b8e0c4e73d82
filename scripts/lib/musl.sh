# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh
# Each source of the programs and the library is checked against the headers of musl, as OpenWrt and Alpine have it: glibc's
# are hidden, and of the machine's other headers only those of the libraries we use and of the kernel can be seen. No
# object is made: the libraries here are glibc's.

musl_headers() { # DIRECTORY
    rm -rf "$1"
    mkdir -p "$1/arch"
    for header in linux asm-generic libmnl libnftnl event2 json-c pcap bsd unicode openssl libxslt \
        cap-ng.h event.h evutil.h pcap.h pcre2.h seccomp.h seccomp-syscalls.h stdsoap2.h zconf.h zlib.h; do
        ln -s "/usr/include/$header" "$1/$header"
    done
    # What differs between architectures.
    for header in asm openssl; do
        ln -s "/usr/include/$(gcc-12 -print-multiarch)/$header" "$1/arch/$header"
    done
}

musl_sources() {
    headers=$PWD/build/check/musl/include
    musl_headers "$headers"
    hidden="-nostdinc -isystem /usr/include/$(uname -m)-linux-musl -isystem $(gcc-12 -print-file-name=include)"
    compile WERROR=1 B=build/check/musl CFLAGS=-fsyntax-only objects \
        CC="gcc-12 $hidden -idirafter $headers -idirafter $headers/arch -Werror=incompatible-pointer-types"
}
