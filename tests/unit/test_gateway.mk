# SPDX-License-Identifier: GPL-2.0
# The test starts the program itself, as fmpd does.
$(B)/tests/test_gateway: | $(B)/bin/fmp-gateway
