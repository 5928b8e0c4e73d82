# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh disable=SC2154
# The settings of a policy have one source, the tables of libfmp/policy; the schema, the manual page and the README are
# compared with what a program linked with the library prints of it.

policy_table() {
    compile build/lib/libfmp.a >"$log.build" 2>&1 || { tail -20 "$log.build"; return 1; }
    libs=$(sed -n 's/^LIB_PKGS := //p' Makefile)
    # shellcheck disable=SC2046,SC2086
    gcc -std=gnu11 -D_GNU_SOURCE -Wall -Wextra -Werror -Ilibfmp/include -Ilibfmp -isystem kernel/include/uapi \
        $(pkg-config --cflags $libs | sed 's/-I/-isystem /g') -o build/check/policy_table scripts/lint.d/policy_table.c \
        build/lib/libfmp.a $(pkg-config --libs $libs) || return 1
    build/check/policy_table >build/check/policy_table.txt &&
        python3 scripts/lint.d/policy_table.py build/check/policy_table.txt
}
one policy-table policy_table || true
