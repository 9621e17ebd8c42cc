/* RESOURCES - what the machine has left for us. */
#pragma once

#include <stddef.h>
#include <stdint.h>

/* Bytes that may be used before the machine swaps or we are killed; 0 = unknown. The least of
 * what /proc/meminfo, control groups and the limit on the address space leave. */
size_t resources_memory(void);

/* What the control groups of a process and those around them leave, of either version; 0 = no
 * limit. list: as /proc/self/cgroup; root: where the groups are. */
size_t resources_group_memory(const char *list, const char *root);

/* Processors online, at least 1. */
uint32_t resources_processors(void);
