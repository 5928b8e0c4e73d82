# SPDX-License-Identifier: GPL-2.0
# The module's own filter beside the interpreter of APF.
OBJS_test_apf := $(patsubst %,$(B)/obj/%.o,tests/lib/apf_run tests/fuzz/frame tests/fuzz/model tests/unit/apf_oracle \
	tests/unit/kshim/kworld $(addprefix kernel/,core/rule core/table core/expiry core/capacity core/conflict core/hits \
	core/tables path/filter path/dissect path/dissect_80211))
$(B)/obj/tests/unit/apf_oracle.o: ALL_CPPFLAGS += $(KSHIM)
$(B)/obj/tests/unit/apf_oracle.o: ALL_CFLAGS += -Wno-sign-compare
$(B)/obj/tests/unit/test_apf.o: ALL_CPPFLAGS += -Itests/lib -Itests/fuzz
