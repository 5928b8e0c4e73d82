# SPDX-License-Identifier: GPL-2.0
#
# make build/tests/bench/gsoap_peer      what `scripts/bench gateway` measures beside the gateway

GSOAP_SHARE := /usr/share/gsoap
GSOAP_WSSE  := $(GEN)/wsse/soapC.c
PEERS       := $(B)/obj/tests/bench/peers
PEER_WSSE   := $(GEN)/wsse/soapC.o $(GEN)/wsse/soapServer.o $(PEERS)/orders.o $(PEERS)/wsseapi.o \
	$(PEERS)/smdevp.o $(PEERS)/mecevp.o $(PEERS)/threads.o $(PEERS)/struct_timeval.o
PEER_CFLAGS := -std=gnu11 -fPIE -w $(CFLAGS) $(PKG_CFLAGS) -isystem $(GEN)/wsse -isystem $(GSOAP_SHARE)/plugin

# wsse.h has a dateTime of its own.
$(GSOAP_WSSE): tests/bench/peers/orders_wsse.h daemon/sample/orders.h
	$(call say,SOAPCPP,$<)mkdir -p $(@D) && sed 's/xsd__dateTime/o__dateTime/' daemon/sample/orders.h >$(@D)/orders.h && \
		$(SOAPCPP2) -c -x -L -w -I$(GSOAP_SHARE)/import -I$(GSOAP_SHARE) -I$(@D) -d$(@D) $< >$(@D)/log 2>&1 || { \
		cat $(@D)/log; rm -f $(@D)/*.c; exit 1; }
	@touch $@
$(GEN)/wsse/soapServer.c: $(GSOAP_WSSE) ;

# The service as it is; its operation has another name, for the peer's own stands before it.
$(PEERS)/orders.o: daemon/sample/provider/orders.c $(GSOAP_WSSE)
	@mkdir -p $(@D)
	$(call say,CC,$<)$(CC) $(PEER_CFLAGS) -D__o__submitOrder=order_service -c -o $@ $<
$(PEERS)/%.o: $(GSOAP_SHARE)/plugin/%.c $(GSOAP_WSSE)
	@mkdir -p $(@D)
	$(call say,CC,$<)$(CC) $(PEER_CFLAGS) -c -o $@ $<
$(PEERS)/%.o: $(GSOAP_SHARE)/custom/%.c $(GSOAP_WSSE)
	@mkdir -p $(@D)
	$(call say,CC,$<)$(CC) $(PEER_CFLAGS) -c -o $@ $<
$(PEERS)/gsoap_peer.o: tests/bench/peers/gsoap_peer.c $(GSOAP_WSSE)
	@mkdir -p $(@D)
	$(call say,CC,$<)$(CC) $(PEER_CFLAGS) $(WARN) -c -o $@ $<
$(B)/tests/bench/gsoap_peer: $(PEERS)/gsoap_peer.o $(PEER_WSSE)
	@mkdir -p $(@D)
	$(call say,LD,$@)$(CC) $(PEER_CFLAGS) -pie -o $@ $^ $(shell $(PKG_CONFIG) --libs gsoapssl libcrypto libssl zlib) -lpthread
