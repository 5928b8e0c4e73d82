# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash disable=SC2119,SC2154 # no option more
#
# The shipped notices, alerts and dashboard: notices reach a webhook, a mail program and a broker; the alerts are
# what promtool takes and ring when they should; all metrics that they name are there.

. tests/cli/lib_netns.sh
own_netns monitoring "${1:-}" ip unshare mosquitto mosquitto_pub promtool curl jq

. tests/cli/lib.sh
. tests/cli/lib_gateway.sh
. tests/cli/lib_plane.sh

HERE=policies/monitoring
ip link set lo up
unset http_proxy HTTP_PROXY all_proxy ALL_PROXY

webhook() {
    python3 - "$T/hooks" <<'EOF' &
import http.server, sys
class Hook(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        with open(sys.argv[1], "ab") as f:
            f.write(body + b"\n")
        self.send_response(204)
        self.end_headers()
    def log_message(self, *args):
        pass
http.server.HTTPServer(("127.0.0.1", 8088), Hook).serve_forever()
EOF
    pids+=($!)
}
serves() { curl -s -o /dev/null "http://127.0.0.1:$1/"; [ $? != 7 ]; }

# $T/mail gets what sendmail(8) would.
cat >"$T/sendmail" <<EOF
#!/bin/sh
[ "\$*" = "-t -i" ] && cat >>"$T/mail"
EOF
chmod 755 "$T/sendmail"

hook_has() { [ -s "$T/hooks" ] && jq -es "flatten | any($1)" "$T/hooks" >/dev/null; }

notices() {
    webhook
    printf 'listener 1883 127.0.0.1\nallow_anonymous true\n' >"$T/mosquitto.conf"
    start broker mosquitto -c "$T/mosquitto.conf"
    wait_for 10 serves 8088 && wait_for 10 serves 1883 || return 1
    start subscriber mosquitto_sub -h 127.0.0.1 -t 'fmp/#' -v
    FMP_NOTIFY_MAIL=ops@example.org FMP_NOTIFY_WEBHOOK=http://127.0.0.1:8088/ FMP_NOTIFY_MQTT=127.0.0.1:1883 FMP_NOTIFY_EVERY=1 \
        FMP_NOTIFY_CONTROL=$CONTROL FMPCTL=$BIN/fmpctl SENDMAIL=$T/sendmail start notify "$HERE/fmp-notify"
    # Until it listens: a block is made anew.
    wait_for 20 hooked || { cat "$T/notify.err"; return 1; }
    ctl block 198.51.100.9 --for 1h --reason $'bad\xe2\x80\xaeman' >/dev/null
    wait_for 20 hook_has '.addr == "198.51.100.9" and .action == "block" and (.time | test("Z$"))' || return 1
    wait_for 10 grep -Eq '^20.* block 198.51.100.9 for 3600 s: bad' "$T/mail" && ! grep -q $'\xe2\x80\xae' "$T/mail" &&
        grep -q '^Subject: fmp on .*: [0-9]* notices$' "$T/mail" && grep -q '^To: ops@example.org$' "$T/mail" || { cat "$T/mail"; return 1; }
    wait_for 10 grep -Eq '^fmp/[^ ]* \{.*"addr":"198.51.100.9"' "$T/subscriber.out" || { cat "$T/subscriber.out"; return 1; }
    # That fmpd is gone is a notice, and the next decisions come again.
    plane_ends
    wait_for 20 hook_has '.record == "watch" and .state == "lost"' || return 1
    plane_up
    wait_for 20 hook_has '.record == "watch" and .state == "back"' || return 1
    ctl block 198.51.100.10 >/dev/null
    wait_for 20 hook_has '.addr == "198.51.100.10"'
}
hooked() {
    ctl block 198.51.100.1 >/dev/null
    ctl unblock 198.51.100.1 >/dev/null
    hook_has '.addr == "198.51.100.1"'
}

alerts() {
    promtool check rules "$HERE/fmp-alerts.yml" || return 1
    cat >"$T/alerts.test.yml" <<EOF
rule_files: ["$PWD/$HERE/fmp-alerts.yml"]
evaluation_interval: 1m
tests:
  - interval: 1m
    input_series:
      - {series: 'fmp_refused_total{instance="a"}', values: "0 0 0 4 4 4 4 4 4 4 4 4"}
      - {series: 'fmp_enforcement_ratio{instance="a",layer="ip"}', values: "1 1 0.5 0.5 0.5 0.5 1 1 1 1 1 1"}
      - {series: 'fmp_gateway_restarts_total{instance="a"}', values: "0 1 2 4 6 6 6 6 6 6 6 6"}
      - {series: 'fmp_state_writes_total{instance="a",result="failed"}', values: "0 0 0 1 1 1 1 1 1 1 1 1"}
      - {series: 'fmp_refused_total{instance="b"}', values: "7x12"}
    alert_rule_test:
      - {eval_time: 2m, alertname: FmpTableFull}
      - {eval_time: 2m, alertname: FmpStateNotWritten}
      - {eval_time: 5m, alertname: FmpNotEnforced, exp_alerts: [{exp_labels: {severity: critical, instance: a, layer: ip}, exp_annotations:
          {summary: "a: the layer ip has 50% of its rules: fmpctl status --verify"}}]}
      - {eval_time: 8m, alertname: FmpNotEnforced}
EOF
    promtool test rules "$T/alerts.test.yml" || return 1
    # Which ring at 5 minutes, by their names.
    local name
    for name in FmpTableFull FmpGatewayRestarting FmpStateNotWritten; do
        sed "/alert_rule_test/,\$d" "$T/alerts.test.yml" >"$T/silent.yml"
        printf '    alert_rule_test:\n      - {eval_time: 5m, alertname: %s}\n' "$name" >>"$T/silent.yml"
        ! promtool test rules "$T/silent.yml" >/dev/null 2>&1 || { echo "$name does not ring"; return 1; }
    done
}

metrics_are_there() {
    curl -s http://127.0.0.1:9333/metrics | sed -n 's/^# TYPE \([^ ]*\) .*/\1/p' | sort -u >"$T/there"
    [ -s "$T/there" ] && jq -e '.panels | length >= 10' "$HERE/fmp-dashboard.json" >/dev/null || return 1
    grep -ohE 'fmp_[a-z_]+' "$HERE/fmp-alerts.yml" "$HERE/fmp-dashboard.json" | sed 's/_bucket$//' | sort -u >"$T/named"
    [ "$(wc -l <"$T/named")" -ge 15 ] && [ -z "$(comm -23 "$T/named" "$T/there")" ] || { comm -23 "$T/named" "$T/there"; return 1; }
}

installed() {
    make -n install DESTDIR="$T/root" | tr '\n' ' ' | grep -q 'monitoring/fmp-notify .*share/fmp/monitoring'
}

service
plane_policy notices
sed -i 's|<enforce|<metrics listen="127.0.0.1:9333"/><state file="'"$T/state"'"/><enforce|' "$T/policy.xml"
plane_up
check metrics_are_there metrics_are_there
check alerts alerts
check notices notices
check installed installed
