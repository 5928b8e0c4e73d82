# SPDX-License-Identifier: GPL-2.0
OBJS_test_nat64 := $(patsubst %,$(B)/obj/daemon/nat64/%.o,finder router)
