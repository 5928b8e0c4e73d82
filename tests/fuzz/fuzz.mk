# SPDX-License-Identifier: GPL-2.0
#
# make fuzz      build/fuzz/dissect: kernel/path/dissect*.c under libFuzzer, ASan and UBSan;
#                build/fuzz/filter_80211: the filter for 802.11 frames, beside the model of the module;
#                build/fuzz/screen: the byte pre-scan beside libxml2, the same way;
#                build/fuzz/http, build/fuzz/answer, build/fuzz/proxy: the gateway's readers;
#                build/fuzz/mime: the parts of a message with attachments;
#                build/fuzz/describe: requests for a WSDL, and a service's own WSDL;
#                build/fuzz/nat64: what the network says of its NAT64 prefix;
#                build/fuzz/apf: programs for the Android Packet Filter, beside the model of the module;
#                build/fuzz/saved, build/fuzz/request: the state file and the requests of fmpd;
#                build/fuzz/tcp_reassembly: captured packets and TCP reassembly;
#                build/fuzz/netlink: what the kernel answers over netlink;
#                build/fuzz/decrypt: what is behind decryption;
#                build/fuzz/policy: policy files, and policies from one process to another;
#                build/fuzz/fast_parser: the fast parser, beside libxml2's;
#                build/fuzz/streaming_validate: what is refused before there is a tree, beside what is of the tree;
#                build/fuzz/path, build/fuzz/catalog: certificates of a token, XML catalogs;
#                build/fuzz/content: rules on texts in pieces, beside texts in one;
#                build/fuzz/c14n, build/fuzz/verdict: signatures, beside libxml2 and xmlsec1
# make fuzzers   build/fuzz/genl, build/fuzz/frames: they run in the test VM
#
# The kernel's sources are compiled as they are, with tests/unit/kshim before the
# system's headers. They reach into a frame by get_unaligned(), through packed
# structs and pointers that need not be aligned: no -fsanitize=alignment.

FUZZ_CC ?= clang-14
FUZZ_CPPFLAGS := -D_GNU_SOURCE -Itests/unit/kshim -Ikernel -Ikernel/include -isystem kernel/include/uapi
FUZZ_CFLAGS := -std=gnu11 -g -O1 -fsanitize=fuzzer,address,undefined -fno-sanitize=alignment \
	-fno-sanitize-recover=all -fno-omit-frame-pointer -Wall -Wextra -Wno-sign-compare \
	-Wno-address-of-packed-member -Wno-c2x-extensions $(if $(WERROR),-Werror)

fuzz: build/fuzz/dissect build/fuzz/screen
build/fuzz/dissect: tests/fuzz/fuzz_dissect.c kernel/path/dissect.c kernel/path/dissect_80211.c $(wildcard kernel/*/*.h \
		kernel/include/net/*.h tests/unit/kshim/*.h tests/unit/kshim/*/*.h) tests/fuzz/fuzz.mk
	@mkdir -p $(@D)
	$(call say,CC,$@)$(FUZZ_CC) $(FUZZ_CPPFLAGS) $(FUZZ_CFLAGS) -o $@ $(filter %.c,$^)

FUZZ_FILTER := $(patsubst %,kernel/%.c,$(addprefix core/,rule table expiry capacity conflict hits tables) \
	$(addprefix path/,filter filter_80211 dissect dissect_80211)) tests/unit/kshim/kworld.c tests/fuzz/model.c
fuzz: build/fuzz/filter_80211
build/fuzz/filter_80211: tests/fuzz/fuzz_filter_80211.c $(FUZZ_FILTER) $(wildcard kernel/*/*.h \
		kernel/include/net/*.h tests/unit/kshim/*.h tests/unit/kshim/*/*.h) tests/fuzz/model.h tests/fuzz/fuzz.mk
	@mkdir -p $(@D)
	$(call say,CC,$@)$(FUZZ_CC) $(FUZZ_CPPFLAGS) $(FUZZ_CFLAGS) -Wno-unused-parameter \
		-Wno-gnu-variable-sized-type-not-at-end -o $@ $(filter %.c,$^)

