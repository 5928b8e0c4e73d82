# SPDX-License-Identifier: GPL-2.0
GENOBJS_fmp-gateway := $(GEN)/env/soapC.o
EXTRA_daemon/gateway := -isystem $(GEN)/env
$(patsubst %.c,$(B)/obj/%.o,$(wildcard daemon/gateway/*.c)): $(GSOAP_ENV)
