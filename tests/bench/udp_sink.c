// SPDX-License-Identifier: GPL-2.0
/*
 * udp_sink PORT: an application that reads datagrams and discards them; prints "listening"
 * when it is ready
 */
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>

int main(int argc, char **argv)
{
	struct sockaddr_in addr = { .sin_family = AF_INET };
	int fd = socket(AF_INET, SOCK_DGRAM, 0);
	char datagram[2048];

	if (argc != 2) {
		fprintf(stderr, "usage: udp_sink PORT\n");
		return 2;
	}
	addr.sin_port = htons(atoi(argv[1]));
	if (fd < 0 || bind(fd, (struct sockaddr *)&addr, sizeof(addr))) {
		perror("udp_sink");
		return 1;
	}
	printf("listening\n");
	fflush(stdout);
	while (recv(fd, datagram, sizeof(datagram), 0) >= 0)
		;
	perror("udp_sink");
	return 1;
}
