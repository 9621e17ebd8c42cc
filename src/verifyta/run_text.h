/* RUN TEXT - a run as verifyta 4.1 writes it:
 *
 *     State:
 *     ( P.idle Q.idle )
 *     n=0 P.x=0 #depth=0
 *
 *     Transitions:
 *       P.idle->P.busy { n < 3, c!, n := n + 1 }
 *       Q.idle->Q.idle { 1, c?, 1 }
 */
#ifndef VARABS_VERIFYTA_RUN_TEXT_H
#define VARABS_VERIFYTA_RUN_TEXT_H

#include "model/network.h"

#include <jansson.h>
#include <stdio.h>

/* A trace of the network, as reports have it (report/trace_report.h). */
void run_text_print(FILE *file, const struct network *network, const json_t *trace);

/* How the run goes on behind its last state, or NULL if that is where it ends. */
const char *run_text_rest(const json_t *trace, struct arena *arena);

#endif
