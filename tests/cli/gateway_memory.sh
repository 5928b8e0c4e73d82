# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# shellcheck disable=SC2153,SC2154
#
# What a gateway holds for its clients has a limit: who fills it loses by it, and nobody else.

. tests/cli/lib.sh
. tests/cli/lib_gateway.sh

# hold NAME N FILE [MISSING]: so many of another address; they stay until the script ends.
hold() {
    mkfifo "$T/$1.ask"
    python3 tests/cli/hold.py "$PORT" 127.0.0.9 "${@:2}" <"$T/$1.ask" >"$T/$1.out" &
    exec {ASK}>"$T/$1.ask"
    wait_for 30 grep -q held "$T/$1.out"
}

# no_more NAME MOST, still_held NAME MOST: at most so many of them are still held.
still_held() {
    local n
    echo >&"$ASK"
    sleep 0.1
    n=$(tail -n 1 "$T/$1.out")
    [ "${n%% *}" = open ] && [ "${n#* }" -le "$2" ]
}
no_more() { wait_for 20 still_held "$1" "$2" || { tail -n 2 "$T/$1.out"; return 1; }; }

# In two pieces: a client that comes later and has to be waited for.
in_two() {
    local fd line file=$VECTORS/plain/plain-1k.xml
    exec {fd}<>"/dev/tcp/127.0.0.1/$PORT"
    printf 'POST /orders HTTP/1.1\r\nHost: gw\r\nContent-Type: text/xml\r\nContent-Length: %d\r\n\r\n' \
        "$(wc -c <"$file")" >&"$fd"
    head -c 500 "$file" >&"$fd"
    sleep 0.2
    tail -c +501 "$file" >&"$fd"
    read -r -t 20 line <&"$fd"
    exec {fd}>&-
    [ "$line" = $'HTTP/1.1 200 OK\r' ] || { echo "got: $line"; return 1; }
}

nobody_is_charged() { ! grep '^event ' "$T/gateway.err" | grep -v kind=good; }

# The longest that is taken: as long as what all may hold together but a little.
whole_answer() {
    [ "$(post "$VECTORS/plain/plain-1k.xml")" = 200 ] && [ "$(wc -c <"$T/answer")" = 4194000 ]
}

head -c 1048575 /dev/zero | tr '\0' x >"$T/long"
policy 'workers="1"' '' 'header="5min" body="5min"' 'max="256" per-source="256" memory="8MiB"'
service
gateway --security Bc

check bodies-are-begun hold bodies 70 "$T/long" 1
check most-of-them-gave-way no_more bodies 8
check others-are-served in_two
check bodies-were-told grep -q 'memory="8388608" is full' "$T/gateway.err"
check nobody-is-charged nobody_is_charged
check ends-well gateway_ends

printf 'HTTP/1.1 200 OK\r\nContent-Type: text/xml\r\nContent-Length: 4194000\r\n\r\n' >"$T/large"
head -c 4194000 /dev/zero | tr '\0' x >>"$T/large"
{ echo '0 keep'; cat "$T/large"; } >"$T/said"
start large python3 tests/cli/raw_service.py "$T/said" "$T/log"
listening large
BACKEND=http://127.0.0.1:$PORT/
gateway --security Bc

check answers-are-not-read hold answers 40 "$VECTORS/plain/plain-1k.xml"
check most-of-the-answers-gave-way no_more answers 30
check others-get-theirs whole_answer
check nobody-is-charged-for-answers nobody_is_charged
check ends-well-again gateway_ends
