/* LOCAL DOMAIN - the thread-modular value analysis (rules A1 to A5 and A7). */
#pragma once

#include "approx/labels/fact.h"

void local_domain_compute(struct analysis *analysis);
