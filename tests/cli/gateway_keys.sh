# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash disable=SC2046
#
# Private keys of WS-Security: no process that reads messages has them.

. tests/cli/lib.sh
. tests/cli/lib_gateway.sh

DECRYPT=$VECTORS/pki/server.key
SECRET=$VECTORS/good/wss4j-enc-gcm128-1k.xml

agent() { pgrep -P "$GATEWAY" -x fmp-gw-keys; }
agent_of_worker() { pgrep -P "$(agent)" -x fmp-gw-keys; }

# The one key opens the message, the other signs the answer.
both_used() {
    local status
    status=$(post "$SECRET")
    [ "$status" = 200 ] && grep -q '<ds:SignatureValue>' "$T/answer" && return 0
    echo "status $status: $(head -c 300 "$T/answer")"
    cat "$T/gateway.err"
    return 1
}

kept() {
    local key
    set -- "$GATEWAY" "$(pgrep -P "$GATEWAY" -x fmp-gw-fork)" "$(workers)"
    for key in "$DECRYPT" "$T/answers.key"; do
        [ "$(copies_of_key "$key" "$(agent)")" -ge 6 ] || { echo "not even the agent has $key"; return 1; }
        [ "$(copies_of_key "$key" "$@")" = 0 ] || { echo "$(copies_of_key "$key" "$@") copies of $key"; return 1; }
    done
}

# Its agent goes with a worker, and the next one has another.
worker_replaced_with_its_agent() {
    local worker other
    worker=$(workers)
    other=$(agent_of_worker)
    kill -KILL "$worker"
    wait_for 20 worker_replaced "$worker" && wait_for 20 gone "$other" && both_used || return 1
    [ "$(agent_of_worker | wc -l)" = 1 ] && [ "$(agent_of_worker)" != "$other" ]
}

# A worker without its agent is none: the next message finds another, and who sent this one has done nothing.
agent_replaced() {
    local before status
    before=$(events)
    kill -KILL "$(agent_of_worker)"
    status=$(post "$SECRET")
    [ "$status" = 503 ] || { echo "status $status"; return 1; }
    both_used && wait_for 5 more_events "$before" && last_event | grep -q 'kind=good' && [ "$(events)" = $((before + 1)) ] ||
        { tail -n 5 "$T/gateway.err"; return 1; }
}

# In what is sent to it by a worker that is somebody else's by now, nothing makes it do another thing.
no_rights() {
    local pid
    for pid in $(agent) $(agent_of_worker); do
        grep -Eq '^Uid:\s+[1-9]' "/proc/$pid/status" && grep -Eq '^NoNewPrivs:\s+1' "/proc/$pid/status" &&
            grep -Eq '^CapEff:\s+0+$' "/proc/$pid/status" && grep -Eq '^Seccomp:\s+2' "/proc/$pid/status" ||
            { cat "/proc/$pid/status"; return 1; }
    done
}

# The key agents of workers end with the first one, which ends when it needs another.
first_agent_dies() {
    kill -KILL "$(agent)"
    kill -KILL "$(workers)"
    gateway_gives_up
}

listener_dies() {
    local pid all
    all="$(pgrep -P "$GATEWAY") $(agent_of_worker)"
    kill -KILL "$GATEWAY"
    wait "$GATEWAY" 2>/dev/null
    for pid in $all; do
        wait_for 5 gone "$pid" || { echo "process $pid stays"; return 1; }
    done
}

no_agent() { ! agent; }

# refuses_to_start FILE PATTERN: as if there were no agent, with the file's name.
refuses_to_start() {
    policy 'workers="1"'
    sed -i "s|key=\"[^\"]*\"|key=\"$1\"|" "$T/policy.xml"
    ! "$BIN/fmp-gateway" --policy "$T/policy.xml" --listen 127.0.0.1:0 --backend "$BACKEND" --security BcE 2>"$T/refusal" ||
        return 1
    grep -q "$1.*$2" "$T/refusal" || { cat "$T/refusal"; return 1; }
}

openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=answers -addext keyUsage=digitalSignature \
    -keyout "$T/answers.key" -out "$T/answers.crt" 2>/dev/null
openssl ecparam -name prime256v1 -genkey -noout -out "$T/ec.key" 2>/dev/null
chmod 644 "$T"/*.key

service
policy 'workers="1"' '' '' '' "<answers sign=\"rsa-sha256\" certificate=\"$T/answers.crt\" key=\"$T/answers.key\"/>"
gateway --security BcE
check both-used both_used
if [ "$(id -u)" = 0 ]; then
    check kept kept
    check no-rights no_rights
else
    skip kept "needs root: memory of other processes is read"
    skip no-rights "needs root: it has them to begin with"
fi
check worker-replaced-with-its-agent worker_replaced_with_its_agent
if [ "$(id -u)" = 0 ]; then
    check still-kept kept
fi
check agent-replaced agent_replaced
check first-agent-dies first_agent_dies
gateway --security BcE
check listener-dies listener_dies

# Without root the uid is that of others, too. The kernel gives what is hidden from them to root.
hidden_from_its_uid() {
    local pid as=()
    [ "$(id -u)" != 0 ] || as=(setpriv --reuid=65534 --regid=65534 --clear-groups)
    cp "$DECRYPT" "$T/own.key"
    chmod 644 "$T/own.key"
    start gateway "${as[@]}" "$BIN/fmp-gateway" --policy "$T/policy.xml" --listen 127.0.0.1:0 \
        --backend "$BACKEND" --key "$T/own.key"
    GATEWAY=$!
    listening gateway
    wait_for 20 grep -q ready "$T/gateway.err"
    for pid in $GATEWAY $(pgrep -P "$GATEWAY") $(agent_of_worker); do
        [ "$(stat -c %u "/proc/$pid/maps")" = 0 ] && grep -Eq '^Uid:\s+[1-9]' "/proc/$pid/status" ||
            { stat "/proc/$pid/maps"; grep -E '^(Name|Uid)' "/proc/$pid/status"; return 1; }
    done
    gateway_ends
}
policy 'workers="1" security="BcE"'
check hidden-from-its-uid hidden_from_its_uid

policy 'workers="1"'
gateway --security BcV
check none-where-there-are-no-keys no_agent
check ends-well gateway_ends

check no-such-file refuses_to_start "$T/nowhere.key" 'No such file'
check no-key-in-it refuses_to_start "$T/answers.crt" 'no PEM private key'
# Keys of EC and X25519 decrypt too (key agreement); Ed25519 only signs.
openssl genpkey -algorithm ed25519 -out "$T/ed25519.key" 2>/dev/null
check key-of-another-kind refuses_to_start "$T/ed25519.key" 'neither of RSA nor of EC'
