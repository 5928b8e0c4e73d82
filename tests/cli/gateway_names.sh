# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# shellcheck disable=SC2153,SC2154
#
# A backend whose name does not resolve, as at boot without DNS: the others serve, and it does as soon
# as its name resolves.

. tests/cli/lib.sh
. tests/cli/lib_gateway.sh

MESSAGE='<s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/"><s:Body><a xmlns="urn:t"/></s:Body></s:Envelope>'
printf '%s' "$MESSAGE" >"$T/message"

# to PATH: the status; the answer is in $T/answer, its fields in $T/fields.
to() {
    : >"$T/answer"
    curl -s -m 20 -o "$T/answer" -D "$T/fields" -w '%{http_code}' -H 'Content-Type: text/xml' -H 'SOAPAction: ""' \
        -H 'Expect:' --data-binary "@$T/message" "http://127.0.0.1:$PORT$1"
}
serves() {
    local status
    status=$(to "$1")
    [ "$status" = 200 ] && grep -q '>here<' "$T/answer" || { echo "status $status"; cat "$T/answer"; tail -n 2 "$T/gateway.err"; return 1; }
}
away() { # PATH: as when nobody is there, and nobody is charged
    local n
    n=$(events)
    [ "$(to "$1")" = 503 ] && is_fault && grep -qi '^retry-after: [0-9]' "$T/fields" || { cat "$T/fields"; return 1; }
    tail -n 1 "$T/access.log" | grep -q ' 503 .* kind=good .*backend="its name is not resolved"$' || {
        tail -n 1 "$T/access.log"
        return 1
    }
    ! grep '^event ' "$T/gateway.err" | tail -n "+$((n + 1))" | grep -v 'kind=good '
}

said() { # TEXT
    grep -qF "$1" "$T/${2:-gateway}.err" || { cat "$T/${2:-gateway}.err"; return 1; }
}
place() { # NAME: of its backend in the policy, as LINE:COLUMN
    awk -v name="name=\"$1\"" 'index($0, name) { print NR ":" index($0, "backend=") }' "$T/policy.xml"
}

dns_helpers() { pgrep -P "$GATEWAY" -x fmp-gw-dns; }
so_many_dns_helpers() { [ "$(dns_helpers | wc -l)" = "$1" ]; }

# It reads what foreign servers say: without a right, a filter before it.
without_rights() {
    local pid
    for pid in $(dns_helpers); do
        grep -E '^(Cap(Prm|Eff|Inh|Bnd)|NoNewPrivs|Seccomp|Uid):' "/proc/$pid/status" >"$T/status"
        ! grep -E '^Cap...:' "$T/status" | grep -v '	0000000000000000$' && grep -q '^NoNewPrivs:	1' "$T/status" || { cat "$T/status"; return 1; }
        [ "$(id -u)" != 0 ] || ! grep -q '^Uid:	0	' "$T/status" || { cat "$T/status"; return 1; }
        # As the service: standard error, and a socket; no connection of anybody.
        [ "$(find "/proc/$pid/fd" -lname 'socket:*' | wc -l)" = 1 ] || { ls -l "/proc/$pid/fd"; return 1; }
    done
}

# Of two names each has its own; one that is killed is missed by its service alone.
killed() {
    local pid
    pid=$(dns_helpers | head -n 1)
    kill -9 "$pid"
    wait_for 10 said 'is not resolved any more' && wait_for 10 so_many_dns_helpers 1 && serves /here && away /there
}

checked() {
    "$BIN/fmp-gateway" --check --policy "$T/policy.xml" 2>"$T/check.err" || { cat "$T/check.err"; return 1; }
    said "$T/policy.xml:$(place there): service \"there\": backend backend.invalid does not resolve: " check
}
checked_by_fmpctl() {
    "$BIN/fmpctl" policy check "$T/policy.xml" 2>"$T/check.err" >&2 || { cat "$T/check.err"; return 1; }
    said 'backend backend.invalid does not resolve: ' check && said 'backend remote.invalid does not resolve: ' check
}

