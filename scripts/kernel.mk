# SPDX-License-Identifier: GPL-2.0
#
# make modules                       fmp.ko, fmp_baseband.ko for each kernel that scripts/setup unpacked
# make modules KERNEL=6.1|6.12|both  for these
# make modules KERNEL=armhf|arm64    for ARM of 32 or 64 bits; s390x: for a big-endian machine; armhf-6.12, arm64-6.12
# make modules KERNEL=uml|debug|xscale   for a kernel that scripts/setup compiled
# make modules KERNEL=uml-kunit      fmp.ko with the KUnit suites of kernel/tests/ linked in; also debug-kunit
# make modules KERNEL=6.1-analyzer   for 6.1, looked at by gcc's static analyzer on the way
# make modules KDIR=/lib/modules/$(uname -r)/build   for an installed kernel: fmp.ko; with BASEBAND=1 fmp_baseband.ko, too
# make modules_install KDIR=...      to DESTDIR/lib/modules/RELEASE/updates
# make vm-tests                      helpers of the module's tests: tests/vm/NAME.c to build/tests/vm/NAME
# make board-tools                   those of tests/drivers/ for 32-bit ARM, below build/armhf/ and build/armel/
# make for-armhf|for-arm64|for-s390x|for-armel GOALS=...   programs and tests for that machine, below build/armhf/...
# make bench-tools                   helpers of the benchmarks: tests/bench/NAME.c to build/tests/bench/NAME
#
# C=1|2 runs sparse, W=N sets the warning level (1), WERROR=1 makes warnings errors.
# Kbuild builds beside its sources, so each kernel gets a tree of links in
# build/kernel/VERSION/; modules of subdirectories are linked at its top.

# A kernel's name may end with a word for how the module is built for it.
KBASE = $(patsubst %-analyzer,%,$(1:%-kunit=%))
# How compilers and the kernel call what Debian calls by the name.
CROSS_armel := arm-linux-gnueabi-
CROSS_armhf := arm-linux-gnueabihf-
CROSS_arm64 := aarch64-linux-gnu-
CROSS_s390x := s390x-linux-gnu-
KARCH_armhf := ARCH=arm CROSS_COMPILE=$(CROSS_armhf)
KARCH_arm64 := ARCH=arm64 CROSS_COMPILE=$(CROSS_arm64)
KARCH_armhf-6.12 := $(KARCH_armhf)
KARCH_arm64-6.12 := $(KARCH_arm64)
KARCH_xscale := ARCH=arm CROSS_COMPILE=$(CROSS_armel) CC=$(CROSS_armel)gcc-12
KARCH_s390x := ARCH=s390 CROSS_COMPILE=$(CROSS_s390x)
KHEADERS = $(firstword $(wildcard build/vm/$(KBASE)/usr/src/linux-headers-*-amd64 build/vm/$(KBASE)/usr/src/linux-headers-*-armmp build/vm/$(KBASE)/usr/src/linux-headers-*-arm64 build/vm/$(KBASE)/rootfs/usr/src/linux-headers-*-armmp build/vm/$(KBASE)/rootfs/usr/src/linux-headers-*-arm64 build/vm/$(KBASE)/rootfs/usr/src/linux-headers-*-s390x build/vm/$(KBASE)/build))

ifdef KDIR
  # Named by its release: any number of installed kernels side by side.
  KVERS := $(shell cat '$(KDIR)/include/config/kernel.release' 2>/dev/null)
  KDIR_$(KVERS) := $(KDIR)
else
  KVERS := $(if $(filter both,$(KERNEL)),6.1 6.12,$(KERNEL))
  KVERS := $(or $(KVERS),$(foreach v,6.1 6.12,$(if $(call KHEADERS,$(v)),$(v))))
  $(foreach v,$(KVERS),$(eval KDIR_$(v) := $(abspath $(call KHEADERS,$(v)))))
endif

KSRCS := $(shell find Kbuild kernel -type f \( -name '*.[chS]' -o -name Kbuild -o -name Makefile \) 2>/dev/null)
KMAKE = +$(Q)$(MAKE) $(if $(V),V=1,-s) -C $(KDIR_$*) M=$(CURDIR)/build/kernel/$* W=$(or $(W),1) \
	CONFIG_DEBUG_INFO_BTF_MODULES= $(if $(filter uml%,$*),ARCH=um) $(KARCH_$(call KBASE,$*)) $(if $(filter uml% debug%,$*),CC=gcc-12) \
	$(if $(filter %-kunit,$*),CONFIG_FMP_KUNIT=y) $(if $(KDIR),$(if $(BASEBAND),CONFIG_FMP_BASEBAND=m),CONFIG_FMP_BENCH=m) \
	$(if $(C),C=$(C)) \
	$(if $(filter %-analyzer,$*),KBUILD_MODPOST_WARN=1 KCFLAGS='-fanalyzer -include $(CURDIR)/scripts/lint.d/analyzer.h', \
		$(if $(WERROR),KCFLAGS=-Werror))

