// SPDX-License-Identifier: GPL-2.0
/* The protected set without a kernel: resolv.conf, policy, by hand, always. */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <net/protect.h>
#include <fmp/net.h>

#include "addr.h"
#include <net/system_peers.h>

#include "lease.h"

static char conf[] = "/tmp/fmp-resolv-XXXXXX";
static struct fmp_protect *p;

/* The origin that forbids to block an address, 0 if none does. */
static int find_origin(const char *text)
{
	struct fmp_addr a = addr(text);
	const struct fmp_protect_entry *e = fmp_protect_check(p, &a);

	return e ? (int)e->origin : 0;
}

static void write_conf(const char *text)
{
	FILE *f = fopen(conf, "we");

	ck_assert_ptr_nonnull(f);
	ck_assert_int_ge(fputs(text, f), 0);
	ck_assert_int_eq(fclose(f), 0);
}

static void setup(void)
{
	int fd = mkstemp(strcpy(conf, "/tmp/fmp-resolv-XXXXXX"));

	ck_assert_int_ge(fd, 0);
	close(fd);
	ck_assert_int_eq(fmp_protect_new(&p, NULL), 0);
}

static void teardown(void)
{
	fmp_protect_free(p);
	unlink(conf);
}

START_TEST(inv1_always_protected)
{
	static const char *const texts[] = { "127.0.0.1",
					     "127.9.9.9",
					     "0.0.0.0",
					     "224.0.0.1",
					     "239.1.2.3",
					     "255.255.255.255",
					     "::1",
					     "::",
					     "ff02::1",
					     "ff:ff:ff:ff:ff:ff",
					     "01:00:5e:00:00:01",
					     "33:33:00:00:00:01",
					     "00:00:00:00:00:00" };

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		ck_assert_msg(find_origin(texts[i]) == FMP_PROTECT_LOOPBACK, "%s", texts[i]);
	ck_assert_int_eq(find_origin("192.0.2.1"), 0);
	ck_assert_int_eq(find_origin("2001:db8::1"), 0);
	ck_assert_int_eq(find_origin("02:00:00:00:00:01"), 0);
	ck_assert_int_eq(find_origin("126.0.0.0/7"), FMP_PROTECT_LOOPBACK);
}
END_TEST

START_TEST(inv1_prefix_that_holds_a_protected_address)
{
	struct fmp_addr policy[] = { addr("192.0.2.9"), addr("2001:db8:1::/48"),
				     addr("02:00:00:00:00:09") };

	write_conf("");
	ck_assert_int_eq(fmp_protect_rebuild(p, NULL, conf, policy, 3, NULL), 1);
	ck_assert_int_eq(find_origin("192.0.2.9"), FMP_PROTECT_POLICY);
	ck_assert_int_eq(find_origin("192.0.2.0/24"), FMP_PROTECT_POLICY);
	ck_assert_int_eq(find_origin("192.0.2.8"), 0);
	ck_assert_int_eq(find_origin("192.0.2.0/29"), 0);
	ck_assert_int_eq(find_origin("2001:db8:1:5::/64"), FMP_PROTECT_POLICY);
	ck_assert_int_eq(find_origin("2001:db8::/32"), FMP_PROTECT_POLICY);
	ck_assert_int_eq(find_origin("2001:db8:2::/64"), 0);
	ck_assert_int_eq(find_origin("02:00:00:00:00:09"), FMP_PROTECT_POLICY);
}
END_TEST

