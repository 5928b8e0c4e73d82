# SPDX-License-Identifier: GPL-2.0
# The kernel's part is the test's.
LIBS_test_rule_diff := -Wl,--wrap=mnl_socket_bind -Wl,--wrap=mnl_socket_sendto -Wl,--wrap=mnl_socket_recvfrom
