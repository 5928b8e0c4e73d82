# SPDX-License-Identifier: GPL-2.0
# The module's own sources, as they are.
OBJS_test_dissect := $(B)/obj/kernel/dissect.o $(B)/obj/kernel/dissect_80211.o
KSHIM := -Itests/unit/kshim -Ikernel/include -Ikernel
EXTRA_kernel := $(KSHIM)
$(B)/obj/tests/unit/test_dissect.o: ALL_CPPFLAGS += $(KSHIM)