START_TEST(resolvers)
{
	write_conf("# nameserver 192.0.2.50\n"
		   "search example.org\n"
		   "nameserver 192.0.2.53\n"
		   " nameserver\t2001:db8::53 # a comment\n"
		   "nameserver fe80::53%wlan0\n"
		   "nameserver not-an-address\n"
		   "nameserverx 192.0.2.51\n"
		   "nameserver 192.0.2.0/24\n"
		   "nameserver 192.0.2.54");
	ck_assert_int_eq(fmp_protect_rebuild(p, NULL, conf, NULL, 0, NULL), 1);
	ck_assert_int_eq(find_origin("192.0.2.53"), FMP_PROTECT_RESOLVER);
	ck_assert_int_eq(find_origin("192.0.2.54"), FMP_PROTECT_RESOLVER);
	ck_assert_int_eq(find_origin("2001:db8::53"), FMP_PROTECT_RESOLVER);
	ck_assert_int_eq(find_origin("fe80::53"), FMP_PROTECT_RESOLVER);
	ck_assert_int_eq(find_origin("192.0.2.50"), 0);
	ck_assert_int_eq(find_origin("192.0.2.51"), 0);
	ck_assert_int_eq(find_origin("192.0.2.1"), 0);
	/* Nothing new: no change; gone: a change, and no error. */
	ck_assert_int_eq(fmp_protect_rebuild(p, NULL, conf, NULL, 0, NULL), 0);
	unlink(conf);
	ck_assert_int_eq(fmp_protect_rebuild(p, NULL, conf, NULL, 0, NULL), 1);
	ck_assert_int_eq(find_origin("192.0.2.53"), 0);
}
END_TEST

START_TEST(resolvers_are_bounded)
{
	FILE *f = fopen(conf, "we");

	for (int i = 0; i < 100; i++)
		fprintf(f, "nameserver 192.0.2.%d\n", i);
	ck_assert_int_eq(fclose(f), 0);
	ck_assert_int_eq(fmp_protect_rebuild(p, NULL, conf, NULL, 0, NULL), 1);
	ck_assert_int_eq(find_origin("192.0.2.15"), FMP_PROTECT_RESOLVER);
	ck_assert_int_eq(find_origin("192.0.2.16"), 0);
}
END_TEST

static void write_below(const char *root, const char *dir, const char *file, const char *text)
{
	char command[256], path[256];
	FILE *f;

	snprintf(command, sizeof(command), "mkdir -p %s%s", root, dir);
	ck_assert_int_eq(system(command), 0);
	snprintf(path, sizeof(path), "%s%s/%s", root, dir, file);
	f = fopen(path, "we");
	ck_assert_ptr_nonnull(f);
	ck_assert_int_ge(fputs(text, f), 0);
	ck_assert_int_eq(fclose(f), 0);
}

/* DHCP and NTP servers, by what networkd, dhclient, NetworkManager, chrony, timesyncd, uci write. */
START_TEST(servers_that_others_name)
{
	char root[] = "/tmp/fmp-relied-XXXXXX", command[64];

	write_conf("");
	ck_assert_ptr_nonnull(mkdtemp(root));
	write_below(
		root, "/run/systemd/netif/leases", "3",
		"ADDRESS=192.0.2.9\nSERVER_ADDRESS=192.0.2.67\nNTP=192.0.2.123 2001:db8::123\n");
	write_below(
		root, "/var/lib/dhcp", "dhclient.wlan0.leases",
		"lease {\n  fixed-address 192.0.2.8;\n"
		"  option dhcp-server-identifier 192.0.2.68;\n  option routers 192.0.2.7;\n}\n");
	write_below(root, "/var/lib/NetworkManager", "internal-x-wlan0.lease",
		    "SERVER_ADDRESS=192.0.2.69\n");
	write_below(root, "/etc/chrony", "chrony.conf",
		    "pool 2.debian.pool.ntp.org iburst\nserver 192.0.2.124 iburst minpoll 4\n"
		    "#server 192.0.2.1\nserver time.example.org 192.0.2.2\nservers 192.0.2.3\n"
		    "allow 192.0.2.4\n");
	write_below(root, "/etc/systemd", "timesyncd.conf",
		    "[Time]\nNTP=time.example.org 192.0.2.125 # 192.0.2.5\n");
	write_below(root, "/etc/config", "system",
		    "config timeserver 'ntp'\n\tlist server '192.0.2.126'\n"
		    "\tlist server '0.openwrt.pool.ntp.org'\n\tlist server '192.0.2.0/24'\n");
	fmp_protect_use_system_peers(p, root);
	ck_assert_int_eq(fmp_protect_rebuild(p, NULL, conf, NULL, 0, NULL), 1);
	for (int i = 0; i < 256; i++) {
		char text[32];
		int want = i >= 67 && i <= 69	  ? FMP_PROTECT_DHCP
			   : i >= 123 && i <= 126 ? FMP_PROTECT_NTP
						  : 0;

		snprintf(text, sizeof(text), "192.0.2.%d", i);
		ck_assert_msg(find_origin(text) == want, "%s: %s", text,
			      fmp_protect_origin_name((unsigned)find_origin(text)));
	}
	ck_assert_int_eq(find_origin("2001:db8::123"), FMP_PROTECT_NTP);
	/* A lease that is no more, and no such machine at all. */
	snprintf(command, sizeof(command), "rm -r %s", root);
	ck_assert_int_eq(system(command), 0);
	ck_assert_int_eq(fmp_protect_rebuild(p, NULL, conf, NULL, 0, NULL), 1);
	ck_assert_int_eq(find_origin("192.0.2.67"), 0);
	ck_assert_int_eq(fmp_protect_rebuild(p, NULL, conf, NULL, 0, NULL), 0);
}
END_TEST

