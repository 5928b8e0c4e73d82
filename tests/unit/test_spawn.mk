# SPDX-License-Identifier: GPL-2.0
LIBS_test_spawn := -Wl,--wrap=memfd_create