ifeq ($(KVERS),)
modules modules_install:
	@echo "no kernel to build for: run scripts/setup, or give KDIR=" >&2; exit 1
else
modules: $(KVERS:%=modules-%)
modules_install: $(KVERS:%=modules_install-%)
endif

modules-%: kernel-links-%
	@test -n '$(KDIR_$*)' || { echo 'kernel $* is not set up: run scripts/setup $*' >&2; exit 1; }
	$(if $(V),,@printf '  %-7s %s\n' KBUILD build/kernel/$*)
	$(KMAKE) modules
	@cd build/kernel/$* && find . -mindepth 2 -name '*.ko' -type f -exec ln -sf {} . \;

# Links to what there is, none to what there is no more.
kernel-links-%:
	@mkdir -p $(addprefix build/kernel/$*/,$(sort $(dir $(KSRCS))))
	@find build/kernel/$* -xtype l -delete
	@cd build/kernel/$* && for f in $(KSRCS); do \
		test $$f -ef '$(CURDIR)'/$$f || ln -sfr '$(CURDIR)'/$$f $$f; done

modules_install-%: modules-%
	install -d $(DESTDIR)/lib/modules/$$(cat $(KDIR_$*)/include/config/kernel.release)/updates
	install -m 644 $$(ls build/kernel/$*/fmp.ko $(if $(BASEBAND),build/kernel/$*/fmp_baseband.ko)) $(DESTDIR)/lib/modules/$$(cat $(KDIR_$*)/include/config/kernel.release)/updates

# What speaks to the module has its socket in common.
CHANNEL_OBJ := $(B)/obj/tests/lib/channel.o
EXTRA_tests/vm := -Itests/lib
EXTRA_tests/bench := -Itests/lib
$(B)/tests/vm/fmp_genl $(B)/tests/vm/drop_monitor $(B)/tests/vm/flush_beside $(B)/tests/bench/fmp_load: $(CHANNEL_OBJ)

vm-tests: $(patsubst tests/vm/%.c,$(B)/tests/vm/%,$(wildcard tests/vm/*.c)) $(B)/tests/bench/fmp_load
bench-tools: $(patsubst tests/bench/%.c,$(B)/tests/bench/%,$(wildcard tests/bench/*.c))
# In a make of its own: compiler, libraries and place are other ones.
board-tools:
	+$(Q)$(MAKE) for-armhf GOALS=build/armhf/tests/vm/fmp_genl
	+$(Q)test ! -e build/vm/armel/format || $(MAKE) for-armel GOALS=build/armel/tests/vm/fmp_genl PKGS=libmnl
for-%:
	+$(Q)$(MAKE) B=build/$* CC=$(CROSS_$*)gcc SYSROOT=$(CURDIR)/build/vm/$*/rootfs $(GOALS)
vm-tool = $(call say,LD,$@)mkdir -p $(@D) && \
	$(CC) $(ALL_CFLAGS) $(ALL_LDFLAGS) -o $@ $^ $(shell $(PKG_CONFIG) --libs libmnl)
$(B)/tests/vm/%: $(B)/obj/tests/vm/%.o
	$(vm-tool)
$(B)/tests/bench/%: $(B)/obj/tests/bench/%.o
	$(vm-tool)
# Takes messages through the gateway's own code.
$(B)/tests/bench/inspect: $(B)/obj/tests/bench/inspect.o $(LIB)
	$(call say,LD,$@)mkdir -p $(@D) && $(CC) $(ALL_CFLAGS) $(ALL_LDFLAGS) -o $@ $^ $(PKG_LIBS)
# Events through the engine, and nothing around it.
$(B)/tests/bench/engine: $(B)/obj/tests/bench/engine.o $(LIB)
	$(call say,LD,$@)mkdir -p $(@D) && $(CC) $(ALL_CFLAGS) $(ALL_LDFLAGS) -o $@ $^ $(PKG_LIBS)
# And from there into the sample service.
$(B)/obj/tests/bench/orders.o: EXTRA_tests/bench += -isystem $(GEN)/orders -Idaemon/sample/provider
$(B)/obj/tests/bench/orders.o: $(GSOAP_ORDERS)
$(B)/tests/bench/orders: $(B)/obj/tests/bench/orders.o $(B)/obj/daemon/sample/provider/order_tree.o $(GEN)/orders/soapC.o $(LIB)
	$(call say,LD,$@)mkdir -p $(@D) && $(CC) $(ALL_CFLAGS) $(ALL_LDFLAGS) -o $@ $^ $(PKG_LIBS)

clean: modules_clean
modules_clean:
	rm -rf build/kernel build/check

.PHONY: modules modules_install modules_clean vm-tests board-tools bench-tools
