/* OUTPUT - writing files: beside the name, then renamed; and what a path names.
 *
 * Invariants: a file is there as a whole or as it was before, whatever signal comes.
 */
#pragma once

#include "base/diag.h"
#include "base/str.h"

/* Writes bytes to path by way of a temporary file in the same directory and a rename; "-" is
 * standard output. False (and a diagnostic: STATUS_LIMIT for a full disk, else STATUS_USAGE) if
 * that fails; nothing is left. */
bool file_write(const char *path, struct str bytes, struct diag *diag);
/* Removes the temporary file of a file_write under way, if any; for handlers of signals that do not
 * return to it. file_write itself minds signals that have no handler. */
void file_abandon(void);
/* Whether writing the file may succeed, as far as can be told before; false (reported) if not. */
bool file_can_write(const char *path, struct diag *diag);
/* A device, pipe or socket, which has no place that others could be beside. */
bool file_is_device(const char *path);

/* The default name of an output: "dir/in.may.xml" for "dir/in.xml" and ".may.xml". */
const char *file_beside(struct arena *arena, const char *input, const char *ending);

/* What a path names, by way of all links: a file, or a name in a directory for one that is not
 * there yet. Two are one place if file_place_compare is 0. */
struct file_place {
    uint64_t device, inode;
    const char *name; /* borrowed from the path, or in the arena; "" for a file */
};
/* False if there is no such directory, either. */
bool file_place_of(struct file_place *place, const char *path, struct arena *arena);
int file_place_compare(const struct file_place *left, const struct file_place *right);
