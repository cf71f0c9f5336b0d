# SPDX-License-Identifier: BSD-3-Clause
dist_pkgdata_DATA = %D%/record.schema.json
