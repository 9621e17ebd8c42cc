/* LOST SELECT - selects that only assignments named which go (M10).
 *
 *     k : int[0,3] with x = k, x = 0        becomes        x = 0
 *
 * Lifetime: texts are those of the splices.
 */
#ifndef VARABS_NORMAL_LOST_SELECT_H
#define VARABS_NORMAL_LOST_SELECT_H

#include "model/network.h"
#include "xml/splice.h"

/* How many values a select has in all processes of the template together; over: all between the
 * least and the greatest. 0: in some process it has none, and disables the edge. */
uint64_t select_size(const struct network *network, const struct template *template,
                     const struct symbol *select);

/* Edits the select label of an edge whose update becomes this text. Selects that the update did not
 * name stay, and those that have no values in some process. */
void lost_selects_drop(struct splices *splices, const struct network *network,
                       const struct template *template, const struct edge *edge,
                       const char *update);

#endif
