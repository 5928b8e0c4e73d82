# SPDX-License-Identifier: GPL-2.0
# The module's own sources, as they are.
DISSECT := $(B)/obj/kernel/dissect.o $(B)/obj/kernel/dissect_80211.o $(B)/obj/tests/unit/dissect_frames.o
OBJS_test_dissect := $(DISSECT)
OBJS_test_dissect_80211 := $(DISSECT)
KSHIM := -Itests/unit/kshim -Ikernel/include -Ikernel
EXTRA_kernel := $(KSHIM)
$(patsubst %,$(B)/obj/tests/unit/%.o,test_dissect test_dissect_80211 dissect_frames): ALL_CPPFLAGS += $(KSHIM)
