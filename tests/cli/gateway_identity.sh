# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# shellcheck disable=SC2153,SC2154
#
# What was verified is told to the service, in fields that no client can write.

. tests/cli/lib.sh
. tests/cli/lib_gateway.sh

ENVELOPE='<s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/">'
WSSE=http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-wssecurity-secext-1.0.xsd

printf '200 text/xml\n%s<s:Body/></s:Envelope>' "$ENVELOPE" >"$T/said"
printf '%s<s:Body><any/></s:Body></s:Envelope>' "$ENVELOPE" >"$T/plain"
printf 'j\303\266rg:secret\n' >"$T/users"
chmod 600 "$T/users"
printf '%s<s:Header><w:Security xmlns:w="%s"><w:UsernameToken><w:Username>j\303\266rg</w:Username>' "$ENVELOPE" "$WSSE" \
    >"$T/user"
printf '<w:Password>secret</w:Password></w:UsernameToken></w:Security><o:id xmlns:o="urn:o">CB1</o:id><o:no xmlns:o="urn:p"/>' \
    >>"$T/user"
printf '</s:Header><s:Body><any/></s:Body></s:Envelope>' >>"$T/user"

# to PATH FILE [OPTION...]: what came to the service is in $T/fields.
to() {
    local path=$1 file=$2 status
    shift 2
    : >"$T/fields"
    status=$(curl -s -m 20 -o "$T/answer" -w '%{http_code}' -H 'Content-Type: text/xml' -H 'Expect:' --data-binary "@$file" \
        "$@" "$URL$path")
    [ "$status" = 200 ] || { echo "status $status"; cat "$T/answer"; last_event; return 1; }
}

has() { # LINE...: exactly these fields of the identity came
    printf '%s\n' "$@" | sort >"$T/wanted"
    grep -iE '^(x.fmp|x.who|x.user)' "$T/fields" | sort | diff "$T/wanted" - || { cat "$T/fields"; return 1; }
}
none() { ! grep -iE '^(x.fmp|x.who|x.user)' "$T/fields"; }

# Every spelling by which a service could be told a lie.
LIES=(-H 'X-Fmp-Subject: CN=root' -H 'x-fmp-user: root' -H 'X_FMP_SUBJECT: CN=root' -H 'X-Fmp_Issuer: CN=root'
    -H 'X-FMP-ASSURANCE: x509' -H 'X-Fmp-Other: x')
OWN_LIES=(-H 'X-Who: root' -H 'x_who: root' -H 'X-USER_By: x509')

nothing_by_default() { to /off "$SIGNED" "${LIES[@]}" && none; }
a_signer() {
    to /on "$SIGNED" "${LIES[@]}" && has "X-Fmp-Subject: $SUBJECT" "X-Fmp-Issuer: $ISSUER" 'X-Fmp-Assurance: x509'
}
nobody() { to /nobody "$T/plain" "${LIES[@]}" && has 'X-Fmp-Assurance: none'; }
a_user() {
    to /user "$T/user" "${LIES[@]}" "${OWN_LIES[@]}" && has 'X-Who: j%C3%B6rg' 'X-User-By: username' || return 1
    # And the header block that the policy names, but not the other.
    grep -q '>CB1</o:id></s:Header>' "$T/fields" && ! grep -q 'urn:p\|Security\|secret' "$T/fields"
}
by_tls() { # without a client's certificate the handshake fails
    to /nobody "$T/plain" "${LIES[@]}" --cacert "$T/ca.crt" --cert "$T/c.crt" --key "$T/c.key" &&
        has 'X-Fmp-Subject: CN=a\, \"%25%C3%BC,O=Us' 'X-Fmp-Issuer: CN=ca' 'X-Fmp-Assurance: tls'
}
tls_and_a_signer() {
    to /on "$SIGNED" --cacert "$T/ca.crt" --cert "$T/c.crt" --key "$T/c.key" &&
        has "X-Fmp-Subject: $SUBJECT" "X-Fmp-Issuer: $ISSUER" 'X-Fmp-Assurance: x509, tls'
}
# The client sends, and is gone before the worker looks.
who_left_early() {
    local worker
    worker=$(pgrep -P "$GATEWAY" -x fmp-gw-worker) && : >"$T/fields" && kill -STOP "$worker" || return 1
    python3 - "$PORT" "$T" <<'EOF'
import socket, ssl, struct, sys, time
folder = sys.argv[2]
tls = ssl.create_default_context(cafile=folder + "/ca.crt")
tls.load_cert_chain(folder + "/c.crt", folder + "/c.key")
body = open(folder + "/plain", "rb").read()
with tls.wrap_socket(socket.create_connection(("127.0.0.1", int(sys.argv[1]))), server_hostname="127.0.0.1") as s:
    s.sendall(b"POST /nobody HTTP/1.1\r\nHost: h\r\nContent-Type: text/xml\r\nContent-Length: %d\r\n\r\n%s" % (len(body), body))
    time.sleep(0.5)
    s.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
time.sleep(0.5)
EOF
    kill -CONT "$worker"
    wait_for 20 grep -q '^X-Fmp-Assurance' "$T/fields" &&
        has 'X-Fmp-Subject: CN=a\, \"%25%C3%BC,O=Us' 'X-Fmp-Issuer: CN=ca' 'X-Fmp-Assurance: tls'
}

