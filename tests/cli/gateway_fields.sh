# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# shellcheck disable=SC2119,SC2153,SC2154
#
# Fields, path, query and status on their way through the gateway, and what does not pass.

. tests/cli/lib.sh
. tests/cli/lib_gateway.sh

OK='HTTP/1.1 200 OK\r\nContent-Type: text/xml\r\n'
BODY='<s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/"><s:Body><x xmlns="urn:none">1</x></s:Body></s:Envelope>'

answers() { # BYTES (with escapes): what the service answers from now on
    { echo '0 keep'; printf '%b' "$1"; } >"$T/said.new"
    mv "$T/said.new" "$T/said"
}

# ask PATH [OPTION...]: prints the status; $T/answer, and $T/fields of the answer.
ask() {
    local path=$1
    shift
    : >"$T/answer"
    rm -f "$T/log.head"
    curl -s -m 20 --path-as-is -D "$T/fields" -o "$T/answer" -w '%{http_code}' -H 'Content-Type: text/xml' -H 'SOAPAction: ""' \
        -H 'Expect:' --data-binary "$BODY" "$@" "$ORIGIN$path"
}

is() { # STATUS PATH [OPTION...]
    local want=$1 status
    shift
    status=$(ask "$@")
    [ "$status" = "$want" ] && return 0
    echo "status $status of $*: $(head -c 300 "$T/answer")"
    return 1
}

gets() { # LINE: the service got exactly this line
    grep -qxF "$1"$'\r' "$T/log.head" || { echo "no line: $1"; cat "$T/log.head"; return 1; }
}
gets_none() { # PATTERN, without regard to case
    ! grep -iE "$1" "$T/log.head"
}
returns() { # LINE: the client got exactly this line
    grep -qxF "$1"$'\r' "$T/fields" || { echo "no line: $1"; cat "$T/fields"; return 1; }
}
returns_none() {
    ! grep -iE "$1" "$T/fields"
}

requests_keep_fields() {
    answers "${OK}Content-Length: 4\r\n\r\n<a/>"
    is 200 /plain -H 'Authorization: Basic YTpi' -H 'Cookie: a=b; c=d' -H 'traceparent: 00-1-2-01' -A 'gSOAP/2.8' \
        -H "X-User: M$(printf '\374')ller" -H 'Accept: text/xml' -H 'Via: 1.1 front' || return 1
    gets 'Authorization: Basic YTpi' && gets 'Cookie: a=b; c=d' && gets 'traceparent: 00-1-2-01' && gets 'User-Agent: gSOAP/2.8' &&
        gets "X-User: M$(printf '\374')ller" && gets 'Accept: text/xml' && gets 'Via: 1.1 front' && gets 'Via: 1.1 fmp'
}

long_fields() {
    answers "${OK}Content-Length: 4\r\n\r\n<a/>"
    local ticket
    ticket="Authorization: Negotiate $(head -c 12000 /dev/zero | tr '\0' A)"
    is 200 /plain -H "$ticket" && gets "$ticket" || return 1
    is 200 /plain -b "a=$(head -c 3000 /dev/zero | tr '\0' B)" && grep -q '^Cookie: a=BBB' "$T/log.head" || return 1
    is 431 /plain -H "Authorization: Negotiate $(head -c 17000 /dev/zero | tr '\0' A)"
}

answers_keep_fields() {
    answers 'HTTP/1.1 401 Unauthorized\r\nWWW-Authenticate: Basic realm="x"\r\nSet-Cookie: a=1; Path=/\r\nSet-Cookie: b=2\r\nContent-Type: text/html\r\nServer: any\r\nConnection: X-Hop\r\nX-Hop: a\r\nContent-Length: 6\r\n\r\n<html>'
    is 401 /plain && returns 'WWW-Authenticate: Basic realm="x"' && returns 'Set-Cookie: a=1; Path=/' && returns 'Set-Cookie: b=2' &&
        returns 'Server: any' && returns 'HTTP/1.1 401 Unauthorized' && returns 'Content-Type: text/html' && returns 'Via: 1.1 fmp' &&
        returns_none '^x-hop' && [ "$(cat "$T/answer")" = '<html>' ] || return 1
    # Each status with its text and body.
    local status
    for status in 200 302 403 404 405 429 500 503; do
        answers "HTTP/1.1 $status x\r\nContent-Type: text/html\r\nAllow: POST, GET\r\nContent-Length: 6\r\n\r\n<html>"
        is $status /plain && [ "$(cat "$T/answer")" = '<html>' ] && [ "$(grep -ci '^allow' "$T/fields")" = 1 ] || return 1
        last_event | grep -q 'kind=good' || return 1
    done
}

