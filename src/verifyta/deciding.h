/* DECIDING - queries asked of varabs, as verifyta would be asked.
 *
 * Verdicts come from `varabs decide`, which has one only where it carries over to the model, under
 * the semantics of Uppaal; runs from `varabs check`.
 *
 * Lifetime: what is found lives in the arena given.
 */
#pragma once

#include "verifyta/asked.h"

/* Fills in the verdicts of all queries without a problem, and the problems of those that get none.
 * defer: signals only ask for the end from then on. Messages go to the file. */
void asked_decide(struct asked_list *asked, const struct verifyta_arguments *arguments,
                  void (*defer)(void), struct arena *arena, FILE *messages);

/* Looks for the runs of those queries whose verdict has one. */
void asked_find_runs(struct asked_list *asked, const struct verifyta_arguments *arguments,
                     void (*defer)(void), struct arena *arena, FILE *messages);
