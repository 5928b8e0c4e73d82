# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# The OpenWrt feed, as far as it can be tried without OpenWrt: Makefiles read with stand-ins
# for the build system's, the policy made from the configuration, what procd is told.

. tests/cli/lib.sh

FILES=$PWD/openwrt/fmp/files

# Stand-ins for /lib/functions.sh over the configuration in $CONFIG, and for procd's shell
# functions, which write down what they are told in $T/procd.
cat >"$T/functions.sh" <<'EOF'
config_load() { [ "$1" = fmp ]; }
uci_find() { # KEYWORD SECTION OPTION: the values, one a line
    awk -v word="$1" -v section="$2" -v option="$3" '
        function bare(s) { sub(/^\047/, "", s); sub(/\047$/, "", s); return s }
        $1 == "config" { now = bare($3) }
        $1 == word && now == section && $2 == option {
            sub(/^[ \t]*[a-z]+[ \t]+[a-z_]+[ \t]+/, ""); print bare($0) }' "$CONFIG"
}
config_get() { eval "$1=\$(uci_find option \"\$2\" \"\$3\"); [ -n \"\$$1\" ] || $1=\${4:-}"; }
config_get_bool() {
    config_get "$@"
    eval "case \$$1 in 1 | on | true | yes | enabled) $1=1 ;; *) $1=0 ;; esac"
}
config_list_foreach() {
    local section=$1 option=$2 call=$3 value
    shift 3
    uci_find list "$section" "$option" | while IFS= read -r value; do "$call" "$value" "$@"; done
}
for f in open_instance close_instance set_param append_param add_jail add_jail_mount \
    add_jail_mount_rw add_reload_trigger; do
    eval "procd_$f() { echo $f \"\$@\" >>\"$T/procd\"; }"
done
# As rc.common does, whatever start_service says; procd ends what it is not told of then.
start() {
    start_service "$@" || :
    echo close_service >>"$T/procd"
}
logger() { cat >>"$T/logged"; }
EOF

# The shell of OpenWrt is busybox's.
ash() { T=$T CONFIG=$CONFIG busybox sh -eu "$@"; }

made_policy() {
    ash -c ". $T/functions.sh; . $FILES/fmp.sh; fmp_policy" >"$T/made.xml"
}

default_policy() {
    CONFIG=$FILES/fmp.config
    made_policy && xmllint --noout --schema policies/fmp-policy.xsd "$T/made.xml" 2>&1 &&
        "$BIN/fmpctl" policy check --elsewhere "$T/made.xml" && grep -q 'malicious="100"' "$T/made.xml" &&
        grep -q 'mac="yes" observe="no"' "$T/made.xml" && grep -q 'gateway user="fmp" security="Bc"' "$T/made.xml"
}

awkward_policy() {
    CONFIG=$T/awkward
    cat >"$CONFIG" <<'EOF'
config gateway 'gateway'
	option security 'BcV'
	option schema '/etc/fmp/a "b" <c> & d.xsd'
config block 'block'
	option observe 'on'
	option mac '0'
config protect 'protect'
	list address '192.0.2.7'
	list address '2001:db8::/48'
	list mac '02:00:5e:00:53:01'
config enforce 'devices'
	list device 'wlan0'
	list device 'br-lan'
EOF
    made_policy && xmllint --noout --schema policies/fmp-policy.xsd "$T/made.xml" 2>&1 &&
        [ "$(xmllint --xpath 'string(//*[local-name()="gateway"]/@schema)' "$T/made.xml")" = '/etc/fmp/a "b" <c> & d.xsd' ] &&
        [ "$(xmllint --xpath 'count(//*[local-name()="address" or local-name()="mac" or local-name()="device"])' "$T/made.xml")" = 5 ] &&
        grep -q 'mac="no" observe="yes"' "$T/made.xml"
}

