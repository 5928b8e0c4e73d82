# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# shellcheck disable=SC2119,SC2153,SC2154
#
# As many connections as there may be: who has no message under way gives way to who waits, and only then.

. tests/cli/lib.sh
. tests/cli/lib_gateway.sh

full() { python3 tests/cli/full.py "$1" "$PORT" "$VECTORS/plain/plain-1k.xml"; }

service
policy 'workers="1"' '' 'idle="60s" header="60s"' 'max="8" per-source="8"'
gateway --security Os
# held HOW: whoever gave way is charged, and nobody else.
held() {
    local before
    before=$(events)
    full "$1" || return 1
    wait_for 5 more_events "$before"
    grep '^event ' "$T/gateway.err" | tail -n +$((before + 1)) >"$T/held"
    grep -q "kind=connection source=127.0.0.3 .*$2" "$T/held" && ! grep "held places" "$T/held" | grep -v "source=127.0.0.3 "
}

check silent-one-of-the-most-gives-way held silent 'held places without a request'
check slow-one-of-the-most-gives-way held slow 'held places by slow requests'
check who-is-new-does-not full new
check who-has-one-slow-request-does-not full each
check idle-one-gives-way-later full idle
check nobody-gives-way-for-nobody full nobody
check ends-well gateway_ends

# Whom a proxy tells of may have too many already: the places of those that are refused are free.
policy 'workers="1"' '' 'header="60s" body="60s"' 'max="8" per-source="2"' \
    '<proxies><proxy address="127.0.0.1"/></proxies>'
gateway --security Os
check refused-by-proxy-leave-room full refused
check proxy-ends-well gateway_ends
