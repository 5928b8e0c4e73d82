# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh
# The module but for main.c, which defines the tracepoints, as one file: the kernel's headers are read once and not thirty
# times. That each file includes what it needs, others must show.
as_one_file() { # KBUILD
    # shellcheck disable=SC2016
    printf '%s\n' 'parts := $(filter-out main.o,$(fmp-y))' \
        '$(shell printf "\043include \"%s\"\n" $(parts:.o=.c) >$(fmp-src)/parts.c)' 'fmp-y := parts.o main.o' >>"$1"
}