static int count_dhcp(const struct fmp_addr *a, enum fmp_protect_origin from, void *n)
{
	*(unsigned *)n += from == FMP_PROTECT_DHCP;
	return 0;
}

static unsigned count_servers(const char *root, const char *own)
{
	struct fmp_addr a = addr(own);
	struct fmpi_addrset set = { 0 };
	unsigned n = 0;

	ck_assert_int_eq(fmpi_addrset_push(&set, &a), 0);
	fmpi_addrset_sort(&set);
	ck_assert_int_eq(fmpi_system_peers_servers(root, &set, count_dhcp, &n), 0);
	fmpi_addrset_free(&set);
	return n;
}

/* dhcpcd keeps what the server said, one file a network: those count that are in force. */
START_TEST(leases_of_dhcpcd)
{
	char root[] = "/tmp/fmp-relied-XXXXXX", command[256], path[128];
	FILE *f;

	write_conf("");
	ck_assert_ptr_nonnull(mkdtemp(root));
	write_below(root, "/var/lib/dhcpcd", "wlan0-cafe.lease", "no lease\n");
	snprintf(path, sizeof(path), "%s/var/lib/dhcpcd/wlan0-home.lease", root);
	f = fopen(path, "we");
	ck_assert_ptr_nonnull(f);
	ck_assert_uint_eq(fwrite(lease_file, sizeof(lease_file), 1, f), 1);
	ck_assert_int_eq(fclose(f), 0);
	fmp_protect_use_system_peers(p, root);
	ck_assert_int_eq(fmp_protect_rebuild(p, NULL, conf, NULL, 0, NULL), 1);
	ck_assert_int_eq(find_origin("192.0.2.1"), FMP_PROTECT_DHCP);
	/* A lease of the network that we are in. */
	ck_assert_uint_eq(count_servers(root, "192.0.2.106"), 1);
	ck_assert_uint_eq(count_servers(root, "192.0.2.107"), 0);
	/* Renewed the last time before it would be over. */
	snprintf(command, sizeof(command), "touch -d '1 hour ago' %s", path);
	ck_assert_int_eq(system(command), 0);
	ck_assert_int_eq(fmp_protect_rebuild(p, NULL, conf, NULL, 0, NULL), 1);
	ck_assert_int_eq(find_origin("192.0.2.1"), 0);
	/* A clock that is not set yet is behind. */
	snprintf(command, sizeof(command), "touch -d '1 hour' %s", path);
	ck_assert_int_eq(system(command), 0);
	ck_assert_int_eq(fmp_protect_rebuild(p, NULL, conf, NULL, 0, NULL), 1);
	ck_assert_int_eq(find_origin("192.0.2.1"), FMP_PROTECT_DHCP);
	snprintf(command, sizeof(command), "rm -r %s", root);
	ck_assert_int_eq(system(command), 0);
}
END_TEST

