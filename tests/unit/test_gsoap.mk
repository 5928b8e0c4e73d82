# SPDX-License-Identifier: GPL-2.0
OBJS_test_gsoap := $(GEN)/env/soapC.o
$(B)/obj/tests/unit/test_gsoap.o: ALL_CPPFLAGS += -isystem $(GEN)/env
$(B)/obj/tests/unit/test_gsoap.o: $(GSOAP_ENV)
