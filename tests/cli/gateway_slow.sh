# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# shellcheck disable=SC2153,SC2154
#
# Long answers over a slow link: who reads on gets all of it, however long that takes; who reads
# nothing, or next to nothing, keeps no connection by it.

. tests/cli/lib_netns.sh
own_netns gateway_slow "${1:-}" ip sysctl

. tests/cli/lib.sh
. tests/cli/lib_gateway.sh

LENGTH=800000

charged() { grep -q "^event kind=connection source=$1 .*detail=\"the answer was not read in time\"" "$T/gateway.err"; }

# 200 KB/s, where 25 KB/s would do: in four times the time of a body.
reads_on() { grep -qx "$1 200 $LENGTH" "$T/got" && ! charged "$1" || { cat "$T/got"; last_event; return 1; }; }

given_up() { grep -qx "$1 reset" "$T/got" && charged "$1" || { cat "$T/got"; last_event; return 1; }; }

ip link set lo up
# The answer does not fit into what the kernel holds of it.
sysctl -q -w net.ipv4.tcp_wmem='4096 16384 65536'
{
    echo '0 keep'
    printf 'HTTP/1.1 200 OK\r\nContent-Type: text/xml\r\nContent-Length: %d\r\n\r\n' "$LENGTH"
    head -c "$LENGTH" /dev/zero | tr '\0' x
} >"$T/said"
start long python3 tests/cli/raw_service.py "$T/said" "$T/log"
listening long
BACKEND=http://127.0.0.1:$PORT/
policy 'workers="1"' '' 'body="1s"'
gateway --security Bc
python3 tests/cli/slow_readers.py "$PORT" "$VECTORS/plain/plain-1k.xml" \
    127.0.0.2 10000 50  127.0.0.3 0 0  127.0.0.4 1000 200 >"$T/got"
check who-reads-on-gets-all reads_on 127.0.0.2
check who-reads-nothing-is-given-up given_up 127.0.0.3
check who-reads-next-to-nothing-is-given-up given_up 127.0.0.4
check ends-well gateway_ends
