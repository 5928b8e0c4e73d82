# SPDX-License-Identifier: GPL-2.0
# Signatures are counted where they are verified.
LIBS_test_saml_order := -Wl,--wrap=EVP_PKEY_verify
OBJS_test_saml_order := $(ATTACK_OBJS)
