# SPDX-License-Identifier: GPL-2.0
# The kernel's part is the test's.
LIBS_test_nft_busy := -Wl,--wrap=mnl_socket_sendto -Wl,--wrap=mnl_socket_get_fd
