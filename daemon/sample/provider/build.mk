# SPDX-License-Identifier: GPL-2.0
GENOBJS_fmp-orders := $(GEN)/orders/soapC.o $(GEN)/orders/soapServer.o
LIBS_fmp-orders := -lpthread
EXTRA_daemon/sample/provider := -isystem $(GEN)/orders
$(patsubst %.c,$(B)/obj/%.o,$(wildcard daemon/sample/provider/*.c)): $(GSOAP_ORDERS)
