# SPDX-License-Identifier: BSD-3-Clause
EXTRA_DIST += \
	%D%/check \
	%D%/quickstart \
	%D%/lib/build.sh \
	%D%/lib/counts.sh \
	%D%/lib/machine.sh \
	%D%/lib/packages.sh \
	%D%/lib/revision.sh