locations() {
    answers "HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:$SERVICE_PORT/ws/a?b\r\nContent-Length: 0\r\n\r\n"
    is 302 /below/x && returns 'Location: /below/a?b' || return 1
    answers "HTTP/1.1 302 Found\r\nLocation: http://other.example/ws\r\nContent-Length: 0\r\n\r\n"
    is 302 /below/x && returns 'Location: http://other.example/ws'
}

hops() {
    answers "${OK}Content-Length: 4\r\n\r\n<a/>"
    is 200 /plain -H 'Connection: Keep-Alive, TE, X-Hop, Upgrade, HTTP2-Settings' -H 'TE: trailers' -H 'X-Hop: a' -H 'Upgrade: h2c' \
        -H 'HTTP2-Settings: AAMAAABkAARAAAAAAAIAAAAA' -H 'Keep-Alive: 9' -H 'Proxy-Authorization: Basic x' || return 1
    gets_none '^(connection|te|x-hop|upgrade|http2-settings|keep-alive|proxy-)' && gets "Host: 127.0.0.1:$SERVICE_PORT" &&
        [ "$(grep -ci '^content-length' "$T/log.head")" = 1 ]
}

client_is_proven() {
    answers "${OK}Content-Length: 4\r\n\r\n<a/>"
    is 200 /plain -H 'X-Forwarded-For: 203.0.113.9' -H 'X_Forwarded_For: 203.0.113.9' -H 'Forwarded: for=203.0.113.9' \
        -H 'X-Forwarded-Proto: https' -H 'X-Real-IP: 203.0.113.9' -H 'X-Fmp-Subject: CN=root' -H 'X_FMP_User: root' \
        -H 'X-Forwarded-Prefix: /evil' || return 1
    gets_none '203\.0\.113|root|evil|https' && gets 'X-Forwarded-For: 127.0.0.1' && gets 'X-Forwarded-Proto: http' &&
        gets "X-Forwarded-Host: ${ORIGIN#http://}" && gets "Forwarded: for=127.0.0.1;host=\"${ORIGIN#http://}\";proto=http"
}

smuggled() {
    local n name
    answers "${OK}Content-Length: 4\r\n\r\n<a/>"
    for name in Host Content-Length Authorization Cookie X-Forwarded-For SOAPAction; do
        n=$(events)
        is 400 /plain -H "Connection: close, $name" -H 'Authorization: Basic x' && event_follows "$n" http && [ ! -e "$T/log.head" ] || {
            echo "$name"
            return 1
        }
    done
    is 200 /plain -H 'Content_Length: 5' -H 'Transfer_Encoding: chunked' -H 'Proxy: http://evil' -H 'X-Original-URL: /admin' &&
        gets_none 'content_|transfer|evil|admin'
}

# answers_are_read FROM THE SERVICE: what could end a line, or is no field, is no answer.
injected() {
    local bytes
    for bytes in 'X: a\rSet-Cookie: b\r\n' 'X: a\nSet-Cookie: b\r\n' 'X: a\0b\r\n' 'X : a\r\n' 'X: a\r\n Set-Cookie: b\r\n'; do
        answers "${OK}${bytes}Content-Length: 4\r\n\r\n<a/>"
        is 502 /plain && is_fault && returns_none '^(x|set-cookie)' || { echo "$bytes"; return 1; }
    done
}

