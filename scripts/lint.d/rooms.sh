# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh
# Who includes and calls whom: rooms.py, with the order of rooms in the file `rooms`.

one rooms python3 scripts/lint.d/rooms.py || true
