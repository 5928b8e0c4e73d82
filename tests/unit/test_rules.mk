# SPDX-License-Identifier: GPL-2.0
# The module's own sources and its KUnit suites, as they are.
OBJS_test_rules := $(patsubst %,$(B)/obj/kernel/%.o,rule table expiry room clash hits rules filter dissect dissect_80211 \
	tests/world $(patsubst %,tests/%_kunit,table rules clash room expiry hits filter)) $(B)/obj/tests/unit/kshim/kworld.o
# The kernel compares what it likes.
EXTRA_kernel/tests := -Wno-sign-compare -Itests/unit/kshim -Ikernel/include -Ikernel
EXTRA_kernel += -Wno-sign-compare
$(B)/obj/tests/unit/test_rules.o: ALL_CPPFLAGS += $(EXTRA_kernel/tests)
