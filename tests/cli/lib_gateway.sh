# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# shellcheck disable=SC2034,SC2154
#
# A gateway before the sample service, for the scripts gateway_*.sh; needs lib.sh.

# policy ATTRIBUTES [LIMITS [TIMEOUTS [CONNECTIONS [ELEMENTS]]]]: writes $T/policy.xml.
policy() {
    local security=
    # trust= without it is refused; what the command line says counts.
    [[ ${1:-} == *security=* ]] || security='security="BcS"'
    cat >"$T/policy.xml" <<EOF
<?xml version="1.0" encoding="UTF-8"?>
<policy xmlns="urn:fmp:policy:1" name="test">
  <gateway schema="$PWD/$VECTORS/orders.xsd" trust="$PWD/$VECTORS/pki/ca.crt"
           key="$PWD/$VECTORS/pki/server.key" max-age="0" user="nobody" $security ${1:-}>
    <limits ${2:-}/>
    <timeouts ${3:-}/>
    <connections ${4:-}/>
    ${5:-}
  </gateway>
</policy>
EOF
}

# service: the sample service, with THREADS, a connection each; sets BACKEND.
service() {
    start orders "$BIN/fmp-orders" --listen 127.0.0.1:0 --threads "${THREADS:-16}"
    ORDERS=$!
    listening orders
    BACKEND=http://127.0.0.1:$PORT/orders
}

# gateway [FLAGS...]: with $T/policy.xml; sets GATEWAY (its process) and URL.
gateway() {
    start gateway "$BIN/fmp-gateway" --policy "$T/policy.xml" --listen 127.0.0.1:0 \
        --backend "$BACKEND" --verbose "$@"
    GATEWAY=$!
    listening gateway
    wait_for 20 grep -q 'ready' "$T/gateway.err"
    URL=http://127.0.0.1:$PORT/orders
}

# Has this system just started, and nobody told it the time? Then what is of the future is nobody's
# offence, and is answered with 503.
clock_waits() { grep -q 'it was not set since the start' "$T/gateway.err"; }

gateway_ends() {
    kill "$GATEWAY"
    wait "$GATEWAY"
}

# gateway_gives_up: with an error, for it wants a worker and nobody forks one any more.
gateway_gives_up() {
    local status=0
    wait "$GATEWAY" || status=$?
    [ "$status" = 1 ] && grep -q 'the fork server has ended' "$T/gateway.err" && return 0
    echo "status $status: $(tail -n 3 "$T/gateway.err")"
    return 1
}

# post FILE [TYPE]: prints the status; the answer is in $T/answer.
post() {
    : >"$T/answer"
    curl -s -m 20 -o "$T/answer" -w '%{http_code}' -H "Content-Type: ${2:-text/xml; charset=utf-8}" \
        -H 'SOAPAction: ""' -H 'Expect:' --data-binary "@$1" "$URL"
}

# The newest event of standard error: events "kind=..." from line N on.
events() {
    grep -c '^event ' "$T/gateway.err"
}

last_event() {
    grep '^event ' "$T/gateway.err" | tail -n 1
}

# event_follows N KIND: after N events there is one more, of this kind.
event_follows() {
    wait_for 10 more_events "$1" || { echo "no event"; return 1; }
    last_event | grep -q "kind=$2 source=127.0.0.1 .* port=$PORT bytes=[1-9]" || {
        echo "expected kind $2, got: $(last_event)"
        return 1
    }
}

is_fault() {
    grep -q '<SOAP-ENV:Fault>' "$T/answer" || { echo "no Fault: $(head -c 300 "$T/answer")"; return 1; }
}

# Workers in the order in which they get work.
workers() {
    pgrep -P "$GATEWAY" -x fmp-gw-worker | sort -n
}

more_events() {
    [ "$(events)" -gt "$1" ]
}

# has_job PID: a request has reached this stopped worker.
has_job() {
    ss -xp | grep "pid=$1,fd=3)" | awk '$3 > 0 { found = 1 } END { exit !found }'
}

# worker_replaced PID: of a gateway with one.
worker_replaced() {
    local now
    now=$(workers) && [ "$now" ] && [ "$now" != "$1" ]
}

# copies_of_key KEY PID...: in how many places of their memory parts of the key's numbers stand.
copies_of_key() {
    openssl rsa -in "$1" -noout -text 2>/dev/null >"$T/key.text"
    shift
    python3 - "$T/key.text" "$@" <<'PY'
import re, sys
with open(sys.argv[1]) as file:
    text = file.read()
parts = []
for number in ("privateExponent", "prime1", "prime2", "exponent1", "exponent2", "coefficient"):
    digits = re.search(number + r":\n((?: +[0-9a-f:]+\n)+)", text).group(1)
    value = bytes.fromhex(re.sub(r"[^0-9a-f]", "", digits))
    # As in the file, and as words of a number.
    parts += [value[40:72], value[40:72][::-1]]
found = 0
for pid in sys.argv[2:]:
    with open(f"/proc/{pid}/maps") as maps, open(f"/proc/{pid}/mem", "rb", 0) as memory:
        for line in maps:
            start, end, rights = re.match(r"([0-9a-f]+)-([0-9a-f]+) (\S+)", line).groups()
            if rights[0] != "r" or "[v" in line:
                continue
            memory.seek(int(start, 16))
            page = memory.read(int(end, 16) - int(start, 16))
            found += sum(page.count(part) for part in parts)
print(found)
PY
}

# twice COMMAND...: a measurement that fails is taken once more. A hiccup of the machine is in one of two, a gateway that
# starves others in both.
twice() {
    "$@" && return
    echo 'above, once more' | tee -a "$T/figures"
    "$@"
}
