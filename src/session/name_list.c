#include "session/name_list.h"

#include <assert.h>
#include <string.h>

/* The end of the first name in a list with commas; those in parentheses are its own. */
static size_t name_size(const char *text) {
    size_t size = 0, depth = 0;
    for (; text[size] && (depth || text[size] != ','); size++) {
        depth += text[size] == '(';
        depth -= depth && text[size] == ')';
    }
    return size;
}

static void split_names(const char *text, struct arena *arena, const char **names,
                        uint32_t *count) {
    for (;;) {
        size_t size = name_size(text);
        if (size) names[(*count)++] = arena_copy(arena, text, size);
        if (!text[size]) return;
        text += size + 1;
    }
}

const char **names_of_lists(struct arena *arena, const char *const *texts, uint32_t text_count,
                            uint32_t *count) {
    size_t most = 1;
    for (uint32_t i = 0; i < text_count; i++) most += strlen(texts[i]) + 1;
    const char **names = ARENA_ARRAY(arena, const char *, most);
    *count = 0;
    for (uint32_t i = 0; i < text_count; i++) split_names(texts[i], arena, names, count);
    assert(*count < most); /* each name has a comma or an end of its own */
    return names;
}
