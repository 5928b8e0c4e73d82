# SPDX-License-Identifier: GPL-2.0
# inspect reads raw requests with the gateway's own strict reader; replay judges what was captured
# as the gateway does. policy check tries a policy as fmpd does.
GENOBJS_fmpctl := $(patsubst %,$(B)/obj/daemon/gateway/%.o,http http_field http_answer judge page coding route proxy) \
	$(patsubst %,$(B)/obj/daemon/fmpd/%.o,spawn privileges group)

# libpcap reads captures. PCAP= builds without it; so does a system that has none.
PCAP ?= $(shell $(PKG_CONFIG) --exists libpcap && echo yes)
ifneq ($(PCAP),)
  EXTRA_daemon/fmpctl := -DFMP_HAVE_PCAP $(patsubst -I%,-isystem %,$(shell $(PKG_CONFIG) --cflags libpcap))
  LIBS_fmpctl := $(shell $(PKG_CONFIG) --libs libpcap)
endif