write_policy() {
    cat >"$T/policy.xml" <<EOF
<policy xmlns="urn:fmp:policy:1" name="names">
  <gateway security="Bc" user="nobody" workers="1" access-log="$T/access.log">
    <services>
      <service name="there" path="/there" backend="http://backend.invalid:$AT/"/>
      <service name="here" path="/here" backend="http://127.0.0.1:$AT/"/>
      <client name="far" path="/far" backend="http://remote.invalid:$AT/"/>
    </services>
  </gateway>
</policy>
EOF
}

# up COMMAND...: a gateway, by whatever command runs it.
up() {
    start gateway "$@" "$BIN/fmp-gateway" --policy "$T/policy.xml" --listen 127.0.0.1:0 --names-file "$T/names" --verbose
    GATEWAY=$!
    listening gateway
    wait_for 20 grep -q 'ready' "$T/gateway.err"
}

printf '200 text/xml\n<s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/"><s:Body><b xmlns="urn:t">here</b></s:Body></s:Envelope>' >"$T/said"
start remote python3 tests/cli/remote.py "$T/said" "$T/remote.log"
listening remote
AT=$PORT
write_policy
up
check the-others-serve serves /here
check a-service-is-away away /there
check a-remote-one-is-away away /far
check says-where said "$T/policy.xml:$(place there): service \"there\": backend backend.invalid does not resolve: "
check says-of-the-remote-one said "$T/policy.xml:$(place far): service \"far\": backend remote.invalid does not resolve: "
check one-process-a-name so_many_dns_helpers 2
check it-has-no-rights without_rights
check one-is-killed killed
check gateway-ends gateway_ends
check check-says-so checked
check fmpctl-says-so checked_by_fmpctl

# In a namespace of mounts names are what we say.
if [ "$(id -u)" != 0 ] || ! unshare -m true 2>/dev/null; then
    skip resolved-later 'needs a namespace of mounts'
    exit
fi
echo '127.0.0.1 localhost' >"$T/hosts"
printf 'passwd: files\ngroup: files\nhosts: files\n' >"$T/nsswitch.conf"
chmod 644 "$T/hosts" "$T/nsswitch.conf"
# Its process is the gateway in the end: nothing stands between.
inside_up() {
    # shellcheck disable=SC2016
    up unshare -m sh -c 'mount --bind "$0/hosts" /etc/hosts && { [ ! -e /etc/nsswitch.conf ] ||
        mount --bind "$0/nsswitch.conf" /etc/nsswitch.conf; } && exec "$@"' "$T"
}
known() { echo "127.0.0.1 $1" >>"$T/hosts"; }
unknown() { echo '127.0.0.1 localhost' >"$T/hosts"; }
kept() { grep -qx "$1 127.0.0.1" "$T/names" || { cat "$T/names"; return 1; }; }

inside_up
check away-inside away /there
known backend.invalid
check resolved-later wait_for 60 serves /there
check the-other-one-is-not away /far
check says-where-it-is said 'service "there": backend backend.invalid is at 127.0.0.1'
check its-process-is-gone so_many_dns_helpers 1
check its-address-is-kept kept backend.invalid
check gateway-ends-inside gateway_ends

# The next one, for which it does not resolve.
unknown
inside_up
check served-from-what-was-kept serves /there
check says-that-it-keeps grep -q 'backend backend.invalid does not resolve: .*; it keeps the addresses that it had$' "$T/gateway.err"
check still-kept kept backend.invalid
check gateway-that-keeps-ends gateway_ends
chmod 666 "$T/names"
inside_up
check what-others-write-is-not-read away /there
check gateway-that-reads-not-ends gateway_ends
check ours-alone-again test "$(stat -c %a "$T/names")" = 600

# Both resolve at once: nobody is needed for it.
known backend.invalid
known remote.invalid
inside_up
check both-serve serves /there
check both-serve-far serves /far
check nobody-resolves so_many_dns_helpers 0
check gateway-ends-at-last gateway_ends
