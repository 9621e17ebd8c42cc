/* GENERATOR - what all parts of the output are written with. */
#pragma once

#include "abstract/emit/cell_loops.h"
#include "abstract/fold/model.h"
#include "xml/splice.h"

struct generator {
    struct abstraction *abstraction;
    struct arena *arena;
    const struct document *document;
    struct splices splices;
    struct label_spots *spots; /* emit/label_spot.h */
    struct cell_loops loops;
};
