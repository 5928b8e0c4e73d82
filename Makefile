# SPDX-License-Identifier: GPL-2.0
#
# make                 programs into build/bin/
# make SAN=1           the same under ASan and UBSan, into build/san/bin/
# make modules         kernel modules into build/kernel/VERSION/ (KERNEL=6.1|6.12 or KDIR=...)
# make install         programs, policies, man pages to DESTDIR PREFIX
# make install-dev     the library, its headers, fmp.pc: for programs that report or inspect
# make V=1             shows the commands
# Cross compilation: CC=arm-linux-gnueabihf-gcc SYSROOT=/path/to/sysroot make

PREFIX     ?= /usr/local
SYSCONFDIR ?= $(if $(filter /usr,$(PREFIX)),/etc,$(PREFIX)/etc)
SBINDIR    ?= $(PREFIX)/sbin
BINDIR     ?= $(PREFIX)/bin
LIBEXECDIR ?= $(PREFIX)/libexec
MANDIR     ?= $(PREFIX)/share/man
BASHDIR    ?= $(PREFIX)/share/bash-completion/completions
ZSHDIR     ?= $(PREFIX)/share/zsh/site-functions
FISHDIR    ?= $(PREFIX)/share/fish/vendor_completions.d
DATADIR    ?= $(PREFIX)/share/fmp
UNITDIR    ?= $(PREFIX)/lib/systemd/system
LIBDIR     ?= $(PREFIX)/lib
INCLUDEDIR ?= $(PREFIX)/include

SAN ?=
B   ?= build$(if $(SAN),/san)
Q   := $(if $(V),,@)
say  = $(if $(V),,@printf '  %-7s %s\n' $(1) $(2);)

PKG_CONFIG ?= pkg-config
ifdef SYSROOT
  PKG_CONFIG := PKG_CONFIG_SYSROOT_DIR=$(SYSROOT) PKG_CONFIG_LIBDIR=$(SYSROOT)/usr/lib/pkgconfig:$(SYSROOT)/usr/share/pkgconfig:$(wildcard $(SYSROOT)/usr/lib/*/pkgconfig) $(PKG_CONFIG)
  override CC += --sysroot=$(SYSROOT)
endif
SOAPCPP2   ?= soapcpp2

VERSION := 0.1.0

PKGS := libxml-2.0 libpcre2-8 xmlsec1-openssl libcrypto libssl libnftnl libmnl libevent libevent_openssl json-c libseccomp libcap-ng gsoapssl zlib
# What a program needs that is linked with the library.
LIB_PKGS := libxml-2.0 libpcre2-8 xmlsec1-openssl libcrypto libnftnl libmnl gsoapssl zlib
PKG_CFLAGS := $(shell $(PKG_CONFIG) --cflags $(PKGS))
# Their own headers are not ours to warn about.
PKG_CFLAGS := $(patsubst -I%,-isystem %,$(PKG_CFLAGS))
PKG_LIBS   := $(shell $(PKG_CONFIG) --libs $(PKGS))

WARN := -Wall -Wextra -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wvla -Wformat=2 \
	-Wno-unused-parameter $(if $(WERROR),-Werror)
ifneq ($(SAN),)
  OPT := -O1 -g -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer
else
  OPT := -O2 -g -fstack-protector-strong -D_FORTIFY_SOURCE=2
endif
CFLAGS  ?= $(OPT)
# Files of more than 2 GiB, and inode numbers of 64 bits, where off_t would have 32.
ALL_CPPFLAGS := -D_GNU_SOURCE -D_FILE_OFFSET_BITS=64 -DFMP_VERSION='"$(VERSION)"' -DFMP_SYSCONFDIR='"$(SYSCONFDIR)"' \
	-DFMP_DATADIR='"$(DATADIR)"' -DFMP_LIBEXECDIR='"$(LIBEXECDIR)"' \
	-Ilibfmp/include -Ilibfmp -isystem kernel/include/uapi $(CPPFLAGS)
ALL_CFLAGS := -std=gnu11 -fPIE -fvisibility=hidden $(WARN) $(CFLAGS) $(PKG_CFLAGS)
ALL_LDFLAGS := -pie -Wl,--as-needed -Wl,-z,relro,-z,now $(filter -fsanitize%,$(CFLAGS)) $(LDFLAGS)

# program -> its folder
PROGS       := fmpd fmp-policy-load fmp-nat64 fmp-gateway fmpctl fmp-flood fmp-orders fmp-orders-client
DIR_fmpd        := daemon/fmpd
DIR_fmp-policy-load := daemon/policy
DIR_fmp-nat64   := daemon/nat64
DIR_fmp-gateway := daemon/gateway
DIR_fmpctl      := daemon/fmpctl
DIR_fmp-flood   := daemon/flood
DIR_fmp-orders  := daemon/sample/provider
DIR_fmp-orders-client := daemon/sample/client

LIB_SRCS := $(wildcard libfmp/*/*.c)
LIB_OBJS := $(LIB_SRCS:%.c=$(B)/obj/%.o)
LIB      := $(B)/lib/libfmp.a