answer_limits() {
    answers "${OK}X: $(head -c 12000 /dev/zero | tr '\0' x)\r\nContent-Length: 4\r\n\r\n<a/>"
    is 200 /plain && grep -q '^X: xxx' "$T/fields" || return 1
    answers "${OK}X: $(head -c 20000 /dev/zero | tr '\0' x)\r\nContent-Length: 4\r\n\r\n<a/>"
    is 502 /plain || return 1
    answers "$OK$(for i in $(seq 98); do printf 'X: %s\\r\\n' "$i"; done)Content-Length: 4\r\n\r\n<a/>"
    is 200 /plain && [ "$(grep -c '^X: ' "$T/fields")" = 98 ] || return 1
    answers "$OK$(for i in $(seq 99); do printf 'X: %s\\r\\n' "$i"; done)Content-Length: 4\r\n\r\n<a/>"
    is 502 /plain
}

asked_for() { # PATH OF THE GATEWAY, OF THE SERVICE
    is 200 "$1" && gets "POST $2 HTTP/1.1" && return 0
    head -n 1 "$T/log.head"
    return 1
}
paths() {
    answers "${OK}Content-Length: 4\r\n\r\n<a/>"
    asked_for /plain /ws/plain && asked_for '/plain?a=b%2f..&c' '/ws/plain?a=b%2f..&c' &&
        asked_for /below/device_service /ws/device_service && asked_for '/below/a/b?c=%zz' '/ws/a/b?c=%zz' && asked_for /below/ /ws/ &&
        asked_for '/below/%7euser//x/./y' '/ws/~user/x/y' && asked_for '/below/a%20b%c3' '/ws/a%20b%C3' &&
        asked_for "/below/$(head -c 3000 /dev/zero | tr '\0' p)" "/ws/$(head -c 3000 /dev/zero | tr '\0' p)"
}
bad_paths() {
    local path n
    for path in /below/../plain /below/%2e%2e/plain /below/.%2E/x '/below/..;/x' /below/a%2fb '/below/a\b' /below/a%5Cb /below/%00 \
        /below/%252e%252e/x /below/a%0d%0aX:%20y /below/%zz; do
        n=$(events)
        is 400 "$path" && event_follows "$n" http && [ ! -e "$T/log.head" ] || { echo "$path"; return 1; }
    done
    is 414 "/below/$(head -c 9000 /dev/zero | tr '\0' p)"
}

policy_rules() {
    answers "${OK}Server: any\r\nX-Powered-By: b\r\nContent-Length: 4\r\n\r\n<a/>"
    is 200 /rules -H 'X-Debug-A: 1' -H 'X-Debug: 2' -H 'Cookie: a' -H 'X-Site: forged' || return 1
    gets 'X-Site: north' && gets_none 'forged|x-debug' && gets 'Cookie: a' && returns_none '^(server|x-powered)' && returns 'X-Via: fmp'
}

# What describes the body is not true any more.
body_changes() {
    answers "${OK}ETag: \"1\"\r\nContent-MD5: x\r\nX: y\r\nContent-Length: ${#BODY}\r\n\r\n${BODY//\\/}"
    is 200 /signed -H 'Accept-Encoding: gzip' && grep -q SignatureValue "$T/answer" && returns 'X: y' && returns_none '^(etag|content-md5)' &&
        gets_none '^accept-encoding' || return 1
    printf '%s' "$BODY" | gzip >"$T/body.gz"
    curl -s -m 20 -o "$T/answer" -H 'Content-Type: text/xml' -H 'Content-Encoding: gzip' -H 'Content-Digest: x' -H 'X: y' \
        --data-binary "@$T/body.gz" "$ORIGIN/plain"
    gets 'X: y' && gets_none '^(content-encoding|content-digest)' && gets "Content-Length: ${#BODY}"
}

coded_answers() {
    answers "${OK}Content-Encoding: br\r\nContent-Length: 4\r\n\r\nabcd"
    is 200 /plain -H 'Accept-Encoding: br' && gets 'Accept-Encoding: br' && returns 'Content-Encoding: br' &&
        [ "$(cat "$T/answer")" = abcd ]
}

