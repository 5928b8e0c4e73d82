/* SPDX-License-Identifier: GPL-2.0 */
/* fmp-flood forge: raw frames with forged source addresses. */
#ifndef FLOOD_FORGE_H
#define FLOOD_FORGE_H

/* argv[0] is "forge". Return: the exit code. */
int flood_forge_main(int argc, char **argv);

#endif