all: $(foreach p,$(PROGS),$(if $(wildcard $(DIR_$(p))/*.c),$(B)/bin/$(p)))

# A program's sources lie in its folder and in one level of rooms below it.
srcs = $(wildcard $(DIR_$(1))/*.c $(DIR_$(1))/*/*.c)

$(B)/obj/%.o: %.c Makefile
	@mkdir -p $(@D)
	$(call say,CC,$<)$(CC) $(ALL_CPPFLAGS) $(ALL_CFLAGS) $(EXTRA_$(<D)) -MMD -MP -c -o $@ $<

$(LIB): $(LIB_OBJS)
	@mkdir -p $(@D)
	@rm -f $@
	$(call say,AR,$@)$(AR) rcs $@ $^

# gSOAP: code is generated from daemon/sample/orders.h (types and stubs of the
# sample service) and daemon/gateway/env.h (an empty contract: the runtime's
# own SOAP types, which every gSOAP program needs).
GEN := $(B)/gen
GSOAP_ORDERS := $(GEN)/orders/soapC.c
GSOAP_ENV    := $(GEN)/env/soapC.c
gsoap = $(call say,SOAPCPP,$<)mkdir -p $(@D) && $(SOAPCPP2) -c -x -L -w -d$(@D) $< >$(@D)/log 2>&1 || { \
	cat $(@D)/log; rm -f $(@D)/*.c; exit 1; }
$(GSOAP_ORDERS): daemon/sample/orders.h
	$(gsoap)
	@touch $@
$(GSOAP_ENV): daemon/gateway/env.h
	$(gsoap)
	@touch $@
# One run of soapcpp2 makes them all.
$(GEN)/orders/soapClient.c $(GEN)/orders/soapServer.c: $(GSOAP_ORDERS) ;
# Generated code has warnings of its own; it is not ours to mend.
$(GEN)/%.o: $(GEN)/%.c
	$(call say,CC,$<)$(CC) -std=gnu11 -fPIE -w $(CFLAGS) $(PKG_CFLAGS) -I$(<D) -c -o $@ $<

# The schemas that are built in: each file of libfmp/schema/known becomes a text in C.
KNOWN := $(sort $(wildcard libfmp/schema/known/*.xsd libfmp/schema/known/*.wsdl))
$(GEN)/schema_known.h: $(KNOWN) Makefile
	@mkdir -p $(@D)
	$(call say,GEN,$@)for f in $(KNOWN); do echo '{'; \
		sed 's/[\\"]/\\&/g; s/^[[:space:]]*//; s/.*/"&\\n"/' $$f || exit 1; echo '},'; done >$@
EXTRA_libfmp/schema := -I$(GEN)
$(B)/obj/libfmp/schema/schema_builtin.o: $(GEN)/schema_known.h

-include $(wildcard daemon/*/build.mk daemon/*/*/build.mk)

define prog
OBJS_$(1) := $$(patsubst %.c,$(B)/obj/%.o,$$(call srcs,$(1))) $$(GENOBJS_$(1))
$(B)/bin/$(1): $$(OBJS_$(1)) $(LIB)
	@mkdir -p $$(@D)
	$$(call say,LD,$$@)$(CC) $(ALL_CFLAGS) $(ALL_LDFLAGS) -o $$@ $$(OBJS_$(1)) $(LIB) $(PKG_LIBS) $$(LIBS_$(1))
endef
$(foreach p,$(PROGS),$(eval $(call prog,$(p))))

# Without linking: for a C library whose libraries are not here.
.PHONY: objects
objects: $(LIB_OBJS) $(foreach p,$(PROGS),$(OBJS_$(p)))

-include tests/attacks/attacks.mk
-include tests/costs/costs.mk

# Unit tests: tests/unit/test_NAME.c is a program of its own. It may link
# objects of a daemon room by naming them in tests/unit/test_NAME.mk as
# OBJS_test_NAME.
TESTS := $(patsubst tests/unit/%.c,%,$(wildcard tests/unit/test_*.c))
-include $(wildcard tests/unit/*.mk)
define test
$(B)/tests/$(1): $(B)/obj/tests/unit/$(1).o $$(OBJS_$(1)) $(LIB)
	@mkdir -p $$(@D)
	$$(call say,LD,$$@)$(CC) $(ALL_CFLAGS) $(ALL_LDFLAGS) -o $$@ $$< $$(OBJS_$(1)) $(LIB) $(PKG_LIBS) $$(shell $(PKG_CONFIG) --libs check) $$(LIBS_$(1))
endef
$(foreach t,$(TESTS),$(eval $(call test,$(t))))
tests: $(TESTS:%=$(B)/tests/%)

-include scripts/kernel.mk
-include tests/fuzz/fuzz.mk
-include tests/bench/peers/peers.mk

install-unit:
	install -d $(DESTDIR)$(UNITDIR)
	sed 's|@SBINDIR@|$(SBINDIR)|; s|@SYSCONFDIR@|$(SYSCONFDIR)|' daemon/fmpd/fmpd.service.in \
		>$(DESTDIR)$(UNITDIR)/fmpd.service

install: all install-unit
	install -d $(DESTDIR)$(SBINDIR) $(DESTDIR)$(BINDIR) $(DESTDIR)$(LIBEXECDIR) \
		$(DESTDIR)$(SYSCONFDIR)/fmp $(DESTDIR)$(DATADIR) \
		$(DESTDIR)$(BASHDIR) $(DESTDIR)$(ZSHDIR) $(DESTDIR)$(FISHDIR) \
		$(DESTDIR)$(MANDIR)/man1 $(DESTDIR)$(MANDIR)/man5 $(DESTDIR)$(MANDIR)/man8
	install -m 755 $(B)/bin/fmpd $(B)/bin/fmpctl $(DESTDIR)$(SBINDIR)
	install -m 755 $(B)/bin/fmp-gateway $(B)/bin/fmp-policy-load $(B)/bin/fmp-nat64 $(DESTDIR)$(LIBEXECDIR)
	install -m 755 $(B)/bin/fmp-flood $(DESTDIR)$(BINDIR)
	install -m 644 policies/*.xml policies/*.xsd daemon/fmpctl/fmpctl.schema.json daemon/fmpd/udhcpc.sh \
		daemon/fmpd/fmpd.logrotate \
		$(DESTDIR)$(DATADIR)
	test -e $(DESTDIR)$(SYSCONFDIR)/fmp/policy.xml || \
		install -m 644 policies/balanced.xml $(DESTDIR)$(SYSCONFDIR)/fmp/policy.xml
	install -d $(DESTDIR)$(DATADIR)/monitoring
	install -m 755 policies/monitoring/fmp-notify $(DESTDIR)$(DATADIR)/monitoring
	install -m 644 policies/monitoring/*.* $(DESTDIR)$(DATADIR)/monitoring
	install -m 644 daemon/fmpctl/fmpctl.bash $(DESTDIR)$(BASHDIR)/fmpctl
	install -m 644 daemon/fmpctl/fmpctl.zsh $(DESTDIR)$(ZSHDIR)/_fmpctl
	install -m 644 daemon/fmpctl/fmpctl.fish $(DESTDIR)$(FISHDIR)/fmpctl.fish
	for f in $(wildcard daemon/*/*.[158] policies/*.5); do \
		install -m 644 $$f $(DESTDIR)$(MANDIR)/man$${f##*.}; done

# By the prefix, so that the file may be moved with what it speaks of.
below = $(patsubst $(PREFIX)/%,$${prefix}/%,$(1))
install-dev: $(LIB)
	install -d $(DESTDIR)$(LIBDIR)/pkgconfig $(DESTDIR)$(INCLUDEDIR)/fmp $(DESTDIR)$(INCLUDEDIR)/linux
	install -m 644 $(LIB) $(DESTDIR)$(LIBDIR)
	install -m 644 libfmp/include/fmp/*.h $(DESTDIR)$(INCLUDEDIR)/fmp
	install -m 644 kernel/include/uapi/linux/fmp.h $(DESTDIR)$(INCLUDEDIR)/linux
	sed 's|@PREFIX@|$(PREFIX)|; s|@LIBDIR@|$(call below,$(LIBDIR))|; s|@INCLUDEDIR@|$(call below,$(INCLUDEDIR))|; s|@VERSION@|$(VERSION)|; s|@PKGS@|$(LIB_PKGS)|' \
		libfmp/fmp.pc.in >$(DESTDIR)$(LIBDIR)/pkgconfig/fmp.pc

clean:
	rm -rf build/bin build/obj build/lib build/gen build/tests build/san

.PHONY: all tests install install-dev install-unit clean modules
.SECONDARY:
-include $(shell find $(B)/obj -name '*.d' 2>/dev/null)
