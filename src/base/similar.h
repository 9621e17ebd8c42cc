/* SIMILAR - which of the words that exist a misspelt one may stand for: for "did you mean ...?". */
#pragma once

#include "base/str.h"

enum { SIMILAR_MAX_SIZE = 40 };

struct similar {
    struct str word;  /* as it was written; borrowed */
    const char *best; /* borrowed; NULL while nothing is similar */
    uint32_t distance;
};

/* Offers a word; the most similar one is kept, whatever the order. Letters may differ in case; two
 * others may be missing, added or different, and fewer in short words. */
void similar_offer(struct similar *similar, const char *word);

/* "; did you mean 'x'?", or the text given if nothing is similar. */
const char *similar_hint(const struct similar *similar, struct arena *arena, const char *otherwise);
