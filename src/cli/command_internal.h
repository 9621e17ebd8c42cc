/* COMMANDS - what main calls: the command of COMMAND_X is in x_command.c.
 *
 * Each takes the options as given and returns the exit status; what went wrong is printed.
 */
#ifndef VARABS_CLI_COMMAND_INTERNAL_H
#define VARABS_CLI_COMMAND_INTERNAL_H

#include "cli/options.h"

int command_abstract(const struct options *options);
int command_info(const struct options *options);
int command_check(const struct options *options);
int command_certify(const struct options *options);
int command_refines(const struct options *options);
int command_draw(const struct options *options);
int command_export(const struct options *options);
int command_suggest(const struct options *options);
int command_decide(const struct options *options);

#endif
