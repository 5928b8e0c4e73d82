#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Usage: tests/interop/stacks.sh [STACK...]
#
# Stacks that people run, unchanged, behind the gateway of an fmpd that guards them: each one's service, its WSDL as
# it makes it, its client in another network namespace, and a neighbour that is blocked meanwhile. A conversation is
# the WSDL through the gateway, calls, a fault, cookies, passwords, attachments; what a stack can't do
# itself is in tests/interop/README.md. Needs `scripts/setup interop`.
cd "$(dirname "$0")/../.." || exit 1

inside=
[ "${1:-}" != inside ] || { inside=inside; shift; }
export STACKS=${STACKS:-$*}

. tests/cli/lib_netns.sh
own_netns stacks "$inside" ip nft jq python3 unshare nsenter

. tests/cli/lib.sh
. tests/cli/lib_gateway.sh
. tests/cli/lib_plane.sh
. tests/interop/secured.sh
. tests/interop/as4.sh
. tests/interop/reliable.sh

HERE=tests/interop/stacks
HANDHELD=10.7.0.1 NEIGHBOUR=10.7.0.2 FRIEND=10.7.0.3
PASSWORD='correct horse'

ip link set lo up
netns_behind v0 v1
ip addr add $HANDHELD/24 dev v0
ip link set v0 up
far ip link set lo up
far ip addr add $FRIEND/24 dev v1
far ip addr add $NEIGHBOUR/24 dev v1
far ip link set v1 up

NEXT=18000
# next_port: sets SERVICE, where the next stack's service listens, and GATE, where its gateway does.
next_port() {
    NEXT=$((NEXT + 2))
    SERVICE=$NEXT GATE=$((NEXT + 1)) BACKEND=http://127.0.0.1:$NEXT/
}

# serve STACK COMMAND...: the stack's service, on 127.0.0.1:$SERVICE.
serve() {
    local stack=$1
    shift
    start "$stack" "$@"
    wait_for 60 tcp_open "$SERVICE" || { tail -n 20 "$T/$stack.err"; return 1; }
}
tcp_open() { (: <"/dev/tcp/127.0.0.1/$1"); }

# guard STACK PATH-OF-WSDL: takes the WSDL as the service gives it, with what it imports, and guards the service by it;
# with $ELEMENTS in the policy.
guard() {
    local catalog=
    python3 $HERE/fetch.py "http://127.0.0.1:$SERVICE$2" "$T/$1.wsdl" "$T/$1.catalog" || return 1
    [ "$(grep -c '<uri' "$T/$1.catalog")" = 1 ] || catalog="catalog=\"$T/$1.catalog\""
    cat >"$T/policy.xml" <<EOF
<?xml version="1.0" encoding="UTF-8"?>
<policy xmlns="urn:fmp:policy:1" name="$1">
  <block layers="ip" duration="10min"/>
  <gateway security="BcV" schema="$T/$1.wsdl" $catalog user="nobody">
    <limits body="4MiB"/>
    <http compressed="yes"/>
    ${ELEMENTS:-}
    <services>
      <service name="$1" path="/*" backend="http://127.0.0.1:$SERVICE/"/>
    </services>
  </gateway>
  <enforce reconcile="30s"/>
</policy>
EOF
    plane_layers "$HANDHELD:$GATE"
}

# friend STACK COMMAND...: the client's conversation; a check for each line "ok STEP" or "bad STEP: reason".
friend() {
    local stack=$1 word step
    shift
    far timeout 90 "$@" >"$T/$stack.steps" 2>"$T/$stack.client" || echo "bad end: status $?" >>"$T/$stack.steps"
    grep -E '^(ok|bad) ' "$T/$stack.steps" >"$T/steps" || echo "bad begin" >"$T/steps"
    while read -r word step; do
        check "$stack-${step%%:*}" said "$word" "$stack" "$step"
    done <"$T/steps"
}
said() { # WORD STACK REASON
    [ "$1" != ok ] || return 0
    echo "$3"
    grep -vE 'INFO|^[A-Z][a-z]{2} [0-9]+, ' "$T/$2.client" | tail -n 5
    ctl why $FRIEND
    grep -E 'level=(warn|err)' "$T/fmpd.err" | tail -n 5
    return 1
}

