/* SPDX-License-Identifier: BSD-3-Clause */
/* The rates of this host's real network ports, from sysfs. */
#ifndef RACKMARK_NIC_H
#define RACKMARK_NIC_H

/* The sum over active ports that have a device behind them, bytes/s of one direction:
 * InfiniBand ports where there are any, else Ethernet. 0: unknown, also where one such
 * port does not tell its rate. A virtual NIC tells a rate that does not bind it: it has
 * no device and does not count. root: "" but in tests. */
double nic_rate_Bps(const char *root);

#endif