/* udhcpc keeps nothing: a script of ours writes one file an interface. */
START_TEST(leases_of_udhcpc)
{
#define SERVER "ADDRESS=192.0.2.106\nSERVER_ADDRESS=192.0.2.1\n"
	static const char told[] = SERVER "LIFETIME=4000000000\nSINCE=0\n";
	static const char *const wrong[] = {
		"",
		"ADDRESS=192.0.2.106\nLIFETIME=4000000000\nSINCE=0\n",
		"SERVER_ADDRESS=192.0.2.1\nLIFETIME=4000000000\nSINCE=0\n",
		"ADDRESS=192.0.2.106\nSERVER_ADDRESS=192.0.2.0/24\nLIFETIME=4000000000\nSINCE=0\n",
		"ADDRESS=192.0.2.106\nSERVER_ADDRESS=server\nLIFETIME=4000000000\nSINCE=0\n",
		"\n\n\n\n\n\n\n\n" SERVER "LIFETIME=4000000000\nSINCE=0\n",
		SERVER "LIFETIME=4000000000\n", /* since when? */
		SERVER "LIFETIME=4000000000\nSINCE=3000000000\n", /* of another start */
		SERVER "SINCE=0\n",
	};
	static const char dir[] = "/var/run/fmp/dhcp";
	char root[] = "/tmp/fmp-relied-XXXXXX", command[256], text[128];
	struct timespec now;

	ck_assert_ptr_nonnull(mkdtemp(root));
	write_below(root, dir, "lo", told);
	ck_assert_uint_eq(count_servers(root, "192.0.2.106"), 1);
	/* Of a network that we are in no more. */
	ck_assert_uint_eq(count_servers(root, "192.0.2.107"), 0);
	/* The clock was set behind the lease. */
	snprintf(command, sizeof(command), "touch -d '3 days ago' %s%s/lo", root, dir);
	ck_assert_int_eq(system(command), 0);
	ck_assert_uint_eq(count_servers(root, "192.0.2.106"), 1);
	/* It is over. */
	ck_assert_int_eq(clock_gettime(CLOCK_BOOTTIME, &now), 0);
	snprintf(text, sizeof(text), SERVER "LIFETIME=%ld\nSINCE=0\n", (long)now.tv_sec - 1);
	write_below(root, dir, "lo", text);
	ck_assert_uint_eq(count_servers(root, "192.0.2.106"), 0);
	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		write_below(root, dir, "lo", wrong[i]);
		ck_assert_msg(!count_servers(root, "192.0.2.106"), "%zu", i);
	}
	/* What anybody may have written. */
	write_below(root, dir, "lo", told);
	snprintf(command, sizeof(command), "chown 12345 %s%s/lo", root, dir);
	if (!geteuid()) {
		ck_assert_int_eq(system(command), 0);
		ck_assert_uint_eq(count_servers(root, "192.0.2.106"), 0);
	}
	/* No interface, and one that is not written whole. */
	write_below(root, dir, "none-such-0", told);
	write_below(root, dir, ".lo", told);
	ck_assert_uint_eq(count_servers(root, "192.0.2.106"), 0);
	snprintf(command, sizeof(command), "rm -r %s", root);
	ck_assert_int_eq(system(command), 0);
}
END_TEST

/* dhclient appends a lease at each renewal: the last ones count, and a server but once. */
START_TEST(the_newest_leases)
{
	char root[] = "/tmp/fmp-relied-XXXXXX", command[64], path[128];
	FILE *f;

	write_conf("");
	ck_assert_ptr_nonnull(mkdtemp(root));
	write_below(root, "/var/lib/dhcp", "dhclient.leases", "");
	snprintf(path, sizeof(path), "%s/var/lib/dhcp/dhclient.leases", root);
	f = fopen(path, "we");
	ck_assert_ptr_nonnull(f);
	for (int i = 0; i < 20; i++)
		fprintf(f, "lease {\n  option dhcp-server-identifier 192.0.2.%d;\n}\n", i);
	/* More of the same than is read of any other file. */
	for (int i = 0; i < 3000; i++)
		fprintf(f, "lease {\n  option dhcp-server-identifier 192.0.2.%d;\n}\n",
			i < 2000    ? 77
			: i == 2500 ? 78
				    : 79);
	fprintf(f, "lease {\n  option dhcp-server-identifier 192.0.2.80;\n}\n");
	ck_assert_int_eq(fclose(f), 0);
	fmp_protect_use_system_peers(p, root);
	ck_assert_int_eq(fmp_protect_rebuild(p, NULL, conf, NULL, 0, NULL), 1);
	ck_assert_int_eq(find_origin("192.0.2.0"), 0);
	ck_assert_int_eq(find_origin("192.0.2.78"), FMP_PROTECT_DHCP);
	ck_assert_int_eq(find_origin("192.0.2.79"), FMP_PROTECT_DHCP);
	ck_assert_int_eq(find_origin("192.0.2.80"), FMP_PROTECT_DHCP);
	snprintf(command, sizeof(command), "rm -r %s", root);
	ck_assert_int_eq(system(command), 0);
}
END_TEST