# The neighbour sends what no schema allows until nothing of it is taken any more.
neighbour() {
    local left=200
    while [ "$left" -gt 0 ]; do
        far curl -s -m 1 -o /dev/null --interface $NEIGHBOUR -H 'Content-Type: text/xml' --data-binary \
            '<e:Envelope xmlns:e="http://schemas.xmlsoap.org/soap/envelope/"><e:Body><a><b></e:Body></e:Envelope>' \
            "http://$HANDHELD:$GATE/" || return 0
        left=$((left - 1))
    done
    return 1
}
# blocked: it is, and the friend is not.
blocked() {
    wait "$1" || { echo "the neighbour is still served"; return 1; }
    ctl blocks | grep -q "$NEIGHBOUR" || { ctl blocks; ctl sources; return 1; }
    ! ctl blocks | grep -q "$FRIEND" || { echo "the friend is blocked"; ctl sources; return 1; }
    [ "$(ctl --json sources | jq "map(select(.record == \"source\" and .address == \"$FRIEND\" and .bad > 0)) | length")" = 0 ] ||
        { echo "the friend is charged"; ctl sources; return 1; }
}

# stack NAME PATH-OF-WSDL CLIENT...: guarded, beside a neighbour, and asked.
stack() {
    local name=$1 wsdl=$2
    shift 2
    check "$name-guarded" guard "$name" "$wsdl"
    converse "$name" "$@"
}

# converse NAME CLIENT...: beside a neighbour that is blocked meanwhile.
converse() {
    local name=$1 bad_one
    shift
    neighbour &
    bad_one=$!
    friend "$name" "$@"
    check "$name-neighbour-blocked" blocked "$bad_one"
    # The next stack's neighbour starts anew.
    ctl unblock $NEIGHBOUR >/dev/null
    plane_ends
}

wanted() { [ -z "$STACKS" ] || [[ " $STACKS " == *" $1 "* ]]; }

# built FILE STACK: where scripts/setup interop has put it.
built() {
    read -r PLACE 2>/dev/null <"build/$1" && [ -e "$PLACE" ] || { skip "$2" "scripts/setup interop has not been run"; return 1; }
}

# classes STACK SOURCE...: compiles; sets CLASSPATH.
classes() {
    local name=$1
    shift
    mkdir -p "$T/$name"
    javac -nowarn -parameters -g -proc:none -cp "$PLACE/*" -d "$T/$name" "$@" 2>"$T/javac.log" || { cat "$T/javac.log"; return 1; }
    export CLASSPATH="$T/$name:$PLACE/*"
}

# A WSDL that names this service's own place, for stacks that start from one.
own_wsdl() {
    sed "s|localhost:8080|127.0.0.1:$SERVICE|" $HERE/store.wsdl >"$T/store.wsdl"
}

jaxws() { # STACK FILE-OF-BUILD
    built "$2" "$1" && check "$1-compiles" classes "$1" $HERE/jaxws/Store.java || return
    next_port
    check "$1-serves" serve "$1" java Store server "$SERVICE"
    stack "$1" '/store?wsdl' java Store client "http://$HANDHELD:$GATE/store?wsdl"
}

springws() {
    built java-springws springws && check springws-compiles classes springws $HERE/springws/SpringStore.java || return
    next_port
    own_wsdl
    check springws-serves serve springws java SpringStore server "$SERVICE" "$T/store.wsdl"
    stack springws /store.wsdl java SpringStore client "http://$HANDHELD:$GATE"
}

zeep() {
    built java-springws zeep && classes springws $HERE/springws/SpringStore.java && built python zeep || return
    next_port
    own_wsdl
    check zeep-serves serve zeep java SpringStore server "$SERVICE" "$T/store.wsdl"
    stack zeep /store.wsdl "$PLACE/bin/python" $HERE/zeep/client.py "http://$HANDHELD:$GATE"
}

axis2() {
    built java-axis2 axis2 && check axis2-compiles classes axis2 $HERE/axis2/AxisStore.java $HERE/axis2/Store.java || return
    next_port
    check axis2-serves serve axis2 java AxisStore server "$SERVICE"
    stack axis2 '/axis2/services/Store?wsdl' java AxisStore client "http://$HANDHELD:$GATE/axis2/services/Store?wsdl"
}

# Rampart's client asks the service in PHP, through a gateway that wants a user.
rampart() {
    built java-rampart rampart && check rampart-compiles classes rampart $HERE/rampart/RampartClient.java || return
    next_port
    own_wsdl
    export STORE_WSDL=$T/store.wsdl
    check rampart-serves serve rampart php -q -S "127.0.0.1:$SERVICE" $HERE/php/store.php
    mkdir -p "$T/axis2/modules" "$T/axis2/services"
    cp "$PLACE"/rampart-*.mar "$T/axis2/modules/rampart.mar"
    echo "jane:$PASSWORD" >"$T/passwords"
    chmod 600 "$T/passwords"
    ELEMENTS='<username passwords="passwords"/>' stack rampart '/store?wsdl' java RampartClient "http://$HANDHELD:$GATE/store" \
        "$T/axis2" $HERE/rampart/policy.xml "$PASSWORD"
}

# A device guarded by ONVIF's own WSDLs, as python-onvif-zeep brings them. It always listens on 8080.
onvif_guard() {
    cat >"$T/policy.xml" <<EOF
<?xml version="1.0" encoding="UTF-8"?>
<policy xmlns="urn:fmp:policy:1" name="onvif">
  <block layers="ip" duration="10min"/>
  <gateway security="BcV" user="nobody">
    <services>
      <service name="device" path="/onvif/device_service" schema="$1/devicemgmt.wsdl" backend="http://127.0.0.1:8080/onvif/device_service"/>
      <service name="media" path="/onvif/media_service" schema="$1/media.wsdl" backend="http://127.0.0.1:8080/onvif/media_service"/>
    </services>
  </gateway>
  <enforce reconcile="30s"/>
</policy>
EOF
    plane_layers "$HANDHELD:$GATE"
}

onvif() {
    local device wsdls
    built onvif-device onvif && device=$PLACE && built python onvif || return
    wsdls=$(echo "$PLACE"/lib/python3*/site-packages/wsdl)
    next_port
    SERVICE=8080
    check onvif-serves serve onvif "$device"
    check onvif-guarded onvif_guard "$wsdls"
    converse onvif "$PLACE/bin/python" $HERE/onvif/client.py $HANDHELD "$GATE" "$wsdls"
}

node_stack() { # soap|strong-soap
    built node "$1" || return
    next_port
    own_wsdl
    export NODE_PATH=$PLACE/node_modules
    check "$1-serves" serve "$1" node $HERE/node/store.js "$1" server "$SERVICE" "$T/store.wsdl"
    stack "$1" '/store?wsdl' node $HERE/node/store.js "$1" client "http://$HANDHELD:$GATE/store?wsdl"
}

# Both clients ask a service in PHP.
by_php() { # php|soaplite
    local client=(php "$HERE/php/client.php")
    command -v php >/dev/null || { skip "$1" "scripts/setup interop has not been run"; return; }
    [ "$1" = php ] || client=(perl "$HERE/perl/client.pl")
    next_port
    own_wsdl
    export STORE_WSDL=$T/store.wsdl
    check "$1-serves" serve "$1" php -q -S "127.0.0.1:$SERVICE" $HERE/php/store.php
    stack "$1" '/store?wsdl' "${client[@]}" "http://$HANDHELD:$GATE"
}

# gsoap_compiles: what wsdl2h and soapcpp2 make of the WSDL, with the service and client beside it.
gsoap_compiles() {
    mkdir -p "$T/gsoap-made"
    cp "$T/store.wsdl" "$T/gsoap-made"
    (cd "$T/gsoap-made" && wsdl2h -c -t /usr/share/gsoap/WS/typemap.dat -o store.h store.wsdl && soapcpp2 -c -L -x -w store.h) \
        >"$T/gsoap.log" 2>&1 &&
        cc -std=gnu11 -O1 -w -DWITH_COOKIES -I"$T/gsoap-made" -o "$T/gsoap-made/store" $HERE/gsoap/store.c \
            "$T"/gsoap-made/soap{C,Client,Server}.c -lgsoapck >>"$T/gsoap.log" 2>&1 || { tail -n 20 "$T/gsoap.log"; return 1; }
}

gsoap() {
    command -v wsdl2h >/dev/null || { skip gsoap "no wsdl2h"; return; }
    next_port
    own_wsdl
    check gsoap-compiles gsoap_compiles || return
    check gsoap-serves serve gsoap "$T/gsoap-made/store" server "$SERVICE" "$T/store.wsdl"
    stack gsoap '/store?wsdl' "$T/gsoap-made/store" client "http://$HANDHELD:$GATE"
}

for one in cxf cxfpolicy cxfreliable phase4 metro wsit springws zeep axis2 rampart onvif soap strong-soap php soaplite gsoap; do
    wanted $one || continue
    case $one in
    cxf) jaxws cxf java ;;
    metro) jaxws metro java-metro ;;
    soap | strong-soap) node_stack $one ;;
    php | soaplite) by_php $one ;;
    *) $one ;;
    esac
done
