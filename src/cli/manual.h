/* MANUAL - the tables of options.h and help.h as manual pages (mdoc) or completions; what takes
 * more words stands in the documents of the folder manual. Lifetime: everything is static. */
#pragma once

#include "cli/table.h"

#include <stdio.h>

/* Writes the page of a command ("man"), that of a topic, or what a shell completes with, as
 * --manual names them. False if there is nothing of that name. */
bool manual_print(FILE *file, const char *format, enum command command);
