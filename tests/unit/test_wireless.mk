# SPDX-License-Identifier: GPL-2.0
# The kernel's side is the test's.
LIBS_test_wireless := -Wl,--wrap=mnl_socket_sendto -Wl,--wrap=mnl_socket_recvfrom
