# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh
# The commands as a person would give them: tests/cli. Two at a time: they wait for clocks and for each other most of the
# time.

if built; then
    suite cli tests/cli/run -j 2 || true
fi
