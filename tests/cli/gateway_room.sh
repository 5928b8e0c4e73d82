# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# shellcheck disable=SC2153,SC2154
#
# Long answers that come all at once: each client gets its own, and the gateway holds no more than it may.
# And messages that are longer when they are forwarded than when they came.

. tests/cli/lib.sh
. tests/cli/lib_gateway.sh

LENGTH=4194000
MOST_KB=$((8 * 1024 + 12 * 1024)) # what connections may hold, one answer beyond that, and copies of one

# peak: the most that the gateway has had in memory, in KB.
peak() { sed -n 's/^VmHWM:[^0-9]*\([0-9]*\) kB/\1/p' "/proc/$GATEWAY/status"; }

# all_get_theirs N [SOURCE]
all_get_theirs() {
    python3 tests/cli/readers.py "$PORT" "$1" "$VECTORS/plain/plain-1k.xml" "$LENGTH" "${@:2}" >"$T/got"
    [ "$(cat "$T/got")" = "$1" ] || { cat "$T/got"; grep -v '^event' "$T/gateway.err"; return 1; }
}

holds_no_more() {
    local grown=$(($(peak) - START))
    [ "$grown" -le "$MOST_KB" ] || { echo "$grown KB more than at the start"; return 1; }
}

nobody_is_charged() { ! grep '^event ' "$T/gateway.err" | grep -v kind=good; }

# says HEADER PIECE: the service, from now on.
says() {
    {
        echo "$2 keep"
        printf 'HTTP/1.1 200 OK\r\nContent-Type: text/xml\r\n%b\r\n\r\n' "$1"
        case $1 in *chunked) printf '%x\r\n' "$LENGTH" ;; esac
        head -c "$LENGTH" /dev/zero | tr '\0' x
        case $1 in *chunked) printf '\r\n0\r\n\r\n' ;; esac
    } >"$T/said.new"
    mv "$T/said.new" "$T/said"
}

says "Content-Length: $LENGTH" 8192
start large python3 tests/cli/raw_service.py "$T/said" "$T/log"
listening large
BACKEND=http://127.0.0.1:$PORT/
policy 'workers="1"' '' '' 'max="256" per-source="256" memory="8MiB"'
gateway --security Bc
START=$(peak)
check each-gets-his all_get_theirs 32
check one-source-gets-all all_get_theirs 32 127.0.0.1
says 'Transfer-Encoding: chunked' 8192
check so-do-those-of-unknown-length all_get_theirs 16
check holds-no-more holds_no_more
check nobody-is-charged nobody_is_charged
check ends-well gateway_ends

# By TLS, and of a remote service: its answers are held until they are looked at.
openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj /CN=service \
    -addext subjectAltName=IP:127.0.0.1 -keyout "$T/ca.key" -out "$T/ca.crt" 2>/dev/null
{
    echo '200 text/xml'
    head -c "$LENGTH" /dev/zero | tr '\0' x
} >"$T/answer.remote"
start remote python3 tests/cli/remote.py "$T/answer.remote" "$T/remote.log" "$T/ca.crt" "$T/ca.key"
listening remote
policy 'security="Os" workers="1"' 'body="4MiB"' '' 'max="256" per-source="256" memory="8MiB"' \
    "<services><client name='remote' path='/orders' backend='https://127.0.0.1:$PORT/' ca='ca.crt'/></services>"
gateway
check remote-ones-by-tls all_get_theirs 16 127.0.0.1
check remote-ones-are-good nobody_is_charged
check remote-ends-well gateway_ends

# ---- what grows on its way to the service ----

# submits NAME: a message of $T/NAME is answered, and by the same worker as ever.
submits() {
    local status
    status=$(post "$T/$1")
    [ "$status" = 200 ] && [ "$(workers)" = "$WORKER" ] && return
    echo "status $status: $(head -c 300 "$T/answer")"
    tail -n 3 "$T/gateway.err"
    return 1
}

# fill FILE PYTHON: a message of which that is all but an Envelope and a Body.
fill() {
    python3 -c 'import base64, os, sys, time
said = "<e:Envelope xmlns:e=\"http://schemas.xmlsoap.org/soap/envelope/\"><e:Header>%s</e:Header><e:Body>%s</e:Body></e:Envelope>"
wsse = "http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-"
user = ("<w:Security xmlns:w=\"" + wsse + "wssecurity-secext-1.0.xsd\"><w:UsernameToken><w:Username>jane</w:Username>"
        "<w:Password Type=\"" + wsse + "username-token-profile-1.0#PasswordText\">secret</w:Password><w:Nonce>" +
        base64.b64encode(os.urandom(16)).decode() + "</w:Nonce><u:Created xmlns:u=\"" + wsse + "wssecurity-utility-1.0.xsd\">" +
        time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()) + "</u:Created></w:UsernameToken></w:Security>")
sys.stdout.buffer.write(eval(sys.argv[1]))' "$2" >"$T/$1"
}
fill utf16 '("\ufeff" + said % ("", "<a>" + "\u20ac" * 29000 + "</a>")).encode("utf-16-le")'
fill cdata '(said % (user, "<a><![CDATA[" + "<a>&</a>" * 5300 + "]]></a>")).encode()'
fill quotes "(said % (user, \"<a b='\" + '\"' * 64000 + \"'/>\")).encode()"
printf 'jane:secret\n' >"$T/users"
chmod 600 "$T/users"

printf '200 text/xml\n<a/>' >"$T/said"
start small python3 tests/cli/remote.py "$T/said" "$T/small.log"
listening small
BACKEND=http://127.0.0.1:$PORT/
policy 'security="Bc" workers="1"' 'body="64KiB"'
gateway
WORKER=$(workers)
check utf16-grows-by-half submits utf16
check grown-ones-end-well gateway_ends
policy 'security="Bc" workers="1"' 'body="64KiB"' '' '' "<username passwords='$T/users' text='yes'/>"
gateway
WORKER=$(workers)
check cdata-becomes-text submits cdata
check quotes-become-six-bytes submits quotes
check nobody-is-charged-for-growth nobody_is_charged
check grown-ones-end-well-again gateway_ends
