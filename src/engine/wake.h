/* WAKE - signals as something to read, so that the proxy waits for them like for everything else. */
#ifndef VARABS_ENGINE_WAKE_H
#define VARABS_ENGINE_WAKE_H

#include <stdbool.h>

/* From now on a child that ends, SIGTERM, SIGHUP and SIGINT make the descriptor readable; those that
 * are ignored stay ignored. -1 with errno set if it cannot be made. */
int wake_open(void);
/* Takes what is to be read. Whether one of the signals that end the program was among it. */
bool wake_take(int fd);

#endif
