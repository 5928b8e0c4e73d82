# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# shellcheck disable=SC2119,SC2154
#
# Whoever looks at a web page that a neighbour wrote must not be blocked for it: what a browser sends
# without asking us first is refused, counted and shown, and weighs nothing. So do health checks and
# clients that look for ?wsdl. A program's bad messages weigh what they did, whatever they say of a page.

. tests/cli/lib.sh
. tests/cli/lib_gateway.sh

# refused KIND STATUS CURL-OPTION...: this is answered so, and told as this kind.
refused() {
    local n status kind=$1 want=$2
    shift 2
    n=$(events)
    status=$(curl -s -m 10 -o "$T/answer" -D "$T/head" -w '%{http_code}' "$@")
    [ "$status" = "$want" ] || { echo "$*: status $status"; return 1; }
    wait_for 5 more_events "$n" && last_event | grep -q "kind=$kind source=127.0.0.1 .* step=http" || { echo "$*"; last_event; return 1; }
    [ "$status" != 405 ] || grep -qi '^allow: POST' "$T/head"
}

looks() {
    refused browser 405 "$URL" && refused browser 405 "$URL?wsdl" && refused browser 405 -I "$URL" &&
        refused browser 405 -X OPTIONS -H 'Origin: http://evil.example' -H 'Access-Control-Request-Method: POST' "$URL" &&
        refused browser 405 -H 'Connection: Upgrade' -H 'Upgrade: websocket' -H 'Sec-WebSocket-Version: 13' "$URL"
}

forms() {
    local type
    for type in text/plain 'application/x-www-form-urlencoded' 'multipart/form-data; boundary=x'; do
        refused browser 415 -H "Content-Type: $type" --data-binary '<x>bad</x>' "$URL" || return 1
    done
    refused browser 413 -H 'Content-Type: text/plain' -H 'Content-Length: 9999999999' --data-binary x "$URL" &&
        refused browser 404 -H 'Content-Type: text/plain' --data-binary x "${URL%/orders}/other" &&
        refused browser 415 -H 'Content-Type: text/plain' --data-binary x "$URL?$(head -c 2000 /dev/zero | tr '\0' a)" &&
        refused browser 414 -H 'Content-Type: text/plain' --data-binary x "$URL?$(head -c 8100 /dev/zero | tr '\0' a)" &&
        refused browser 414 -H 'Content-Type: text/plain' --data-binary x "$URL?$(head -c 20000 /dev/zero | tr '\0' a)" &&
        refused browser 415 -H 'Content-Type:' -H 'Origin: null' --data-binary x "$URL"
}

cross_site() {
    refused browser 403 -H 'Content-Type: text/xml' -H 'Origin: http://evil.example' --data-binary '<x>' "$URL" &&
        refused browser 403 -H 'Content-Type: text/xml' -H 'Sec-Fetch-Site: cross-site' --data-binary '<x>' "$URL"
}

# An address "https:" or "turn:" in a page is enough for these.
other_protocols() {
    local n
    n=$(events)
    curl -sk -m 5 -o /dev/null "https://127.0.0.1:$PORT/"
    wait_for 5 more_events "$n" && last_event | grep -q kind=browser || return 1
    n=$(events)
    printf '\0\3\0\10\41\22\244\102abcdefghijkl' >"/dev/tcp/127.0.0.1/$PORT"
    wait_for 5 more_events "$n" && last_event | grep -q kind=browser
}

# No page makes these, and what is said of a page does not make them cheaper.
programs() {
    local here=127.0.0.1:$PORT
    refused http 405 -X PUT --data x "$URL" && refused http 405 -X TRACE "$URL" &&
        refused http 404 -H 'Content-Type: text/xml' --data x "${URL%/orders}/other" &&
        refused http 400 -H 'Content-Type: multipart/related; boundary=b' --data x "$URL" &&
        refused unsupported 415 -H 'Content-Type: application/json' --data x "$URL" || return 1
    # A form's type, but with what no page may send unasked.
    refused unsupported 415 -H 'Content-Type: text/plain' -H 'SOAPAction: ""' --data x "$URL" &&
        refused unsupported 415 -H 'Content-Type: text/plain' -H 'Transfer-Encoding: chunked' --data x "$URL" &&
        refused unsupported 415 --request-target "http://gw.example/orders" -H 'Content-Type: application/json' --data x "$URL" &&
        refused http 404 --request-target "http://gw.example/other" -H 'Content-Type: text/xml' --data x "$URL" || return 1
    local n
    n=$(events)
    curl -s -m 10 -o /dev/null -H 'Content-Type: text/xml' -H "Origin: http://$here" --data-binary '<x>' "$URL"
    wait_for 5 more_events "$n" && last_event | grep -q kind=wellformed || { last_event; return 1; }
    n=$(events)
    curl -s -m 10 -o /dev/null -H 'Content-Type: text/xml' -H 'Origin: null' --data-binary '<x>' "$URL"
    wait_for 5 more_events "$n" && last_event | grep -q kind=wellformed || { last_event; return 1; }
}

good() {
    local more
    for more in 'Accept: */*' "Origin: http://127.0.0.1:$PORT" 'Origin: null' 'Sec-Fetch-Site: same-origin' 'Sec-Fetch-Site: none'; do
        [ "$(curl -s -m 10 -o "$T/answer" -w '%{http_code}' -H 'Content-Type: text/xml' -H "$more" \
            --data-binary "@$VECTORS/plain/plain-1k.xml" "$URL")" = 200 ] || { echo "$more"; return 1; }
    done
}

# Under Os the service itself checks everything but the methods.
plain() {
    local status
    status=$(curl -s -m 10 -o "$T/answer" -w '%{http_code}' -H 'Content-Type: text/plain' -H 'Origin: http://evil.example' \
        --data-binary "@$VECTORS/plain/plain-1k.xml" "$URL")
    [ "$status" = 200 ] || { echo "status $status"; return 1; }
    refused browser 405 "$URL"
}

# As many as one page can bring about: 11 were enough to have its reader blocked. Then one slip of a
# program, whose points are alone.
nobody_is_suspicious() {
    local i rank
    plane_policy pages
    plane_up
    for i in $(seq 60); do
        printf 'url = %s/%s\noutput = /dev/null\n' "$URL" "$i"
    done >"$T/looks"
    curl -s -m 30 -K "$T/looks"
    for i in $(seq 15); do
        curl -s -m 10 -o /dev/null -H 'Content-Type: text/plain' -H 'Origin: null' --data-binary x "$URL"
    done
    ctl --json stats >"$T/stats"
    [ "$(post "$BAD")" = 500 ] || return 1
    rank=$(field 'select(.record == "source") | .rank' sources)
    [ "$(printf %.0f "${rank:-0}")" -le 10 ] && [ "$(field 'select(.record == "source") | .state' sources)" != malicious ] || { ctl sources; return 1; }
    [ "$(field 'select(.record == "event" and .kind == "browser") | .rank' why 127.0.0.1)" = 0 ] || { ctl --json why 127.0.0.1 | head -n 5; return 1; }
    plane_ends
}

service
policy 'security="BcV"' '' '' '' "<services><service name='orders' path='/orders' backend='$BACKEND'/></services>"
gateway
check looks-are-not-charged looks
check forms-are-not-charged forms
check cross-site-is-not-charged cross_site
check other-protocols-are-not-charged other_protocols
check programs-are-charged programs
check good-ones-pass good
check gateway-ends-well gateway_ends
policy 'security="Os"'
gateway
check plain-services plain
check plain-ends-well gateway_ends
. tests/cli/lib_plane.sh
check nobody-is-suspicious nobody_is_suspicious
