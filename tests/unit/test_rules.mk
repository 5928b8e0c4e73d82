# SPDX-License-Identifier: GPL-2.0
# The module's own sources and its KUnit suites, as they are.
OBJS_test_rules := $(patsubst %,$(B)/obj/kernel/%.o,$(addprefix core/,rule table expiry capacity conflict hits tables) \
	path/filter path/filter_80211 path/dissect path/dissect_80211 tests/world \
	$(patsubst %,tests/%_kunit,counter table tables conflict capacity expiry hits filter filter_80211)) $(B)/obj/tests/unit/kshim/kworld.o
# The kernel compares what it likes.
EXTRA_kernel/tests := -Wno-sign-compare -Itests/unit/kshim -Ikernel/include -Ikernel
$(foreach d,core path,$(eval EXTRA_kernel/$(d) += -Wno-sign-compare))
$(B)/obj/tests/unit/test_rules.o: ALL_CPPFLAGS += $(EXTRA_kernel/tests)
