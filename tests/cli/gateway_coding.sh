# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# shellcheck disable=SC2119,SC2120
#
# Compressed bodies: refused or expanded as the policy says; bombs cost little.

. tests/cli/lib.sh
. tests/cli/lib_gateway.sh

# sent FILE STATUS KIND [CODING]
sent() {
    local before status
    before=$(events)
    status=$(curl -s -m 20 -o "$T/answer" -w '%{http_code}' -H 'Content-Type: text/xml' -H 'Expect:' \
        -H "Content-Encoding: ${4:-gzip}" --data-binary "@$1" "$URL")
    [ "$status" = "$2" ] || { echo "status $status"; last_event; return 1; }
    wait_for 5 more_events "$before" && last_event | grep -q "kind=$3 " || { last_event; return 1; }
}

# A bomb of 100 MB in 100 KB: seen after as much as may come of it, not after all.
bomb() {
    local cpu
    sent "$T/bomb.gz" 413 oversize || return 1
    last_event | grep -q 'becomes larger than allowed' || { last_event; return 1; }
    cpu=$(last_event | sed 's/.* cpu_us=\([0-9]*\) .*/\1/')
    [ "$cpu" -lt 50000 ] || { echo "$cpu us"; return 1; }
}

GOOD=$VECTORS/plain/plain-1k.xml
gzip -9 <"$GOOD" >"$T/good.gz"
python3 -c 'import sys, zlib; sys.stdout.buffer.write(zlib.compress(sys.stdin.buffer.read()))' <"$GOOD" >"$T/good.zz"
head -c 100000000 /dev/zero | gzip >"$T/bomb.gz"
head -c 100 "$T/good.gz" >"$T/half.gz"
printf '<a></b>' | gzip >"$T/bad.gz"

service
policy
gateway --security BcV
check refused-as-the-policy-says sent "$T/good.gz" 415 http
gateway_ends

policy '' '' '' '' '<http compressed="yes" ratio="20" requests="3"/>'
gateway --security BcV
check gzip-is-expanded sent "$T/good.gz" 200 good
check deflate-is-expanded sent "$T/good.zz" 200 good deflate
check what-is-expanded-is-inspected sent "$T/bad.gz" 500 wellformed
check bomb-is-refused bomb
check half-is-refused sent "$T/half.gz" 400 http
check unknown-coding-is-refused sent "$T/good.gz" 415 http br
check serves-after-all sent "$T/good.gz" 200 good

# The third answer is the connection's last.
three_requests() {
    curl -s -m 20 -o /dev/null -o /dev/null -o /dev/null -o /dev/null -H 'Content-Type: text/xml' \
        --data-binary "@$GOOD" -w '%{num_connects}\n' "$URL" "$URL" "$URL" "$URL" >"$T/connects"
    [ "$(xargs <"$T/connects")" = '1 0 0 1' ] || { xargs <"$T/connects"; return 1; }
}
check requests-of-a-connection three_requests
check ends-well gateway_ends