/* Whom systemd-resolved and dnsmasq ask, where resolv.conf names only them. */
START_TEST(resolvers_behind_a_stub)
{
	char root[] = "/tmp/fmp-relied-XXXXXX", command[64];

	write_conf("nameserver 127.0.0.53\n");
	ck_assert_ptr_nonnull(mkdtemp(root));
	write_below(root, "/run/systemd/resolve", "resolv.conf",
		    "nameserver 192.0.2.53\nnameserver 2001:db8::53\nsearch .\n");
	write_below(root, "/tmp/resolv.conf.d", "resolv.conf.auto",
		    "# Interface wan\nnameserver 192.0.2.54\n# Interface wan6\n"
		    "nameserver fe80::54%wan\n");
	fmp_protect_use_system_peers(p, root);
	ck_assert_int_eq(fmp_protect_rebuild(p, NULL, conf, NULL, 0, NULL), 1);
	ck_assert_int_eq(find_origin("192.0.2.53"), FMP_PROTECT_RESOLVER);
	ck_assert_int_eq(find_origin("2001:db8::53"), FMP_PROTECT_RESOLVER);
	ck_assert_int_eq(find_origin("192.0.2.54"), FMP_PROTECT_RESOLVER);
	ck_assert_int_eq(find_origin("fe80::54"), FMP_PROTECT_RESOLVER);
	snprintf(command, sizeof(command), "rm -r %s", root);
	ck_assert_int_eq(system(command), 0);
}
END_TEST

START_TEST(by_hand)
{
	struct fmp_addr a = addr("198.51.100.0/24"), b = addr("192.0.2.9"), none = { 0 };
	struct fmp_addr all = { .family = FMP_FAMILY_IPV4 }, oui = addr("02:00:00:00:00:00");

	oui.prefix_len = 24;
	write_conf("");
	ck_assert_int_eq(fmp_protect_add(p, &a), 0);
	ck_assert_int_eq(fmp_protect_add(p, &a), FMP_ERR_EXISTS);
	ck_assert_int_eq(find_origin("198.51.100.7"), FMP_PROTECT_MANUAL);
	/* A rebuild keeps what was said by hand. */
	ck_assert_int_eq(fmp_protect_rebuild(p, NULL, conf, &b, 1, NULL), 1);
	ck_assert_int_eq(find_origin("198.51.100.7"), FMP_PROTECT_MANUAL);
	/* What the policy says can't be taken away by hand. */
	ck_assert_int_eq(fmp_protect_add(p, &b), FMP_ERR_EXISTS);
	ck_assert_int_eq(fmp_protect_del(p, &b), FMP_ERR_NOTFOUND);
	ck_assert_int_eq(fmp_protect_del(p, &a), 0);
	ck_assert_int_eq(fmp_protect_del(p, &a), FMP_ERR_NOTFOUND);
	ck_assert_int_eq(find_origin("198.51.100.7"), 0);
	ck_assert_int_eq(fmp_protect_add(p, &none), FMP_ERR_INVALID);
	ck_assert_int_eq(fmp_protect_add(p, &all), FMP_ERR_INVALID);
	ck_assert_int_eq(fmp_protect_add(p, &oui), FMP_ERR_INVALID);
}
END_TEST

