# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash disable=SC2046,SC2119,SC2153,SC2154
#
# TLS client certificates that the gateway shows to backends; their keys stay in the key agent.

. tests/cli/lib.sh
. tests/cli/lib_plane.sh
. tests/cli/lib_gateway.sh

# authority NAME [ISSUER]
authority() {
    new_key "$1" "${2:+rsa}"
    sign_certificate "$1" "${2:-}" 'basicConstraints=critical,CA:TRUE' 2
}
new_key() { # NAME [rsa|P-384]
    case ${2:-} in
    rsa) openssl genpkey -algorithm RSA -pkeyopt rsa_keygen_bits:2048 -out "$T/$1.key" 2>/dev/null ;;
    *) openssl genpkey -algorithm EC -pkeyopt "ec_paramgen_curve:${2:-P-256}" -out "$T/$1.key" 2>/dev/null ;;
    esac
}
sign_certificate() { # NAME ISSUER EXTENSIONS DAYS; no issuer: by its own key
    local by=(-CA "$T/$2.crt" -CAkey "$T/$2.key" -CAcreateserial)
    [ "$2" ] || by=(-signkey "$T/$1.key")
    openssl req -new -key "$T/$1.key" -subj "/CN=$1" -out "$T/$1.csr"
    openssl x509 -req -in "$T/$1.csr" -days "$4" "${by[@]}" -out "$T/$1.crt" -extfile <(echo "$3") 2>/dev/null
}
client() { # NAME ISSUER [rsa|P-384]
    new_key "$1" "${3:-}"
    sign_certificate "$1" "$2" extendedKeyUsage=clientAuth 2
}

# backend NAME CERTIFICATE VERSION DEMAND: sets the variable NAME to its port.
backend() {
    start "$1" python3 tests/cli/mutual_tls.py "$T/$1.log" "$T/$2.crt" "$T/$2.key" "$T/clients.crt" "$3" "$4"
    listening "$1"
    printf -v "$1" %s "$PORT"
}

