# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh
# The programs against this machine's kernel, in network namespaces: tests/netns.

if [ "$(id -u)" != 0 ]; then
    skip all "needs root"
elif built; then
    programs tests/netns
fi
