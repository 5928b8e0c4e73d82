# SPDX-License-Identifier: GPL-2.0
#
# make costs   build/tests/costs: what a stranger's certificate costs, with revocation lists and without; the
#              handshake is the gateway's own. build/tests/decryption: what messages that don't decrypt cost

COST_OBJS := $(B)/obj/tests/costs/certificates.o $(B)/obj/daemon/gateway/conn/tls.o \
	 $(patsubst %,$(B)/obj/daemon/gateway/common/%.o,tls_meter verify clock tls_file)

costs: $(B)/tests/costs $(B)/tests/decryption
$(B)/tests/costs: $(COST_OBJS) $(LIB)
	@mkdir -p $(@D)
	$(call say,LD,$@)$(CC) $(ALL_CFLAGS) $(ALL_LDFLAGS) -o $@ $^ $(PKG_LIBS) -lssl -levent_openssl

$(B)/tests/decryption: $(B)/obj/tests/costs/decryption.o $(LIB)
	@mkdir -p $(@D)
	$(call say,LD,$@)$(CC) $(ALL_CFLAGS) $(ALL_LDFLAGS) -o $@ $^ $(PKG_LIBS)

.PHONY: costs
