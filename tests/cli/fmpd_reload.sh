# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# shellcheck disable=SC2119,SC2153,SC2154
#
# Another policy while messages come: none is lost, and a bad one never replaces a good one.

. tests/cli/lib.sh
. tests/cli/lib_plane.sh

# write_policy MAXIMUM [SCHEMA]: whose schema takes numbers up to MAXIMUM.
write_policy() {
    printf '%s\n' '<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema" targetNamespace="urn:t" elementFormDefault="qualified">' \
        '<xs:element name="one"><xs:simpleType><xs:restriction base="xs:int">' \
        "<xs:maxInclusive value='$1'/></xs:restriction></xs:simpleType></xs:element></xs:schema>" >"$T/one.xsd"
    cat >"$T/policy.xml" <<EOF
<policy xmlns="urn:fmp:policy:1" name="reload">
  <gateway security="BcV" workers="2" user="nobody">
    <connections max="512" per-source="512"/>
    <services><service name="s" path="/s" schema="${2:-one.xsd}"/></services>
  </gateway>
</policy>
EOF
}

message() {
    printf '<s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/"><s:Body><one xmlns="urn:t">%s</one></s:Body></s:Envelope>' \
        "$1" >"$T/message"
}
status_of() { # NUMBER
    message "$1"
    URL=${URL%/*}/s post "$T/message"
}

# The load: clients that keep their connections and clients that don't; each request must be
# answered with 200. Ends when the file stop is there; prints requests and failures.
cat >"$T/load.py" <<'EOF'
import http.client, os, sys, threading
host, stop, message = sys.argv[1], sys.argv[2], open(sys.argv[3], "rb").read()
lock, sent, lost = threading.Lock(), 0, []

def client(keep):
    global sent
    conn = None
    while not os.path.exists(stop):
        try:
            conn = conn or http.client.HTTPConnection(host, timeout=20)
            conn.request("POST", "/s", message, {"Content-Type": "text/xml"})
            answer = conn.getresponse()
            answer.read()
            ok = answer.status == 200
            why = answer.status
            if not keep or answer.getheader("Connection") == "close":
                conn.close()
                conn = None
        except Exception as e:
            ok, why, conn = False, repr(e), None
        with lock:
            sent += 1
            if not ok:
                lost.append(why)

threads = [threading.Thread(target=client, args=(i % 2 == 0,)) for i in range(8)]
for t in threads:
    t.start()
for t in threads:
    t.join()
print(sent, len(lost), lost[:3])
EOF

none_lost() {
    local i sent lost load pid host=${URL#http://}
    host=${host%%/*}
    message 5
    rm -f "$T/stop"
    python3 "$T/load.py" "$host" "$T/stop" "$T/message" >"$T/load.out" 2>&1 &
    load=$!
    pids+=("$load")
    for i in $(seq 12); do
        pid=$(gateway_pid)
        write_policy $((10 + i))
        ctl policy reload >"$T/reload.out" 2>&1 || { cat "$T/reload.out"; touch "$T/stop"; return 1; }
        wait_for 20 other_gateway "$pid" || { touch "$T/stop"; return 1; }
    done
    touch "$T/stop"
    wait "$load"
    cat "$T/load.out"
    read -r sent lost _ <"$T/load.out"
    [ "$sent" -ge 100 ] && [ "$lost" = 0 ] || return 1
    echo "# 12 reloads, $sent requests, $lost lost" >&3
}

# The last one that was put in force counts for every new connection.
new_schema_counts() {
    [ "$(status_of 22)" = 200 ] && [ "$(status_of 23)" = 500 ]
}

# Of each step: who came to it, whom it refused, and what that cost; of all gateways together.
step() { field "select(.record == \"step\" and .step == \"$1\") | \"\\(.events) \\(.rejected) \\(.cpu_ns > 0)\"" status; }
steps_are() { [ "$(step schema)" = "$1" ] && [ "$(step screen)" = "$2" ] && [ "$(step "done")" = "$3" ]; }
steps_are_counted() {
    local schema screen passed
    sleep 3 # what came before is told by then
    schema=$(step schema) screen=$(step screen) passed=$(step "done")
    [ "$(status_of 99)" = 500 ] && [ "$(status_of 1)" = 200 ] || return 1
    printf '<a>' >"$T/message"
    [ "$(URL=${URL%/*}/s post "$T/message")" = 500 ] || return 1
    wait_for 10 steps_are "$((${schema%% *} + 2)) $(($(cut -d' ' -f2 <<<"$schema") + 1)) true" \
        "$((${screen%% *} + 3)) 1 true" "$((${passed%% *} + 1)) 0 true" || {
        echo "$schema, $screen, $passed: now $(step schema), $(step screen), $(step "done")"
        return 1
    }
    ctl status | grep -q '^schema  '
}

one_gateway() { [ "$(pgrep -c -P "$FMPD" fmp-gateway)" = 1 ]; }

refused() { # PATTERN: the reload is, and tells it; the old gateway goes on
    local pid rc=0
    pid=$(gateway_pid)
    ctl policy reload >"$T/out" 2>&1 || rc=$?
    cat "$T/out"
    [ "$rc" = 1 ] && grep -q "$1" "$T/out" || return 1
    [ "$(gateway_pid)" = "$pid" ] && [ "$(status_of 22)" = 200 ] && [ "$(status_of 23)" = 500 ]
}
bad_policy() {
    cp "$T/policy.xml" "$T/good.xml"
    sed -i 's,<service ,<serivce ,' "$T/policy.xml"
    refused "policy.xml:4:15: .*did you mean 'service'"
}
bad_schema() {
    printf '<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema">\n<xs:element name="x" type="y"/></xs:schema>\n' >"$T/bad.xsd"
    sed 's,one.xsd,bad.xsd,' "$T/good.xml" >"$T/policy.xml"
    refused "$T/bad.xsd:2: "
}
no_schema() {
    sed 's,one.xsd,none.xsd,' "$T/good.xml" >"$T/policy.xml"
    refused "$T/none.xsd"
}
by_signal() {
    kill -HUP "$FMPD"
    wait_for 10 grep -q 'the policy stays as it was.*none.xsd' "$T/fmpd.err" && [ "$(status_of 22)" = 200 ] || return 1
    local pid
    pid=$(gateway_pid)
    write_policy 30
    kill -HUP "$FMPD"
    wait_for 20 other_gateway "$pid" && [ "$(status_of 30)" = 200 ]
}

# A gateway that starts anew follows the policy that is in force, whatever has become of its file.
dies_and_serves() {
    gateway_dies && [ "$(status_of 30)" = 200 ] && [ "$(status_of 31)" = 500 ]
}
edited_is_not_in_force() {
    cp "$T/policy.xml" "$T/good.xml"
    sed -i 's/security="BcV"/security="Os"/' "$T/policy.xml"
    dies_and_serves
}
broken_keeps_nobody_down() {
    echo '<policy' >"$T/policy.xml"
    dies_and_serves || return 1
    rm "$T/policy.xml"
    dies_and_serves
}

# What a policy names is read anew: without it no gateway starts, and then the policy is read again.
mended_starts_at_once() {
    local since
    mv "$T/good.xml" "$T/policy.xml"
    mv "$T/one.xsd" "$T/away.xsd"
    kill -9 "$(gateway_pid)"
    wait_for 60 grep -q 'the next gateway starts in 8000 ms' "$T/fmpd.err" || { cat "$T/fmpd.err"; return 1; }
    mv "$T/away.xsd" "$T/one.xsd"
    since=$SECONDS
    ctl policy reload && wait_for 20 gateway_up || return 1
    [ $((SECONDS - since)) -lt 6 ] || { echo "after $((SECONDS - since)) s"; return 1; }
    dies_and_serves
}

exec 3>&1
start orders python3 tests/cli/remote.py "$T/said" "$T/orders.log"
listening orders
BACKEND=http://127.0.0.1:$PORT/
printf '200 text/xml\n<ok/>' >"$T/said"
write_policy 10
plane_up
check none-lost none_lost
check new-schema-counts new_schema_counts
check old-ones-are-gone wait_for 40 one_gateway
check steps-are-counted steps_are_counted
check bad-policy-changes-nothing bad_policy
check bad-schema-changes-nothing bad_schema
check no-schema-changes-nothing no_schema
check by-signal by_signal
check edited-is-not-in-force edited_is_not_in_force
check broken-keeps-nobody-down broken_keeps_nobody_down
check mended-starts-at-once mended_starts_at_once
check ends-well plane_ends
