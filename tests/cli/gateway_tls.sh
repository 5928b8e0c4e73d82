# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# shellcheck disable=SC2119,SC2120,SC2154
#
# The gateway with TLS: versions, keys, certificates of clients, and handshakes that fail.

. tests/cli/lib.sh
. tests/cli/lib_gateway.sh

# certificate NAME ISSUER KEY...: $T/NAME.crt and .key, signed by ISSUER (itself: a CA).
certificate() {
    local name=$1 issuer=$2
    shift 2
    openssl genpkey "$@" -out "$T/$name.key" 2>/dev/null
    openssl req -new -key "$T/$name.key" -subj "/CN=$name" -out "$T/$name.csr"
    if [ "$issuer" = "$name" ]; then
        openssl x509 -req -in "$T/$name.csr" -days 2 -signkey "$T/$name.key" -out "$T/$name.crt" \
            -extfile <(echo basicConstraints=critical,CA:TRUE)
    else
        openssl x509 -req -in "$T/$name.csr" -days 2 -CA "$T/$issuer.crt" -CAkey "$T/$issuer.key" \
            -CAcreateserial -out "$T/$name.crt" -extfile <(echo subjectAltName=IP:127.0.0.1)
    fi 2>/dev/null
}

RSA="-algorithm RSA -pkeyopt rsa_keygen_bits:2048"
EC="-algorithm EC -pkeyopt ec_paramgen_curve:P-256"

# tls_gateway NAME [MORE]: with that certificate, and more attributes of <tls>.
tls_gateway() {
    policy 'workers="1"' 'body="4MiB"' 'header="2s" body="5s" idle="3s"' '' \
        "<tls certificate='$T/$1.crt' key='$T/$1.key' ${2:-}/>"
    gateway --security Bc
}

# https FILE OPTION...: prints the status, 000 if there is none.
https() {
    local file=$1
    shift
    curl -s -m 20 -o "$T/answer" -w '%{http_code}' --cacert "$T/ca.crt" -H 'Content-Type: text/xml' \
        --data-binary "@$file" "$@" "https://127.0.0.1:$PORT/orders"
}

served() { # OPTION...
    local status
    status=$(https "$VECTORS/plain/plain-1k.xml" "$@")
    [ "$status" = 200 ] || { echo "status $status"; tail -n 3 "$T/gateway.err"; return 1; }
}

# A message far larger than what is read at once.
large() {
    local before status
    before=$(events)
    {
        echo '<Envelope xmlns="http://schemas.xmlsoap.org/soap/envelope/"><Body><a>'
        head -c 800000 /dev/zero | tr '\0' x
        echo '</a></Body></Envelope>'
    } >"$T/large"
    status=$(https "$T/large")
    [ "$status" != 000 ] || { echo "no answer"; return 1; }
    wait_for 5 more_events "$before" && last_event | grep -q 'kind=good .* bytes=800' || last_event
}

twice() {
    local url="https://127.0.0.1:$PORT/orders"
    curl -s -m 20 --cacert "$T/ca.crt" -H 'Content-Type: text/xml' -o /dev/null -o /dev/null \
        --data-binary "@$VECTORS/plain/plain-1k.xml" -w '%{http_code} %{num_connects}\n' "$url" "$url" >"$T/twice"
    [ "$(xargs <"$T/twice")" = '200 1 200 0' ] || { cat "$T/twice"; return 1; }
}

# refused PATTERN COMMAND...: it fails, and is charged as a connection that matches.
refused() {
    local pattern=$1 before
    shift
    before=$(events)
    if "$@" >"$T/client" 2>&1; then
        echo "not refused"
        return 1
    fi
    wait_for 5 more_events "$before" || { echo "no event"; cat "$T/client"; return 1; }
    last_event | grep -q "kind=${KIND:-connection} .*$pattern" || { last_event; return 1; }
}

# What a link in a page can bring about, and a client that was set up wrongly.
slip() { KIND=browser refused "$@"; }

stranger() { # OPTION...: does not know our CA
    curl -s -m 10 -o /dev/null "$@" "https://127.0.0.1:$PORT/"
}