FUZZ_SCREEN := libfmp/xml/screen.c libfmp/xml/encoding.c libfmp/verdict/refuse.c
build/fuzz/screen: tests/fuzz/fuzz_screen.c $(FUZZ_SCREEN) $(wildcard libfmp/xml/*.h libfmp/verdict/*.h libfmp/include/fmp/*.h) \
		tests/fuzz/fuzz.mk
	@mkdir -p $(@D)
	$(call say,CC,$@)$(FUZZ_CC) $(ALL_CPPFLAGS) $(FUZZ_CFLAGS) $(PKG_CFLAGS) -Wno-unused-parameter -o $@ $(filter %.c,$^) \
		$(shell $(PKG_CONFIG) --libs libxml-2.0)

# What the gateway reads of the network: its pure readers, nothing else of it.
GW_FUZZ_CPPFLAGS := -D_GNU_SOURCE -Ilibfmp/include -Ilibfmp
GW_FUZZ_http  := libfmp/http/http.c libfmp/http/http_field.c libfmp/http/http_refuse.c libfmp/http/http_response.c \
	libfmp/http/media.c libfmp/http/field_list.c libfmp/http/forward_fields.c libfmp/http/identity_fields.c libfmp/http/target.c \
	libfmp/xml/encoding.c libfmp/base/source.c libfmp/base/translate.c libfmp/base/error.c libfmp/base/errno_text.c libfmp/base/text.c
GW_FUZZ_answer := $(GW_FUZZ_http)
GW_FUZZ_proxy := libfmp/http/forwarded.c libfmp/base/source.c libfmp/base/translate.c libfmp/base/error.c libfmp/base/errno_text.c libfmp/base/text.c
fuzz: build/fuzz/http build/fuzz/answer build/fuzz/proxy
build/fuzz/http: $(GW_FUZZ_http)
build/fuzz/answer: $(GW_FUZZ_answer)
build/fuzz/proxy: $(GW_FUZZ_proxy)
build/fuzz/http build/fuzz/answer build/fuzz/proxy: build/fuzz/%: tests/fuzz/fuzz_%.c tests/fuzz/cuts.h tests/fuzz/recorded.h \
		$(wildcard libfmp/http/*.h libfmp/include/fmp/*.h)
	@mkdir -p $(@D)
	$(call say,CC,$@)$(FUZZ_CC) $(GW_FUZZ_CPPFLAGS) $(FUZZ_CFLAGS) -o $@ $(filter %.c,$^)

# The parts of a message with attachments.
FUZZ_MIME := $(wildcard libfmp/mime/*.c) libfmp/http/multipart_stream.c
fuzz: build/fuzz/mime
build/fuzz/mime: tests/fuzz/fuzz_mime.c $(FUZZ_MIME) tests/unit/mime_cuts.h $(patsubst %,libfmp/include/fmp/internal/%.h,mime multipart_stream)
	@mkdir -p $(@D)
	$(call say,CC,$@)$(FUZZ_CC) $(GW_FUZZ_CPPFLAGS) $(FUZZ_CFLAGS) -o $@ $(filter %.c,$^)

# What clients ask for a WSDL, and a service's own.
FUZZ_DESCRIBE := $(patsubst %,libfmp/http/%.c,describe field_list target)
fuzz: build/fuzz/describe
build/fuzz/describe: tests/fuzz/fuzz_describe.c $(FUZZ_DESCRIBE) libfmp/include/fmp/internal/describe.h
	@mkdir -p $(@D)
	$(call say,CC,$@)$(FUZZ_CC) $(GW_FUZZ_CPPFLAGS) $(FUZZ_CFLAGS) -o $@ $(filter %.c,$^)

# What the network says of its NAT64 prefix.
FUZZ_NAT64 := $(patsubst %,libfmp/base/%.c,nat64_discovery translate source error errno_text text)
fuzz: build/fuzz/nat64
build/fuzz/nat64: tests/fuzz/fuzz_nat64.c $(FUZZ_NAT64) libfmp/include/fmp/internal/nat64_discovery.h
	@mkdir -p $(@D)
	$(call say,CC,$@)$(FUZZ_CC) $(GW_FUZZ_CPPFLAGS) $(FUZZ_CFLAGS) -o $@ $(filter %.c,$^)

# Programs for the Android Packet Filter.
FUZZ_APF := $(wildcard libfmp/apf/*.c) $(patsubst %,libfmp/base/%.c,source translate error errno_text text) tests/lib/apf_run.c tests/fuzz/model.c
fuzz: build/fuzz/apf
build/fuzz/apf: tests/fuzz/fuzz_apf.c $(FUZZ_APF) $(wildcard libfmp/apf/*.h) libfmp/include/fmp/internal/apf.h tests/lib/apf_run.h
	@mkdir -p $(@D)
	$(call say,CC,$@)$(FUZZ_CC) $(GW_FUZZ_CPPFLAGS) -Itests/lib -Itests/fuzz -isystem kernel/include/uapi $(FUZZ_CFLAGS) \
		-Wno-gnu-case-range -o $@ $(filter %.c,$^)

# What fmpd reads of its disk.
FMPD_FUZZ_saved := daemon/fmpd/state/state_format.c libfmp/base/source.c libfmp/base/translate.c libfmp/base/error.c \
	libfmp/base/errno_text.c libfmp/base/wire.c libfmp/base/text.c libfmp/base/decision.c
# What programs of this machine say to it.
FMPD_FUZZ_request := daemon/fmpd/control/request.c libfmp/base/source.c libfmp/base/translate.c libfmp/base/error.c \
	libfmp/base/errno_text.c libfmp/base/wire.c libfmp/base/text.c libfmp/report/event.c libfmp/base/decision.c
fuzz: build/fuzz/saved build/fuzz/request
build/fuzz/saved: $(FMPD_FUZZ_saved)
build/fuzz/request: $(FMPD_FUZZ_request)
build/fuzz/saved build/fuzz/request: build/fuzz/%: tests/fuzz/fuzz_%.c $(wildcard daemon/fmpd/*/*.h libfmp/include/fmp/*.h)
	@mkdir -p $(@D)
	$(call say,CC,$@)$(FUZZ_CC) $(ALL_CPPFLAGS) $(FUZZ_CFLAGS) -Wno-unused-parameter -o $@ $(filter %.c,$^) -lz

# The reader of packet captures in fmpctl.
FUZZ_TCP_REASSEMBLY := daemon/fmpctl/replay/packet.c daemon/fmpctl/replay/tcp_reassembly.c libfmp/base/source.c libfmp/base/translate.c libfmp/base/error.c libfmp/base/errno_text.c libfmp/base/text.c
fuzz: build/fuzz/tcp_reassembly
build/fuzz/tcp_reassembly: tests/fuzz/fuzz_tcp_reassembly.c $(FUZZ_TCP_REASSEMBLY) $(wildcard daemon/fmpctl/*/*.h)
	@mkdir -p $(@D)
	$(call say,CC,$@)$(FUZZ_CC) $(GW_FUZZ_CPPFLAGS) $(FUZZ_CFLAGS) -Wno-unused-parameter -o $@ $(filter %.c,$^)

