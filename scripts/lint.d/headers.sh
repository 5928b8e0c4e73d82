# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh
# The contract with the kernel compiles alone as C99 and C++; the library's headers, each
# alone, as C11 and C++.

compiles() { # LANGUAGE STANDARD HEADER FLAGS...
    language=$1 standard=$2 header=$3
    shift 3
    echo "#include <$header>" | gcc -x "$language" "-std=$standard" -pedantic -Wall -Wextra -Werror \
        -fsyntax-only "$@" - || { echo "<$header> as $standard"; return 1; }
}
uapi() {
    compiles c c99 linux/fmp.h -Ikernel/include/uapi &&
        compiles c++ c++11 linux/fmp.h -Ikernel/include/uapi
}
public() {
    for file in $(sources 'libfmp/include/fmp/*.h' | grep -v /internal/); do
        header=fmp/${file##*/}
        compiles c c11 "$header" -D_GNU_SOURCE -Ilibfmp/include -isystem kernel/include/uapi || return 1
        compiles c++ c++11 "$header" -D_GNU_SOURCE -Ilibfmp/include -isystem kernel/include/uapi || return 1
    done
}
one uapi-header uapi || true
one public-headers public || true
