# SPDX-License-Identifier: GPL-2.0
# The module's own sources, as they are.
DISSECT := $(B)/obj/kernel/path/dissect.o $(B)/obj/kernel/path/dissect_80211.o $(B)/obj/tests/unit/dissect_frames.o
OBJS_test_dissect := $(DISSECT)
OBJS_test_dissect_80211 := $(DISSECT)
KSHIM := -Itests/unit/kshim -Ikernel/include -Ikernel
$(foreach d,core path,$(eval EXTRA_kernel/$(d) := $(KSHIM)))
$(patsubst %,$(B)/obj/tests/unit/%.o,test_dissect test_dissect_80211 dissect_frames): ALL_CPPFLAGS += $(KSHIM)