# service FUNCTION: the init script with its paths under $T
service() {
    mkdir -p "$T/image/lib/functions" "$T/image/usr/sbin" "$T/image/var" "$T/image/sbin" "$T/image/etc/capabilities"
    cp "$FILES/fmp.sh" "$T/image/lib/functions/"
    # The user fmp is the package's.
    printf '#!/bin/sh\nexec "%s" "$@" --elsewhere\n' "$PWD/$BIN/fmpctl" >"$T/image/usr/sbin/fmpctl"
    chmod 755 "$T/image/usr/sbin/fmpctl"
    : >"$T/image/etc/capabilities/fmp.json"
    printf '#!/bin/sh\n' >"$T/image/sbin/ujail"
    chmod +x "$T/image/sbin/ujail"
    sed "s|/usr/sbin/fmpctl|$T/image&|; s|MADE=|&$T/image|; s|RUN=|&$T/image|
        s|\[ -[xe] |&$T/image|g" "$FILES/fmp.init" >"$T/init"
    : >"$T/procd"
    : >"$T/logged"
    IPKG_INSTROOT=$T/image ash -c ". $T/functions.sh; . $T/init; $1"
}

with_option() { # OPTION VALUE...
    CONFIG=$T/config
    cp "$FILES/fmp.config" "$CONFIG"
    while [ $# -gt 0 ]; do
        sed -i "s|^\toption $1 .*|\toption $1 '$2'|" "$CONFIG"
        shift 2
    done
}

disabled_starts_nothing() {
    CONFIG=$FILES/fmp.config
    service start_service && [ ! -s "$T/procd" ] || return 1
    # Which ends one that runs.
    service reload_service && [ "$(cat "$T/procd")" = close_service ]
}

enabled_starts_fmpd() {
    with_option enabled 1 listen '[::]:8080' state "$T/kept/state"
    service start_service || return 1
    [ "$(stat -c %a "$T/kept")" = 700 ] || return 1
    cat "$T/procd"
    grep -q "^set_param command /usr/sbin/fmpd --foreground --policy $T/image/var/etc/fmp-policy.xml --enforce auto --control" "$T/procd" &&
        grep -q -- "--state $T/kept/state\$" "$T/procd" && grep -qx "add_jail_mount_rw $T/kept" "$T/procd" &&
        grep -qx 'append_param command --listen \[::\]:8080' "$T/procd" &&
        grep -qx 'append_param command --backend http://127.0.0.1:9000/' "$T/procd" &&
        grep -q '^set_param respawn' "$T/procd" && grep -q '^add_jail fmp' "$T/procd" &&
        grep -q '^add_jail_mount .* /etc/config/system ' "$T/procd" &&
        grep -qx 'set_param capabilities /etc/capabilities/fmp.json' "$T/procd" &&
        ! grep -q reload_signal "$T/procd" && [ "$(tail -n 1 "$T/procd")" = close_instance ]
}

faulty_policy_starts_nothing() {
    with_option enabled 1 malicious lots
    ! service reload_service && [ ! -s "$T/procd" ] && grep -q 'malicious' "$T/logged" || return 1
    # Should procd start that one anew, it is to find the policy that was good.
    [ -s "$T/image/var/etc/fmp-policy.xml" ] && ! grep -q lots "$T/image/var/etc/fmp-policy.xml" && [ ! -e "$T/image/var/etc/fmp-policy.xml.new" ]
}

configuration_reloads() {
    with_option enabled 1
    service service_triggers && grep -qx 'add_reload_trigger fmp' "$T/procd"
}

# The ubus object: valid JSON whatever happens, and what fmpctl says of a daemon that runs.
rpcd() {
    sed "s|/usr/sbin/fmpctl|$PWD/$BIN/fmpctl|; s|^CONTROL=.*|CONTROL=$T/rpcd-control|" "$FILES/fmp.rpcd" >"$T/rpcd"
    busybox sh -u "$T/rpcd" "$@"
}
ubus_object_answers() {
    rpcd list | jq -e 'keys == ["blocks", "protected", "sources", "status"]' || return 1
    echo '{}' | rpcd call status | jq -e '.code == 3' || return 1
    ! echo '{}' | rpcd call teardown || return 1
    echo '<policy xmlns="urn:fmp:policy:1" name="ubus"/>' >"$T/ubus.xml"
    start fmpd "$BIN/fmpd" --foreground --enforce none --policy "$T/ubus.xml" --control "$T/rpcd-control"
    wait_for 20 "$BIN/fmpctl" --control "$T/rpcd-control" status || return 1
    echo '{}' | rpcd call status | jq -e '.code == 0 and .records[0].record == "status"' || return 1
    echo '{}' | rpcd call protected | jq -e '.code == 0 and (.records | length) > 1'
}

# fmpd knows every option that it is started with.
options_exist() {
    local option
    sed -n '/command/,/[^\\]$/p' "$FILES/fmp.init" | grep -o -- '--[a-z]*' | sort -u >"$T/options"
    [ "$(wc -l <"$T/options")" -ge 6 ] || return 1
    while read -r option; do
        "$BIN/fmpd" --help | grep -q -- "$option" || { echo "fmpd lacks $option"; return 1; }
    done <"$T/options"
}

# build PACKAGE TARGET: reads openwrt/PACKAGE/Makefile as OpenWrt would, and runs one of its
# recipes, with stand-ins that only copy.
build() {
    mkdir -p "$T/top" "$T/pkg/$1" "$T/inst" "$T/dev"
    cat >"$T/top/rules.mk" <<EOF
INCLUDE_DIR := $T/top
BUILD_DIR := $T/pkg
BUILD_DIR_HOST := $T/pkg
PKG_BUILD_DIR = $T/pkg/$1
PKG_INSTALL_DIR := $T/inst
STAGING_DIR_HOSTPKG := /usr
LINUX_KMOD_SUFFIX := ko
KERNEL_MAKE = \$(MAKE) -s -f $T/top/kbuild.mk
INSTALL_DIR := install -d
INSTALL_BIN := install -m755
INSTALL_DATA := install -m644
INSTALL_CONF := install -m600
CP := cp -a
EOF
    cat >"$T/top/package.mk" <<'EOF'
define BuildPackage
names:: ; @echo $(1)
prepare: ; $(Build/Prepare)
install-$(1): ; $(call Package/$(1)/install,$(DESTDIR))
endef
define KernelPackage
names:: ; @echo $(1)
prepare: ; $(Build/Prepare)
compile: ; $(Build/Compile)
endef
HostBuild =
EOF
    : >"$T/top/kernel.mk"
    : >"$T/top/host-build.mk"
    make -s -C "openwrt/$1" TOPDIR="$T/top" DESTDIR="$T/image-$1" "$2"
}

makefiles_name_packages() {
    [ "$(build fmp names | tr '\n' ' ')" = 'fmp fmp-flood ' ] && [ "$(build kmod-fmp names)" = fmp ] &&
        [ "$(build xmlsec1 names)" = libxmlsec1 ] && [ "$(build gsoap names)" = gsoap ] &&
        [ "$(grep -hc '^PKG_HASH:=[0-9a-f]\{64\}$' openwrt/xmlsec1/Makefile openwrt/gsoap/Makefile | tr '\n' ' ')" = '1 1 ' ]
}

# All that `make` reads is copied, and all that is installed is there.
fmp_is_complete() {
    build fmp prepare || return 1
    # As many files are compiled there as here.
    make -s -n -C "$T/pkg/fmp" V=1 B=none all >"$T/there" && make -s -n V=1 B=none all >"$T/here" || return 1
    [ "$(grep -c ' -c ' "$T/there")" = "$(grep -c ' -c ' "$T/here")" ] || return 1
    install -d "$T/inst/usr/sbin" "$T/inst/usr/libexec" "$T/inst/usr/share/fmp" "$T/inst/usr/bin"
    cp "$BIN/fmpd" "$BIN/fmpctl" "$T/inst/usr/sbin/"
    cp "$BIN/fmp-gateway" "$BIN/fmp-policy-load" "$BIN/fmp-nat64" "$T/inst/usr/libexec/"
    cp policies/*.xml policies/*.xsd daemon/fmpd/udhcpc.sh "$T/inst/usr/share/fmp/"
    cp "$BIN/fmp-flood" "$T/inst/usr/bin/"
    build fmp install-fmp && build fmp install-fmp-flood || return 1
    (cd "$T/image-fmp" && ls usr/sbin/fmpd usr/sbin/fmpctl usr/libexec/fmp-gateway usr/libexec/fmp-policy-load usr/libexec/fmp-nat64 usr/bin/fmp-flood etc/init.d/fmp \
        usr/libexec/rpcd/fmp etc/config/fmp etc/capabilities/fmp.json etc/udhcpc.user.d/50-fmp lib/functions/fmp.sh usr/share/fmp/balanced.xml)
}

kmod_is_complete() {
    local source
    build kmod-fmp prepare || return 1
    [ -e "$T/pkg/kmod-fmp/Kbuild" ] || return 1
    sed -n 's/^fmp-y [:+]=//p' kernel/Kbuild | grep -o '[a-z0-9_/]*\.o' >"$T/sources"
    [ "$(wc -l <"$T/sources")" -gt 5 ] || return 1
    while read -r source; do
        [ -e "$T/pkg/kmod-fmp/kernel/${source%.o}.c" ] || { echo "no $source"; return 1; }
    done <"$T/sources"
}

# The modules that its build makes; what Kbuild does with obj-m, without a kernel.
kmod_builds_no_bench() {
    cat >"$T/top/kbuild.mk" <<'EOF'
KBUILD_EXTMOD := $(M)
walk = $(foreach obj,$(obj-m),$(eval obj-m :=)$(if $(filter %/,$(obj)),$(call read,$(1)$(obj)),$(info $(1)$(obj))))
read = $(eval src := $(1))$(eval include $(1)Kbuild)$(call walk,$(1))
modules: ; $(call read,$(M)/)@:
EOF
    build kmod-fmp prepare && build kmod-fmp compile >"$T/built" || return 1
    cat "$T/built"
    grep -qx "$T/pkg/kmod-fmp/kernel/fmp.o" "$T/built" && ! grep -q bench "$T/built"
}

# Where an fmpd runs teardown is refused: it has to look at the socket that the service gives it.
teardown_is_told_the_socket() {
    local control
    control=$(sed -n 's/^RUN=//p' "$FILES/fmp.init")/control
    grep -qF "fmpd --teardown --control $control" openwrt/README.md &&
        ! grep -h 'fmpd --teardown' openwrt/README.md "$FILES/fmp.init" | grep -v -- '--teardown --control'
}

capabilities_are_json() {
    jq -e '.bounding == .permitted and .ambient == [] and (.bounding | index("CAP_NET_ADMIN"))' "$FILES/fmp.json"
}

check openwrt_makefiles_name_packages makefiles_name_packages
check openwrt_fmp_is_complete fmp_is_complete
check openwrt_kmod_is_complete kmod_is_complete
check openwrt_kmod_builds_no_bench kmod_builds_no_bench
check openwrt_capabilities_are_json capabilities_are_json
check openwrt_default_policy default_policy
check openwrt_awkward_policy awkward_policy
check openwrt_disabled_starts_nothing disabled_starts_nothing
check openwrt_enabled_starts_fmpd enabled_starts_fmpd
check openwrt_faulty_policy_starts_nothing faulty_policy_starts_nothing
check openwrt_configuration_reloads configuration_reloads
check openwrt_options_exist options_exist
check openwrt_teardown_is_told_the_socket teardown_is_told_the_socket
check openwrt_ubus_object_answers ubus_object_answers
