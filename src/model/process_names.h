/* PROCESS NAMES - the processes of a network by the names that queries call them.
 *
 * Lifetime: the map borrows the processes.
 */
#pragma once

#include "model/network.h"

/* Fills a map that find_process looks into. */
void index_processes(struct map *by_name, const struct network *network);

/* The process that a name or a set with arguments stands for, or NULL. */
const struct process *find_process(const struct network *network, const struct map *by_name,
                                   const struct symbol *symbol, const int32_t *arguments,
                                   uint32_t count);