comma := ,
# Fuzzers of the library: tests/fuzz/fuzz_NAME.c and what else is named here, over all of libfmp.
FUZZ_LIB := c14n verdict wss decrypt netlink fast_parser streaming_validate content policy path catalog
FUZZ_WITH_c14n := xml ../lib/canonical
FUZZ_WITH_verdict := xml
FUZZ_WITH_wss := ../lib/canonical
FUZZ_WITH_fast_parser := xml ../lib/same_tree
FUZZ_WITH_streaming_validate := xml
FUZZ_WITH_content := xml
# Its sockets are its own.
FUZZ_LINK_netlink := $(patsubst %,-Wl$(comma)--wrap=%,access recv setsockopt epoll_ctl $(addprefix mnl_socket_,open2 bind setsockopt \
	get_fd get_portid close sendto recvfrom))
# But for the plugin of gSOAP, whose library wants what its compiler generates.
FUZZ_LIB_OBJS := $(patsubst %.c,build/fuzz/obj/%.o,$(filter-out libfmp/gsoap/%,$(LIB_SRCS)))
FUZZ_LIB_CFLAGS := -std=gnu11 -g -O1 -fsanitize=fuzzer-no-link,address,undefined \
	-fno-sanitize-recover=all -fno-omit-frame-pointer -Wall -Wextra -Wno-unused-parameter \
	-Wno-gnu-designator $(if $(WERROR),-Werror)
build/fuzz/obj/libfmp/schema/schema_builtin.o: $(GEN)/schema_known.h
build/fuzz/obj/%.o: %.c Makefile tests/fuzz/fuzz.mk
	@mkdir -p $(@D)
	$(call say,CC,$@)$(FUZZ_CC) $(ALL_CPPFLAGS) $(FUZZ_LIB_CFLAGS) $(PKG_CFLAGS) $(EXTRA_$(<D)) -MMD -MP -c -o $@ $<
define fuzz-lib
fuzz: build/fuzz/$(1)
build/fuzz/$(1): $$(patsubst %,build/fuzz/obj/tests/fuzz/%.o,fuzz_$(1) $$(FUZZ_WITH_$(1))) $$(FUZZ_LIB_OBJS)
	$$(call say,LD,$$@)$(FUZZ_CC) -fsanitize=fuzzer,address,undefined -Wl,--as-needed $$(FUZZ_LINK_$(1)) -o $$@ $$^ $(PKG_LIBS)
endef
$(foreach f,$(FUZZ_LIB),$(eval $(call fuzz-lib,$(f))))
-include $(shell find build/fuzz/obj -name '*.d' 2>/dev/null)

fuzzers: $(B)/fuzz/genl $(B)/fuzz/frames
FUZZ_OBJ := $(B)/obj/tests/fuzz
EXTRA_tests/fuzz := -Itests/lib
$(B)/fuzz/genl: $(patsubst %,$(FUZZ_OBJ)/%.o,fuzz_genl message state) $(CHANNEL_OBJ)
$(B)/fuzz/frames: $(patsubst %,$(FUZZ_OBJ)/%.o,fuzz_frames frame model ruleset counters distinct) $(CHANNEL_OBJ)
$(B)/fuzz/churn: $(patsubst %,$(FUZZ_OBJ)/%.o,churn frame ruleset state) $(CHANNEL_OBJ)
# The module's tests keep it busy with this one.
vm-tests: $(B)/fuzz/churn
$(B)/fuzz/genl $(B)/fuzz/frames $(B)/fuzz/churn:
	@mkdir -p $(@D)
	$(call say,LD,$@)$(CC) $(ALL_CFLAGS) $(ALL_LDFLAGS) -o $@ $^ $(shell $(PKG_CONFIG) --libs libmnl)

.PHONY: fuzz fuzzers
