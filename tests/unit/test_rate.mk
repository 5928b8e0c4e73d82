# SPDX-License-Identifier: GPL-2.0
# The module's own source, as it is.
OBJS_test_rate := $(B)/obj/kernel/core/rate.o
$(B)/obj/tests/unit/test_rate.o: ALL_CPPFLAGS += -Itests/unit/kshim -Ikernel