# Each of these costs a handshake: from some number on it is no slip any more. A token comes back each second, and a
# busy machine takes many for so many handshakes.
too_many_slips() {
    local before count
    before=$(events)
    count=$(python3 - "$PORT" <<'EOF'
import socket, ssl, sys, time
context = ssl.create_default_context()
count, start = 0, time.monotonic()
while count < 210 + 2 * (time.monotonic() - start):
    count += 1
    try:
        context.wrap_socket(socket.create_connection(("127.0.0.1", int(sys.argv[1])), 10), server_hostname="gw")
    except ssl.SSLCertVerificationError:
        pass
print(count)
EOF
    )
    wait_for 10 more_events $((before + count - 1)) || { echo "$(events) of $before"; return 1; }
    grep '^event ' "$T/gateway.err" | tail -n +$((before + 1)) >"$T/slips"
    [ "$(head -n 150 "$T/slips" | grep -c kind=browser)" = 150 ] && tail -n 10 "$T/slips" | grep -q kind=connection ||
        { cut -d' ' -f2 "$T/slips" | sort | uniq -c; return 1; }
}

# A request that nobody is charged for pays for no end of full handshakes; behind a resumed one it stays free.
too_many_gets() {
    local before count
    before=$(events)
    count=$(python3 - "$PORT" "$T/ca.crt" <<'EOF'
import socket, ssl, sys, time
context = ssl.create_default_context(cafile=sys.argv[2])
context.maximum_version = ssl.TLSVersion.TLSv1_2
def get(session=None):
    s = context.wrap_socket(socket.create_connection(("127.0.0.1", int(sys.argv[1])), 10),
                            server_hostname="127.0.0.1", session=session)
    s.sendall(b"GET / HTTP/1.1\r\nHost: gw\r\n\r\n")
    while s.recv(4096):
        pass
    reused, session = s.session_reused, s.session
    s.unwrap()
    return reused, session
count, start = 0, time.monotonic()
while count < 210 + 2 * (time.monotonic() - start):
    count += 1
    _, session = get()
reused, _ = get(session)
assert reused
print(count)
EOF
    )
    wait_for 10 more_events $((before + count)) || { echo "$(events) of $before"; return 1; }
    grep '^event ' "$T/gateway.err" | tail -n +$((before + 1)) >"$T/gets"
    [ "$(head -n 150 "$T/gets" | grep -c kind=browser)" = 150 ] && head -n "$count" "$T/gets" | tail -n 10 | grep -q kind=connection &&
        tail -n 1 "$T/gets" | grep -q kind=browser || { cut -d' ' -f2 "$T/gets" | sort | uniq -c; return 1; }
}

# s_client OPTION...: what openssl says of a session that it ends at once.
s_client() {
    openssl s_client -connect "127.0.0.1:$PORT" -CAfile "$T/ca.crt" "$@" </dev/null 2>&1
}

old_version() {
    s_client -tls1_1 -cipher 'DEFAULT@SECLEVEL=0'
}

plain_http() {
    local fd line=
    printf 'POST / HTTP/1.1\r\nHost: gw\r\n\r\n' >"$T/plain"
    exec {fd}<>"/dev/tcp/127.0.0.1/$PORT"
    cat "$T/plain" >&"$fd"
    read -r -t 5 line <&"$fd"
    exec {fd}>&-
    [[ $line == HTTP* ]]
}

# Half a ClientHello, while others are served.
slow_handshake() {
    local fd before rest
    before=$(events)
    exec {fd}<>"/dev/tcp/127.0.0.1/$PORT"
    printf '\026\003\001\002\000\001\000\001\374\003\003' >&"$fd"
    served || return 1
    rest=$(timeout 10 cat <&"$fd" | wc -c)
    exec {fd}>&-
    [ "$rest" = 0 ] || { echo "$rest bytes came"; return 1; }
    wait_for 5 more_events $((before + 1))
    last_event | grep -q 'kind=connection .*handshake was not done in time' || { last_event; return 1; }
}

# The first byte may take its time: what comes and goes without a word costs nothing.
silent_visit() {
    local fd before
    before=$(events)
    exec {fd}<>"/dev/tcp/127.0.0.1/$PORT"
    exec {fd}>&-
    served && [ "$(events)" = $((before + 1)) ] || { grep '^event ' "$T/gateway.err" | tail -n 2; return 1; }
}

# The private key's work is not to be had for nothing.
handshake_alone() {
    local before
    before=$(events)
    s_client "$@" >"$T/client"
    wait_for 5 more_events "$before" || { echo "no event"; cat "$T/client"; return 1; }
    last_event | grep -q 'kind=connection .*a TLS handshake without a request' || { last_event; return 1; }
    charged_for_cpu
}

# Who has his answer may go; what another one costs is told behind it.
served_and_closed() {
    local before
    before=$(events)
    served && served && wait_for 5 more_events $((before + 1)) || return 1
    [ "$(events)" = $((before + 2)) ] || { grep '^event ' "$T/gateway.err" | tail -n 3; return 1; }
}