remote() {
    answers 'HTTP/1.1 401 Unauthorized\r\nWWW-Authenticate: Digest realm="x", nonce="y"\r\nContent-Type: text/html\r\nContent-Length: 6\r\n\r\npoison'
    is 401 /remote -H 'Authorization: Basic YTpi' && returns 'WWW-Authenticate: Digest realm="x", nonce="y"' && [ ! -s "$T/answer" ] &&
        gets 'Authorization: Basic YTpi' && gets_none '^(x-)?forwarded' || return 1
    answers 'HTTP/1.1 503 x\r\nRetry-After: 9\r\nContent-Length: 6\r\n\r\npoison'
    is 503 /remote && returns 'Retry-After: 9' && [ ! -s "$T/answer" ] || return 1
    # Others could be of anybody on the way.
    answers 'HTTP/1.1 302 x\r\nLocation: http://portal.example/\r\nContent-Length: 0\r\n\r\n'
    is 502 /remote && returns_none '^location' || return 1
    answers "${OK}Set-Cookie: a=b\r\nContent-Length: ${#BODY}\r\n\r\n$BODY"
    is 200 /remote && returns 'Set-Cookie: a=b' && [ "$(cat "$T/answer")" = "$BODY" ]
}

# Behind a listed proxy: the chain that it vouches for, and not what stood before it.
chain_of_proxy() {
    answers "${OK}Content-Length: 4\r\n\r\n<a/>"
    is 200 /x -H 'X-Forwarded-For: 203.0.113.9, 192.0.2.7, 10.0.0.9' -H 'X-Forwarded-Proto: https' -H 'X-Forwarded-Host: front.example' \
        -H 'Forwarded: for=203.0.113.9' || return 1
    gets 'X-Forwarded-For: 192.0.2.7, 10.0.0.9, 127.0.0.1' && gets 'X-Forwarded-Proto: https' && gets 'X-Forwarded-Host: front.example' &&
        gets 'Forwarded: for=192.0.2.7, for=10.0.0.9, for=127.0.0.1;host="front.example";proto=https' && gets_none '203\.0\.113' || return 1
    is 200 /x && gets 'X-Forwarded-For: 127.0.0.1' && gets 'X-Forwarded-Proto: http'
}

kept_path() {
    answers "${OK}Content-Length: 4\r\n\r\n<a/>"
    asked_for '/any/where?x' '/any/where?x'
}

answers ''
start service python3 tests/cli/raw_service.py "$T/said" "$T/log"
listening service
SERVICE_PORT=$PORT
WS=http://127.0.0.1:$SERVICE_PORT/ws
KEYS="certificate=\"$PWD/$VECTORS/pki/server.crt\" key=\"$PWD/$VECTORS/pki/server.key\""
BACKEND=$WS
policy 'security="Bc"' '' '' '' "<http compressed=\"yes\"/><services>
    <service name=\"plain\" path=\"/plain\" backend=\"$WS/plain\"/>
    <service name=\"below\" path=\"/below/*\" backend=\"$WS/\"/>
    <service name=\"rules\" path=\"/rules\" backend=\"$WS\"><fields><remove name=\"X-Debug*\"/><remove name=\"Server\" in=\"answers\"/>
        <remove name=\"x-powered-by\" in=\"both\"/><set name=\"X-Site\" value=\"north\"/><set name=\"X-Via\" value=\"fmp\" in=\"answers\"/></fields></service>
    <service name=\"signed\" path=\"/signed\" backend=\"$WS\"><answers sign=\"rsa-sha256\" $KEYS/></service>
    <client name=\"remote\" path=\"/remote\" backend=\"$WS\"/>
</services>"
gateway
ORIGIN=${URL%/orders}
check requests-keep-fields requests_keep_fields
check long-fields long_fields
check answers-keep-fields answers_keep_fields
check locations locations
check hops hops
check client-is-proven client_is_proven
check smuggled smuggled
check injected injected
check answer-limits answer_limits
check paths paths
check bad-paths bad_paths
check policy-rules policy_rules
check body-changes body_changes
check coded-answers coded_answers
check remote remote
check gateway-ends-well gateway_ends

BACKEND=http://127.0.0.1:$SERVICE_PORT
policy 'security="Bc"'
gateway
ORIGIN=${URL%/orders}
check path-is-kept-without-services kept_path
check gateway-ends-well-without-services gateway_ends

policy 'security="Bc"' '' '' '' '<proxies><proxy address="127.0.0.1" tells="x-forwarded-for"/><proxy address="10.0.0.0/8"/></proxies>'
gateway
ORIGIN=${URL%/orders}
check chain-of-proxy chain_of_proxy
check gateway-ends-well-behind-a-proxy gateway_ends
