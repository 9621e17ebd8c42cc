/* KEEPING - a sink that keeps the parts of a result in memory, and the first error.
 *
 * Lifetime: parts are heap memory, until keeping_close.
 */
#ifndef VARABS_GRID_KEEPING_H
#define VARABS_GRID_KEEPING_H

#include "command/sink.h"

struct memory_sink {
    struct sink sink;
    struct buffer json, output, error;
};

void keeping_open(struct memory_sink *keeping);
void keeping_close(struct memory_sink *keeping);

#endif