renegotiates() {
    { sleep 0.5; echo R; sleep 1; } |
        openssl s_client -connect "127.0.0.1:$PORT" -CAfile "$T/ca.crt" -tls1_2 >"$T/reneg" 2>&1
    grep -q 'RENEGOTIATING' "$T/reneg" || { echo "not tried"; return 0; }
    ! grep -q 'no renegotiation' "$T/reneg"
}

not_renegotiated() {
    ! renegotiates || { tail -n 5 "$T/reneg"; return 1; }
}

resumed() {
    local version
    for version in "$@"; do
        { printf 'POST / HTTP/1.1\r\nHost: gw\r\nConnection: close\r\nContent-Length: 0\r\n\r\n'; sleep 0.5; } |
            openssl s_client -connect "127.0.0.1:$PORT" -CAfile "$T/ca.crt" "$version" -sess_out "$T/session" \
                >/dev/null 2>&1
        s_client "$version" -sess_in "$T/session" | grep -q '^Reused, ' || { echo "$version: new"; return 1; }
    done
}

# A handshake that fails late has cost a private key's work: that is charged.
charged_for_cpu() {
    local cpu
    cpu=$(last_event | sed 's/.* cpu_us=\([0-9]*\) .*/\1/')
    [ "$cpu" -gt 100 ] || { echo "only $cpu us"; last_event; return 1; }
}

# refuses_to_start NAME PATTERN: the file's name and what is wrong with it are told.
refuses_to_start() {
    policy '' '' '' '' "<tls certificate='$T/$1.crt' key='$T/$2.key'/>"
    ! "$BIN/fmp-gateway" --policy "$T/policy.xml" --listen 127.0.0.1:0 --backend "$BACKEND" 2>"$T/refusal" ||
        return 1
    grep -q "$T/$2.key.*$3" "$T/refusal" || { cat "$T/refusal"; return 1; }
}

# lists FILE UPDATE NEXT [REVOKED]: what the CA has revoked, for the time between these two.
lists() {
    lists_by ca ca "$@"
}

# lists_by CERTIFICATE KEY FILE UPDATE NEXT [REVOKED]
lists_by() {
    local by
    by="-keyfile $T/$2.key -cert $T/$1.crt"
    shift 2
    printf '[ca]\ndefault_ca = d\n[d]\ndatabase = %s\ndefault_md = sha256\n' "$T/index" >"$T/ca.conf"
    : >"$T/index"
    set -- "$1" "$2" "$3" ${4:+"$T/$4.crt"}
    # shellcheck disable=SC2086
    [ -z "${4:-}" ] || openssl ca -config "$T/ca.conf" $by -revoke "$4" 2>/dev/null
    # shellcheck disable=SC2086
    openssl ca -config "$T/ca.conf" $by -gencrl -out "$T/$1" \
        -crl_lastupdate "$2" -crl_nextupdate "$3" 2>/dev/null
}

as() { # CLIENT
    served --cert "$T/$1.crt" --key "$T/$1.key"
}

stranger_charges_nobody() {
    local before
    before=$(events)
    ! as client || { echo "not refused"; return 1; }
    [ "$(events)" = "$before" ] || { tail -n 4 "$T/gateway.err"; return 1; }
}

# Whoever has a good certificate is not charged for a list that is out of date; it is said, and counted as one.
out_of_date() {
    local before
    before=$(events)
    ! as client && ! as client || { echo "not refused"; return 1; }
    refused 'certificate verify failed: certificate signature failure' as forged || return 1
    [ "$(events)" = $((before + 1)) ] && [ "$(grep -c 'verify failed: CRL has expired; ' "$T/gateway.err")" = 1 ] ||
        { tail -n 4 "$T/gateway.err"; return 1; }
}

