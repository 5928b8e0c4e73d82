# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# fmp-flood's command line: what it refuses, and how it says so.

. tests/cli/lib.sh

U=http://127.0.0.1:9/

# refuses STATUS TEXT ARGUMENT...: that exit status, that text in one line on standard error.
refuses() {
    local want=$1 text=$2 rc=0
    shift 2
    timeout 10 "$BIN/fmp-flood" "$@" >"$T/out" 2>"$T/err" || rc=$?
    [ "$rc" = "$want" ] || { echo "exit status $rc: $*"; cat "$T/err"; return 1; }
    [ "$(wc -l <"$T/err")" = 1 ] && [ ! -s "$T/out" ] && grep -qF -- "$text" "$T/err" || {
        echo "said of $*:"
        cat "$T/out" "$T/err"
        return 1
    }
}

strangers() {
    refuses 1 i-own-the-target --url http://8.8.8.8/ &&
        refuses 1 i-own-the-target --url 'http://[2600::1]:80/' &&
        refuses 1 i-own-the-target forge --device lo --src-ip 192.0.2.1 --dst-ip 9.9.9.9 --dst-mac 02:00:00:00:00:01
}

usage() {
    refuses 2 --url && refuses 2 'is not a number' --url "$U" --rate fast &&
        refuses 2 'from 0.01' --url "$U" --rate 0 && refuses 2 'no kind "evil"' --url "$U" --mix evil=1 &&
        refuses 2 numeric --url http://example.org/ && refuses 2 --device --url "$U" --steady-frames 10 &&
        refuses 2 shorter --url "$U" --warmup 60 && refuses 2 families --url "$U" --source ::1 &&
        refuses 2 '"extra"' --url "$U" extra && refuses 2 'not one IP address' --url "$U" --source 127.0.0.0/8 &&
        refuses 2 'needed' forge --device lo && refuses 2 'not a MAC' forge --dst-mac 192.0.2.1
}

files() {
    refuses 1 "$T/none.key" --url "$U" --key "$T/none.key" --cert "$VECTORS/pki/rsa2048.crt" &&
        refuses 1 'needs its certificate' --url "$U" --key "$VECTORS/pki/server.key" &&
        refuses 1 'does not belong' --url "$U" --key "$VECTORS/pki/server.key" --cert "$VECTORS/pki/rsa2048.crt" &&
        refuses 1 'did not issue' --url "$U" --key "$VECTORS/pki/server.key" --cert "$VECTORS/pki/server.crt" --ca "$VECTORS/pki/rogueca.crt" &&
        refuses 1 'no PEM private key' --url "$U" --key "$VECTORS/pki/ca.crt" --cert "$VECTORS/pki/ca.crt"
}

sources() {
    refuses 1 'cannot send from 192.0.2.77' --url "$U" --source 192.0.2.77 &&
        refuses 1 'no device' --url "$U" --device nosuch0
}

json_file() {
    refuses 1 /nosuch/dir/x.json --url "$U" --count 1 --quiet --json /nosuch/dir/x.json
}

help_names_all_options() {
    local option
    "$BIN/fmp-flood" --help >"$T/help" && "$BIN/fmp-flood" forge --help >>"$T/help" || return 1
    sed 's/\\-/-/g' daemon/flood/fmp-flood.1 >"$T/man"
    sed -n 's/.*{ "\([a-z-]*\)", [a-z]*_argument.*/\1/p' daemon/flood/options.c daemon/flood/forge.c >"$T/options"
    [ "$(wc -l <"$T/options")" -gt 30 ] || return 1
    while read -r option; do
        grep -q -- "--$option" "$T/help" || { echo "--help lacks --$option"; return 1; }
        grep -q -- "--$option" "$T/man" || { echo "the man page lacks --$option"; return 1; }
    done <"$T/options"
    "$BIN/fmp-flood" --version | grep -qx 'fmp-flood [0-9.]*'
}

man_page_is_clean() {
    [ -z "$(man -l --warnings -E UTF-8 -Tutf8 daemon/flood/fmp-flood.1 2>&1 >/dev/null)" ]
}

check flood_refuses_strangers strangers
check flood_usage_errors usage
check flood_key_file_errors files
check flood_source_errors sources
check flood_json_file_error json_file
check flood_help_names_all_options help_names_all_options
if command -v man >/dev/null; then
    check flood_man_page_is_clean man_page_is_clean
else
    skip flood_man_page_is_clean "no man"
fi
