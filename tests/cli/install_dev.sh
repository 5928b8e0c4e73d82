# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# What another program is built against: the library, its headers and fmp.pc, installed
# apart. The program reports a source to an fmpd, and inspects a message.

. tests/cli/lib.sh
. tests/cli/lib_plane.sh

cat >"$T/program.c" <<'EOF'
#include <stdio.h>
#include <fmp/gsoap.h>
#include <fmp/inspect.h>
#include <fmp/report.h>
#include <linux/fmp.h>

int main(int argc, char **argv)
{
	struct fmp_event ev = { .kind = FMP_EVENT_LOGIN, .proven = true, .dest_port = 22 };
	struct fmp_reporter *r;
	static struct fmp_error err;
	int rc = fmp_addr_parse(argv[2], &ev.source, &err);

	if (!rc)
		rc = fmp_reporter_open(argv[1], &r, &err);
	if (!rc) {
		rc = fmp_report(r, &ev, &err);
		fmp_reporter_close(r);
	}
	printf("%d %s\n", rc, err.message);
	return rc != 0;
}
EOF

installs() {
    make install-dev B="$PWD/build" PREFIX=/usr DESTDIR="$T/tree" &&
        [ -e "$T/tree/usr/lib/libfmp.a" ] && [ -e "$T/tree/usr/lib/pkgconfig/fmp.pc" ]
}

# By pkg-config alone, as C and as C++, with nothing of this tree.
pc() { PKG_CONFIG_PATH="$T/tree/usr/lib/pkgconfig" pkg-config --define-prefix "$@" fmp; }
builds() {
    # shellcheck disable=SC2046
    gcc -std=c11 -D_GNU_SOURCE -Wall -Werror $(pc --cflags) -o "$T/program" "$T/program.c" $(pc --libs) &&
        g++ -std=c++20 -D_GNU_SOURCE -fsyntax-only -x c++ $(pc --cflags) "$T/program.c"
}

reports() {
    plane_policy reported
    "$BIN/fmpd" --foreground --enforce none --policy "$T/policy.xml" --control "$CONTROL" >"$T/fmpd.err" 2>&1 &
    pids+=($!)
    wait_for 10 test -S "$T/report" || { cat "$T/fmpd.err"; return 1; }
    "$T/program" "$T/report" 198.51.100.9 && ctl why 198.51.100.9 | grep ' login '
}

check installs installs
check builds builds
check reports reports