printf '<s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/"><s:Body><one/></s:Body></s:Envelope>' >"$T/message"
send() { # SERVICE: prints the status
    URL=${URL%/*}/$1 post "$T/message"
}
# shown SERVICE BACKEND WORDS: the message arrives, and the backend saw this.
shown() {
    local status
    status=$(send "$1")
    [ "$status" = 200 ] && [ "$(tail -n 1 "$T/$2.log")" = "$3" ] && return 0
    echo "status $status"
    tail -n 1 "$T/$2.log"
    cat "$T/gateway.err"
    return 1
}
# outage SERVICE STATUS REASON: told in the log, and nobody is charged.
outage() {
    local status n
    n=$(events)
    status=$(send "$1")
    [ "$status" = "$2" ] && is_fault && wait_for 5 grep -q "backend of $1: $3" "$T/gateway.err" || {
        echo "status $status"
        cat "$T/gateway.err"
        return 1
    }
    ! tail -n +2 "$T/gateway.err" | grep '^event ' | tail -n +$((n + 1)) | grep -v 'kind=\(good\|outage\) ' | grep .
}

agent() { pgrep -P "$GATEWAY" -x fmp-gw-keys; }
agent_of_listener() { pgrep -P "$(agent)" -x fmp-gw-keys; }

# The listener, the fork server and the workers have the public half.
kept() {
    [ "$(copies_of_key "$T/rsa.key" "$(agent)")" -ge 6 ] || { echo "not even the agent has it"; return 1; }
    [ "$(copies_of_key "$T/rsa.key" "$GATEWAY" "$(pgrep -P "$GATEWAY" -x fmp-gw-fork)" $(workers))" = 0 ]
}

agent_replaced() {
    kill -KILL "$(agent_of_listener)"
    shown rsa13 v13 'TLSv1.3 rsa -'
}

# The listener waits for an agent that does not reply, and no longer than it must: 1 s, then none for 10 s.
agent_hangs() {
    local hung took
    hung=$(agent_of_listener)
    kill -STOP "$hung"
    took=$(date +%s%N)
    [ "$(send rsa13)" = 503 ] || return 1
    took=$((($(date +%s%N) - took) / 1000000))
    echo "waited $took ms"
    [ "$took" -ge 900 ] && [ "$took" -lt 3000 ] || return 1
    took=$(date +%s%N)
    [ "$(send rsa13)" = 503 ] && shown bare optional 'TLSv1.3 - -' || return 1
    took=$((($(date +%s%N) - took) / 1000000))
    echo "then $took ms"
    [ "$took" -lt 900 ] && grep -q 'no reply of the key agent' "$T/gateway.err" || return 1
    kill -CONT "$hung"
    wait_for 20 gone "$hung" && wait_for 20 shown rsa13 v13 'TLSv1.3 rsa -'
}

# refused REASON ATTRIBUTES: by the gateway, and by fmpctl with the place.
refused() {
    local status=0
    cat >"$T/bad.xml" <<XML
<policy xmlns="urn:fmp:policy:1" name="bad">
  <gateway user="nobody">
    <services>
      <service name="s" path="/s" $2/>
    </services>
  </gateway>
</policy>
XML
    "$BIN/fmp-gateway" --policy "$T/bad.xml" --listen 127.0.0.1:0 >"$T/bad.out" 2>&1 || status=$?
    [ "$status" = 1 ] && grep -q "$1" "$T/bad.out" || { echo "status $status"; cat "$T/bad.out"; return 1; }
    status=0
    PATH="$BIN:$PATH" "$BIN/fmpctl" policy check "$T/bad.xml" >"$T/bad.out" 2>&1 || status=$?
    [ "$status" != 0 ] && grep -q "bad.xml:4:[1-9][0-9]*: .*$1" "$T/bad.out" || { echo "fmpctl: status $status"; cat "$T/bad.out"; return 1; }
}
refused_files() {
    local https='backend="https://127.0.0.1:9/" ca="servers.crt"'
    refused 'is not that of the client certificate' "$https client-certificate='rsa.crt' client-key='ec.key'" &&
        refused 'no PEM private key' "$https client-certificate='rsa.crt' client-key='rsa.crt'" &&
        refused 'cannot read the key\|No such file' "$https client-certificate='rsa.crt' client-key='none.key'" &&
        refused 'the client certificate' "$https client-certificate='rsa.key' client-key='rsa.key'" &&
        refused 'neither of RSA nor of EC' "$https client-certificate='ed.crt' client-key='ed.key'"
}
refused_attributes() {
    local https='backend="https://127.0.0.1:9/" ca="servers.crt"'
    refused 'needs both' "$https client-certificate='rsa.crt'" &&
        refused 'needs both' "$https client-key='rsa.key'" &&
        refused 'of an https:// backend' 'backend="http://127.0.0.1:9/" client-certificate="rsa.crt" client-key="rsa.key"' &&
        refused 'of an https:// backend' 'backend="http://127.0.0.1:9/" server-name="x.example"' &&
        refused 'neither a host name nor an address' "$https server-name='x.example/y'"
}

# --backend with https, and all of it of the gateway.
without_services() {
    cat >"$T/policy.xml" <<XML
<policy xmlns="urn:fmp:policy:1" name="alone">
  <gateway user="nobody" workers="1" ca="servers.crt" client-certificate="ec.crt" client-key="ec.key"/>
</policy>
XML
    BACKEND=https://127.0.0.1:$v13/ gateway && shown orders v13 'TLSv1.3 ec -' && gateway_ends
}

# Another certificate of the same name in the same files: a reload is enough.
reload_takes_new_files() {
    BACKEND=http://127.0.0.1:9/
    cp "$T/ec.crt" "$T/changing.crt"
    cp "$T/ec.key" "$T/changing.key"
    cat >"$T/policy.xml" <<XML
<policy xmlns="urn:fmp:policy:1" name="changing">
  <gateway user="nobody" workers="1">
    <services>
      <service name="s" path="/s" backend="https://127.0.0.1:$v13/" ca="servers.crt"
               client-certificate="changing.crt" client-key="changing.key"/>
    </services>
  </gateway>
</policy>
XML
    plane_up
    shown s v13 'TLSv1.3 ec -' || return 1
    cp "$T/rsa.crt" "$T/changing.crt"
    # The files do not fit together now: the old gateway stays.
    ! ctl policy reload >/dev/null 2>&1 || sleep 0.5
    shown s v13 'TLSv1.3 ec -' || return 1
    cp "$T/rsa.key" "$T/changing.key"
    reloaded && shown s v13 'TLSv1.3 rsa -'
}

authority servers
authority clients
authority strangers
authority between clients
for name in here there expired; do new_key "$name"; done
sign_certificate here servers subjectAltName=IP:127.0.0.1 2
sign_certificate there servers subjectAltName=DNS:inside.example 2
sign_certificate expired servers subjectAltName=IP:127.0.0.1 -1
client rsa clients rsa
client ec clients
client p384 clients P-384
client leaf between rsa
client stranger strangers
cat "$T/between.crt" >>"$T/leaf.crt"
openssl genpkey -algorithm ed25519 -out "$T/ed.key"
sign_certificate ed clients extendedKeyUsage=clientAuth 2
backend v12 here 1.2 required
backend v13 here 1.3 required
backend optional here 1.3 optional
backend inside there 1.3 optional
backend old expired 1.3 optional
RSA='client-certificate="rsa.crt" client-key="rsa.key"'
EC='client-certificate="ec.crt" client-key="ec.key"'
cat >"$T/policy.xml" <<XML
<policy xmlns="urn:fmp:policy:1" name="certificates">
  <gateway user="nobody" workers="1" ca="servers.crt">
    <services>
      <service name="rsa12" path="/rsa12" backend="https://127.0.0.1:$v12/" $RSA/>
      <service name="rsa13" path="/rsa13" backend="https://127.0.0.1:$v13/" $RSA/>
      <service name="ec12" path="/ec12" backend="https://127.0.0.1:$v12/" $EC/>
      <service name="ec13" path="/ec13" backend="https://127.0.0.1:$v13/" $EC/>
      <service name="p384" path="/p384" backend="https://127.0.0.1:$v13/"
               client-certificate="p384.crt" client-key="p384.key"/>
      <service name="chain" path="/chain" backend="https://127.0.0.1:$v13/"
               client-certificate="leaf.crt" client-key="leaf.key"/>
      <client name="remote" path="/remote" backend="https://127.0.0.1:$v13/" $RSA/>
      <service name="bare" path="/bare" backend="https://127.0.0.1:$optional/"/>
      <service name="none12" path="/none12" backend="https://127.0.0.1:$v12/"/>
      <service name="none13" path="/none13" backend="https://127.0.0.1:$v13/"/>
      <service name="stranger" path="/stranger" backend="https://127.0.0.1:$v13/"
               client-certificate="stranger.crt" client-key="stranger.key"/>
      <service name="named" path="/named" backend="https://127.0.0.1:$inside/" server-name="inside.example"/>
      <service name="misnamed" path="/misnamed" backend="https://127.0.0.1:$inside/"/>
      <service name="othername" path="/othername" backend="https://127.0.0.1:$v13/" server-name="inside.example" $RSA/>
      <service name="otherca" path="/otherca" backend="https://127.0.0.1:$v13/" ca="clients.crt" $RSA/>
      <service name="expired" path="/expired" backend="https://127.0.0.1:$old/" $RSA/>
    </services>
  </gateway>
</policy>
XML
BACKEND=http://127.0.0.1:9/
gateway

check rsa-over-tls12 shown rsa12 v12 'TLSv1.2 rsa -'
check rsa-over-tls13 shown rsa13 v13 'TLSv1.3 rsa -'
check ec-over-tls12 shown ec12 v12 'TLSv1.2 ec -'
check ec-over-tls13 shown ec13 v13 'TLSv1.3 ec -'
check p384 shown p384 v13 'TLSv1.3 p384 -'
check chain-is-sent shown chain v13 'TLSv1.3 leaf -'
check remote-service shown remote v13 'TLSv1.3 rsa -'
check none-without-the-attribute shown bare optional 'TLSv1.3 - -'
check none-where-one-is-demanded-tls12 outage none12 503 'it ended the TLS handshake'
check none-where-one-is-demanded-tls13 outage none13 502 'it demands a TLS client certificate'
check of-another-ca outage stranger 502 'it does not accept our TLS client certificate'
check server-name shown named inside 'TLSv1.3 - inside.example'
check wrong-name outage misnamed 503 'its TLS certificate is for another name'
check wrong-server-name outage othername 503 'its TLS certificate is for another name'
check wrong-ca outage otherca 503 'its TLS certificate is of none of the CAs'
check expired-certificate outage expired 503 'its TLS certificate, or that of its CA, has expired'
check key-stays-in-the-agent kept
check agent-is-replaced agent_replaced
check agent-hangs agent_hangs
check gateway-ends-well gateway_ends
check refused-files refused_files
check refused-attributes refused_attributes
check without-services without_services
check reload-takes-new-files reload_takes_new_files
