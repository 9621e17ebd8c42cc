#include "base/similar.h"

#include <ctype.h>
#include <string.h>

static uint32_t cost_of(char left, char right) {
    return tolower((unsigned char)left) != tolower((unsigned char)right);
}

/* Edit distance; sizes are SIMILAR_MAX_SIZE at most. */
static uint32_t distance_of(struct str left, struct str right) {
    uint32_t row[SIMILAR_MAX_SIZE + 1];
    for (uint32_t i = 0; i <= right.size; i++) row[i] = i;
    for (uint32_t i = 1; i <= left.size; i++) {
        uint32_t diagonal = row[0];
        row[0] = i;
        for (uint32_t k = 1; k <= right.size; k++) {
            uint32_t cost = diagonal + cost_of(left.data[i - 1], right.data[k - 1]);
            diagonal = row[k];
            if (row[k] + 1 < cost) cost = row[k] + 1;
            if (row[k - 1] + 1 < cost) cost = row[k - 1] + 1;
            row[k] = cost;
        }
    }
    return row[right.size];
}

void similar_offer(struct similar *similar, const char *word) {
    struct str other = str_of(word);
    if (other.size > SIMILAR_MAX_SIZE || similar->word.size > SIMILAR_MAX_SIZE) return;
    size_t least = other.size < similar->word.size ? other.size : similar->word.size;
    size_t size = other.size + similar->word.size - least;
    uint32_t most = least > 4 ? 2 : least > 2 ? 1 : 0;
    if (size - least > most) return;
    uint32_t distance = distance_of(similar->word, other);
    if (distance > most) return;
    if (similar->best && (distance > similar->distance ||
                          (distance == similar->distance && strcmp(word, similar->best) >= 0)))
        return;
    similar->best = word;
    similar->distance = distance;
}

const char *similar_hint(const struct similar *similar, struct arena *arena,
                         const char *otherwise) {
    if (!similar->best) return otherwise;
    return arena_printf(arena, "; did you mean '%s'?", similar->best);
}
