#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Usage: tests/interop/wsdls.sh
#
# WSDLs that others published (tests/interop/wsdls/list.tsv), beside the JDK's Xerces: what it takes
# is taken, except where the list says why not. Prints for each: Xerces, fmp, milliseconds, MiB.
# Needs `scripts/setup interop`.
cd "$(dirname "$0")/../.." || exit 1

. tests/cli/lib.sh

LIST=tests/interop/wsdls/list.tsv
read -r WSDLS 2>/dev/null <build/wsdls || { echo "wsdls.sh: run scripts/setup interop first"; exit 1; }

# A message that no service takes: what is refused is the message, not the WSDL.
cat >"$T/message.xml" <<'XML'
<s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/"><s:Body><x xmlns="urn:fmp:none"/></s:Body></s:Envelope>
XML

# load FILE: sets TAKEN, MS and MIB; $T/why is what fmpctl says.
load() {
    local usage
    usage=$(python3 - "$1" "$T/message.xml" "$T/why" <<'PY'
import os, sys, time
start, pid = time.monotonic(), os.fork()
if not pid:
    out = os.open(sys.argv[3], os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
    os.dup2(out, 1)
    os.dup2(out, 2)
    os.execl("build/bin/fmpctl", "fmpctl", "inspect", "--schema", sys.argv[1], "--config", "BcV", sys.argv[2])
rusage = os.wait4(pid, 0)[2]
print(round((time.monotonic() - start) * 1000), round(rusage.ru_maxrss / 1024))
PY
    )
    read -r MS MIB <<<"$usage"
    TAKEN=no
    ! grep -q ': reject at ' "$T/why" || TAKEN=yes
}

grep -v '^#' $LIST | while IFS=$'\t' read -r archive path _; do echo "$WSDLS/$archive/$path"; done >"$T/files"
java -Djdk.xml.entityExpansionLimit=0 tests/interop/wsdls/Xerces.java <"$T/files" >"$T/xerces" 2>"$T/java.err"
[ "$(wc -l <"$T/xerces")" = "$(wc -l <"$T/files")" ] || { tail -n 5 "$T/java.err"; echo "wsdls.sh: Xerces did not run"; bad=1; exit; }

failed=0 both=0 n=0
printf '%-7s%-5s%6s%11s%5s  %s\n' Xerces fmp ms 'Xerces ms' MiB WSDL
while IFS=$'\t' read -r archive path reason <&3 && IFS=$'\t' read -r xerces xerces_ms _ <&4; do
    load "$WSDLS/$archive/$path"
    n=$((n + 1))
    printf '%-7s%-5s%6s%11s%5s  %s\n' "$xerces" "$TAKEN" "$MS" "$xerces_ms" "$MIB" "$archive $path"
    [ "$xerces $TAKEN" != "yes yes" ] || both=$((both + 1))
    if [ "$xerces $TAKEN $reason" = "yes no -" ]; then
        sed 's/^/    /' "$T/why"
        failed=$((failed + 1))
    elif [ "$TAKEN" = yes ] && [ "$reason" != - ]; then
        echo "    is taken now: remove its reason from $LIST"
        failed=$((failed + 1))
    fi
done 3< <(grep -v '^#' $LIST) 4<"$T/xerces"
echo "$n WSDLs, $both taken by both, $failed faults"
[ "$failed" = 0 ] || { bad=1; exit; }
echo "ok wsdls"
