# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# shellcheck disable=SC2119,SC2153,SC2154
#
# As many connections as there may be: who has no message under way gives way to who waits, and only then.

. tests/cli/lib.sh
. tests/cli/lib_gateway.sh

full() { python3 tests/cli/full.py "$1" "$PORT" "$VECTORS/plain/plain-1k.xml"; }

service
policy 'workers="1"' '' 'idle="60s"' 'max="8" per-source="8"'
gateway --security Os
check idle-one-gives-way-later full idle
check nobody-gives-way-for-nobody full nobody
check ends-well gateway_ends

# Whom a proxy tells of may have too many already: the places of those that are refused are free.
policy 'workers="1"' '' 'header="60s" body="60s"' 'max="8" per-source="2"' \
    '<proxies><proxy address="127.0.0.1"/></proxies>'
gateway --security Os
check refused-by-proxy-leave-room full refused
check proxy-ends-well gateway_ends
