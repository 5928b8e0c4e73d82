# SPDX-License-Identifier: GPL-2.0
GENOBJS_fmp-orders-client := $(GEN)/orders/soapC.o $(GEN)/orders/soapClient.o
EXTRA_daemon/sample/client := -isystem $(GEN)/orders
$(patsubst %.c,$(B)/obj/%.o,$(wildcard daemon/sample/client/*.c)): $(GSOAP_ORDERS)