START_TEST(by_hand_is_bounded)
{
	int rc = 0, n = 0;

	for (; n < 5000 && !rc; n++) {
		struct fmp_addr a = fmp_addr_ipv4((const uint8_t[]){ 10, 0, n >> 8, n & 255 });

		rc = fmp_protect_add(p, &a);
	}
	ck_assert_int_eq(rc, FMP_ERR_LIMIT);
	ck_assert_int_eq(n, 1025);
}
END_TEST

START_TEST(a_bad_policy_keeps_the_old_set)
{
	struct fmp_addr good = addr("192.0.2.9");
	struct fmp_addr bad[] = { addr("192.0.2.10"), { .family = FMP_FAMILY_IPV6 } };
	struct fmp_error err = { 0 };

	write_conf("");
	ck_assert_int_eq(fmp_protect_rebuild(p, NULL, conf, &good, 1, NULL), 1);
	ck_assert_int_eq(fmp_protect_rebuild(p, NULL, conf, bad, 2, &err), FMP_ERR_INVALID);
	ck_assert_int_eq(err.code, FMP_ERR_INVALID);
	ck_assert_int_eq(find_origin("192.0.2.9"), FMP_PROTECT_POLICY);
	ck_assert_int_eq(find_origin("192.0.2.10"), 0);
}
END_TEST

START_TEST(list_is_sorted_and_single)
{
	struct fmp_addr policy[] = { addr("192.0.2.9"), addr("192.0.2.53"), addr("192.0.2.9") };
	const struct fmp_protect_entry *e;
	size_t n;

	write_conf("nameserver 192.0.2.53\n");
	ck_assert_int_eq(fmp_protect_rebuild(p, NULL, conf, policy, 3, NULL), 1);
	n = fmp_protect_list(p, &e);
	ck_assert_uint_gt(n, 2);
	for (size_t i = 1; i < n; i++)
		ck_assert_int_lt(fmp_addr_compare(&e[i - 1].addr, &e[i].addr), 0);
	/* The resolver's word binds more than the policy's. */
	ck_assert_int_eq(find_origin("192.0.2.53"), FMP_PROTECT_RESOLVER);
}
END_TEST

START_TEST(loopback_does_not_stand_in_the_kernel)
{
	struct fmp_protect_entry e = { addr("127.0.0.1"), FMP_PROTECT_OWN };

	ck_assert(!fmpi_protect_in_kernel(&e));
	e.addr = addr("192.0.2.1");
	ck_assert(fmpi_protect_in_kernel(&e));
	e.addr = addr("ff02::1");
	ck_assert(!fmpi_protect_in_kernel(&e));
}
END_TEST

START_TEST(origins_have_names)
{
	for (unsigned o = FMP_PROTECT_OWN; o <= FMP_PROTECT_LOOPBACK; o++)
		ck_assert_str_ne(fmp_protect_origin_name(o), "unknown");
	ck_assert_str_eq(fmp_protect_origin_name(0), "unknown");
	ck_assert_str_eq(fmp_protect_origin_name(99), "unknown");
}
END_TEST

int main(void)
{
	Suite *s = suite_create("protect");
	TCase *c = tcase_create("protect");
	SRunner *r = srunner_create(s);
	int failed;

	tcase_add_checked_fixture(c, setup, teardown);
	tcase_add_test(c, inv1_always_protected);
	tcase_add_test(c, inv1_prefix_that_holds_a_protected_address);
	tcase_add_test(c, resolvers);
	tcase_add_test(c, resolvers_are_bounded);
	tcase_add_test(c, servers_that_others_name);
	tcase_add_test(c, leases_of_dhcpcd);
	tcase_add_test(c, leases_of_udhcpc);
	tcase_add_test(c, the_newest_leases);
	tcase_add_test(c, resolvers_behind_a_stub);
	tcase_add_test(c, by_hand);
	tcase_add_test(c, by_hand_is_bounded);
	tcase_add_test(c, a_bad_policy_keeps_the_old_set);
	tcase_add_test(c, list_is_sorted_and_single);
	tcase_add_test(c, loopback_does_not_stand_in_the_kernel);
	tcase_add_test(c, origins_have_names);
	suite_add_tcase(s, c);
	srunner_run_all(r, CK_ENV);
	failed = srunner_ntests_failed(r);
	srunner_free(r);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
