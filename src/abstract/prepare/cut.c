#include "abstract/prepare/cut.h"

#include <assert.h>

void cut_replace(struct text_cuts *cuts, position begin, position end, const char *text) {
    assert(begin <= end && text);
    VEC_PUSH(cuts->arena, &cuts->list, (struct text_edit){{begin, end}, str_of(text)});
}

static char char_at(const struct text *text, position at) {
    if (at < text->begin || at >= text->begin + text->content.size) return 0;
    return text->content.data[at - text->begin];
}

/* Whether only blanks stand before the position on its line. */
static bool is_first_on_line(const struct text *text, position at) {
    while (char_at(text, at - 1) == ' ' || char_at(text, at - 1) == '\t') at--;
    return at == text->begin || char_at(text, at - 1) == '\n';
}

position cut_end_with_comment(const struct text *text, struct span span) {
    position end = span.end;
    assert(text->begin <= span.begin && end <= text->begin + text->content.size);
    while (char_at(text, end) == ' ' || char_at(text, end) == '\t') end++;
    if (!is_first_on_line(text, span.begin) || char_at(text, end) != '/' ||
        char_at(text, end + 1) != '/')
        return span.end;
    while (char_at(text, end) && char_at(text, end) != '\n') end++;
    return end;
}

void cut_whole(struct text_cuts *cuts, const struct text *text, struct span span) {
    position begin = span.begin, end = cut_end_with_comment(text, span);
    while (char_at(text, begin - 1) == ' ' || char_at(text, begin - 1) == '\t') begin--;
    while (char_at(text, end) == ' ' || char_at(text, end) == '\t') end++;
    bool starts_line = is_first_on_line(text, span.begin);
    bool ends_line = end == text->begin + text->content.size || char_at(text, end) == '\n';
    if (!starts_line) begin = span.begin;
    if (starts_line && ends_line && char_at(text, end) == '\n')
        end++;
    else if (starts_line && !ends_line)
        begin = span.begin;
    else if (!ends_line || !starts_line)
        end = ends_line && !starts_line ? span.end : end;
    cut_replace(cuts, begin, end, "");
}

/* Each goes with the comma after it, the last ones with the comma before them. */
void cut_declarators(struct text_cuts *cuts, const struct declaration *declaration,
                     cut_test is_gone, const void *context) {
    const struct declarator *list = declaration->declarators;
    uint32_t count = declaration->declarator_count, last_kept = 0;
    for (uint32_t i = 0; i < count; i++)
        if (!is_gone(context, list[i].symbol)) last_kept = i;
    assert(count && !is_gone(context, list[last_kept].symbol)); /* not all of them go */
    for (uint32_t i = 0; i < last_kept; i++)
        if (is_gone(context, list[i].symbol))
            cut_replace(cuts, list[i].span.begin, list[i + 1].span.begin, "");
    if (last_kept + 1 < count)
        cut_replace(cuts, list[last_kept].span.end, list[count - 1].span.end, "");
}