# The key is the listener's: neither what forks workers nor a worker has it, also a later one.
key_is_the_listeners() {
    local first
    [ "$(copies_of_key "$T/rsa.key" "$GATEWAY")" -ge 6 ] || { echo "not even the listener's"; return 1; }
    first=$(workers)
    kill -KILL "$first"
    wait_for 20 worker_replaced "$first" || { echo "no other worker"; return 1; }
    served || return 1
    # shellcheck disable=SC2046
    set -- $(pgrep -P "$GATEWAY")
    [ $# = 2 ] || { echo "processes: $*"; return 1; }
    [ "$(copies_of_key "$T/rsa.key" "$@")" = 0 ] || { echo "$(copies_of_key "$T/rsa.key" "$@") copies"; return 1; }
}

# shellcheck disable=SC2086
{
    certificate ca ca $EC
    certificate rogueca rogueca $EC
    certificate rsa ca $RSA
    certificate ec ca $EC
    certificate client ca $EC
    certificate rogue rogueca $EC
}
openssl ec -in "$T/ec.key" -aes128 -passout pass:secret -out "$T/locked.key" 2>/dev/null
chmod 644 "$T"/*.key

service
for key in rsa ec; do
    tls_gateway "$key"
    check "$key-tls-1.2" served --tls-max 1.2
    check "$key-tls-1.3" served --tlsv1.3
    [ "$key" = rsa ] || break
    if [ "$(id -u)" = 0 ]; then
        check key-is-the-listeners key_is_the_listeners
    else
        skip key-is-the-listeners "needs root: memory of other processes is read"
    fi
    gateway_ends
done
check large-message large
check two-requests-of-a-connection twice
check tls-1.1-is-refused refused 'unsupported protocol' old_version
check plain-http-is-refused slip 'http request' plain_http
check stranger-is-not-charged slip 'unknown ca' stranger
check stranger-is-not-charged-1.2 slip 'unknown ca' stranger --tls-max 1.2
check slow-handshake slow_handshake
check silent-visit-is-not-charged silent_visit
check handshake-without-a-request-is-charged-1.2 handshake_alone -tls1_2
check handshake-without-a-request-is-charged-1.3 handshake_alone -tls1_3
check kept-alive-and-closed-is-not-charged served_and_closed
check no-renegotiation not_renegotiated
check too-many-gets-are-charged too_many_gets
check sessions-are-resumed resumed -tls1_2 -tls1_3
check ends-well gateway_ends

tls_gateway ec "client-ca='$T/ca.crt'"
check client-with-a-certificate served --cert "$T/client.crt" --key "$T/client.key"
check client-without-one slip 'did not return a certificate' served
check its-handshake-is-charged charged_for_cpu
check client-of-another-ca refused 'certificate verify failed' served --cert "$T/rogue.crt" --key "$T/rogue.key"
check too-many-slips-are-charged too_many_slips
check ends-well-too gateway_ends

certificate lost ca -algorithm EC -pkeyopt ec_paramgen_curve:P-256
# The same, but for the last bit of the CA's signature.
openssl x509 -in "$T/client.crt" -outform DER | python3 -c 'import sys
der = bytearray(sys.stdin.buffer.read())
der[-1] ^= 1
sys.stdout.buffer.write(der)' | openssl x509 -inform DER -out "$T/forged.crt"
cp "$T/client.key" "$T/forged.key"
lists now.crl "$(date -u -d yesterday +%y%m%d%H%M%SZ)" "$(date -u -d tomorrow +%y%m%d%H%M%SZ)" lost
lists old.crl 200101000000Z 210101000000Z
chmod 644 "$T"/*.crl
tls_gateway ec "client-ca='$T/ca.crt' client-crl='$T/now.crl'"
check client-that-is-on-no-list as client
check revoked-client refused 'certificate verify failed: certificate revoked' as lost
check ends-well-with-lists gateway_ends
# An older list that holds still does not say what a newer one has said.
lists older.crl "$(date -u -d '-3 days' +%y%m%d%H%M%SZ)" "$(date -u -d tomorrow +%y%m%d%H%M%SZ)"
lists ended.crl "$(date -u -d '-2 days' +%y%m%d%H%M%SZ)" "$(date -u -d '-1 hour' +%y%m%d%H%M%SZ)" lost
cat "$T/older.crl" "$T/ended.crl" >"$T/both.crl"
# Of the CA's name, but by another key: nobody's.
openssl req -x509 -new -key "$T/rogue.key" -subj /CN=ca -days 2 -out "$T/false.crt"
lists_by false rogue strange.crl "$(date -u -d yesterday +%y%m%d%H%M%SZ)" "$(date -u -d tomorrow +%y%m%d%H%M%SZ)"
chmod 644 "$T"/*.crl
tls_gateway ec "client-ca='$T/ca.crt' client-crl='$T/both.crl'"
check client-on-the-newest-list-alone refused 'certificate verify failed: certificate revoked' as lost
check client-that-an-older-list-is-enough-for as client
check ends-well-with-two-lists gateway_ends
tls_gateway ec "client-ca='$T/ca.crt' client-crl='$T/strange.crl'"
check list-of-a-stranger stranger_charges_nobody
check ends-well-with-a-stranger gateway_ends
tls_gateway ec "client-ca='$T/ca.crt' client-crl='$T/old.crl'"
check list-out-of-date out_of_date
check ends-well-without gateway_ends

check key-of-another-certificate refuses_to_start rsa ec 'not that of the certificate'
check key-with-a-passphrase refuses_to_start ec locked ''
check key-that-is-not-there refuses_to_start ec nowhere 'No such file'
