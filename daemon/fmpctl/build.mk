# SPDX-License-Identifier: GPL-2.0
# libpcap reads captures. PCAP= builds without it; so does a system that has none.
PCAP ?= $(shell $(PKG_CONFIG) --exists libpcap && echo yes)
ifneq ($(PCAP),)
  PCAP_FLAGS := -DFMP_HAVE_PCAP $(patsubst -I%,-isystem %,$(shell $(PKG_CONFIG) --cflags libpcap))
  $(foreach d,daemon/fmpctl daemon/fmpctl/replay,$(eval EXTRA_$(d) := $(PCAP_FLAGS)))
  LIBS_fmpctl := $(shell $(PKG_CONFIG) --libs libpcap)
endif
