/* The product of all processes. So far it refines nothing, which is sound: the thread-modular
 * result holds for every run of the network. */
#include "approx/combined.h"

bool combined_compute(struct analysis *analysis, struct diag *diag) {
    (void)analysis;
    (void)diag;
    return true;
}
