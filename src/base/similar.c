#include "base/similar.h"

#include <assert.h>
#include <ctype.h>
#include <string.h>

static bool is_same(char left, char right) {
    return tolower((unsigned char)left) == tolower((unsigned char)right);
}

static uint32_t least(uint32_t left, uint32_t right) { return left < right ? left : right; }

/* Letters to add, leave out, change, or swap with the next; sizes are SIMILAR_MAX_SIZE at most. */
static uint32_t distance_of(struct str left, struct str right) {
    assert(left.size <= SIMILAR_MAX_SIZE && right.size <= SIMILAR_MAX_SIZE);
    uint32_t table[SIMILAR_MAX_SIZE + 1][SIMILAR_MAX_SIZE + 1];
    const char *a = left.data, *b = right.data;
    for (uint32_t k = 0; k <= right.size; k++) table[0][k] = k;
    for (uint32_t i = 1; i <= left.size; i++) {
        table[i][0] = i;
        for (uint32_t k = 1; k <= right.size; k++) {
            table[i][k] = least(table[i - 1][k - 1] + !is_same(a[i - 1], b[k - 1]),
                                least(table[i - 1][k], table[i][k - 1]) + 1);
            if (i > 1 && k > 1 && is_same(a[i - 1], b[k - 2]) && is_same(a[i - 2], b[k - 1]))
                table[i][k] = least(table[i][k], table[i - 2][k - 2] + 1);
        }
    }
    return table[left.size][right.size];
}

void similar_offer(struct similar *similar, const char *word) {
    struct str other = str_of(word);
    if (other.size > SIMILAR_MAX_SIZE || similar->word.size > SIMILAR_MAX_SIZE) return;
    size_t less = other.size < similar->word.size ? other.size : similar->word.size;
    size_t more = other.size + similar->word.size - less;
    uint32_t most = less > 4 ? 2 : less > 2 ? 1 : 0;
    if (more - less > most) return;
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
