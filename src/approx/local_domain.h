/* LOCAL DOMAIN - the thread-modular value analysis (rules A1 to A5 and A7). */
#ifndef VARABS_APPROX_LOCAL_DOMAIN_H
#define VARABS_APPROX_LOCAL_DOMAIN_H

#include "approx/labels/fact.h"

void local_domain_compute(struct analysis *analysis);

#endif
