# SPDX-License-Identifier: GPL-2.0
LIBS_test_spawn := -Wl,--wrap=memfd_create
OBJS_test_spawn := $(addprefix $(B)/obj/daemon/fmpd/,spawn.o privileges.o)
