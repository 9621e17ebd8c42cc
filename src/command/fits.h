/* FITS - whether a model is one for what is asked for.
 *
 * This is asked here and nowhere else, of each network that is built and before anything is done
 * with it: a kind of models that several commands have to refuse gets its question in fits.c.
 */
#pragma once

#include "model/network.h"

enum purpose {
    FOR_CHECK,
    FOR_FORMULA, /* check, with operators in each other, of knowledge or of coalitions */
    FOR_DECIDE,
    FOR_SUGGEST,
    FOR_EXPLORE, /* abstract --explore */
    FOR_CERTIFY,
    FOR_REFINES,
    FOR_OBSERVERS /* info --agents, certify --observe: what agents observe matters by itself */
};

/* False (reported to the diag of the model) if it is not. */
bool model_fits(const struct network *network, enum purpose purpose);
