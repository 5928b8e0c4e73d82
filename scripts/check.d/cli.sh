# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh
# The commands as a person would give them: tests/cli.

if built; then
    programs tests/cli
fi