SIGNED=$VECTORS/good/wss4j-rsa2048-1k.xml
SUBJECT=$(openssl x509 -in "$VECTORS/pki/rsa2048.crt" -noout -subject -nameopt RFC2253 | sed 's/^subject=//')
ISSUER=$(openssl x509 -in "$VECTORS/pki/rsa2048.crt" -noout -issuer -nameopt RFC2253 | sed 's/^issuer=//')

FIELDS=$T/fields start remote python3 tests/cli/remote.py "$T/said" "$T/log"
listening remote
AT=$PORT
write_policy() { # [ELEMENT]
    cat >"$T/policy.xml" <<EOF
<policy xmlns="urn:fmp:policy:1" name="identity">
  <gateway security="Bc" workers="1" user="nobody" schema="$PWD/$VECTORS/orders.xsd" trust="$PWD/$VECTORS/pki/ca.crt" max-age="0">
    ${1:-}
    <replay entries="0"/>
    <services>
      <service name="off" path="/off" security="BcS" backend="http://127.0.0.1:$AT/"/>
      <service name="on" path="/on" security="BcS" backend="http://127.0.0.1:$AT/"><identity forward="yes"/></service>
      <service name="nobody" path="/nobody" backend="http://127.0.0.1:$AT/"><identity forward="yes"/></service>
      <service name="user" path="/user" backend="http://127.0.0.1:$AT/">
        <username passwords="$T/users" text="yes"/>
        <identity forward="yes" user="X-Who" assurance="X-User-By"/>
        <headers><header xmlns:o="urn:o" name="o:id" required="yes"/></headers>
      </service>
    </services>
  </gateway>
</policy>
EOF
}
begin() { # SCHEME
    start gateway "$BIN/fmp-gateway" --policy "$T/policy.xml" --listen 127.0.0.1:0 --verbose
    GATEWAY=$!
    listening gateway
    wait_for 20 grep -q ready "$T/gateway.err"
    URL=$1://127.0.0.1:$PORT
}

write_policy
begin http
check nothing-by-default nothing_by_default
check a-signer a_signer
check nobody nobody
check a-user a_user
check gateway-ends-well gateway_ends

certificate() { # NAME SUBJECT [ALTNAME]
    openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256 -out "$T/$1.key" 2>/dev/null
    openssl req -new -utf8 -key "$T/$1.key" -subj "$2" -out "$T/$1.csr"
    if [ $# = 2 ]; then
        openssl x509 -req -in "$T/$1.csr" -days 2 -signkey "$T/$1.key" -out "$T/$1.crt" \
            -extfile <(echo basicConstraints=critical,CA:TRUE)
    else
        openssl x509 -req -in "$T/$1.csr" -days 2 -CA "$T/ca.crt" -CAkey "$T/ca.key" -CAcreateserial -out "$T/$1.crt" \
            -extfile <(echo "subjectAltName=$3")
    fi 2>/dev/null
}
certificate ca /CN=ca
certificate s /CN=s IP:127.0.0.1
certificate c '/O=Us/CN=a, "%ü' DNS:c
write_policy "<tls certificate='$T/s.crt' key='$T/s.key' client-ca='$T/ca.crt'/>"
begin https
check by-tls by_tls
check tls-and-a-signer tls_and_a_signer
check who-left-early who_left_early
check gateway-ends-well-again gateway_ends
