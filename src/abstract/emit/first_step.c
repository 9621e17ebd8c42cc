#include "abstract/emit/first_step.h"

#include <assert.h>

/* Bytes of the input that go: elements, in their order. */
struct range {
    size_t begin, end;
};

struct ranges {
    VEC(struct range) list;
};

static void list_edges(struct ranges *ranges, const struct generator *generator) {
    const struct document *document = generator->document;
    for (uint32_t t = 0; t < document->template_count; t++) {
        const struct xml_template *template = &document->templates[t];
        for (uint32_t i = 0; i < template->transition_count; i++) {
            const struct xml_transition *edge = &template->transitions[i];
            if (edge->source >= template->location_count || edge->source == template->initial)
                continue;
            struct range own = {edge->element->begin, edge->element->end};
            assert(!ranges->list.count ||
                   ranges->list.items[ranges->list.count - 1].end <= own.begin);
            VEC_PUSH(generator->arena, &ranges->list, own);
        }
    }
}

/* Whether an edit changes one of the elements, or is put after it. */
static bool is_within(const struct ranges *ranges, const struct edit *edit) {
    uint32_t low = 0, high = ranges->list.count;
    while (low < high) { /* the last that begins before the edit ends */
        uint32_t middle = low + (high - low) / 2;
        if (ranges->list.items[middle].begin < edit->end)
            low = middle + 1;
        else
            high = middle;
    }
    if (!low) return false;
    const struct range *range = &ranges->list.items[low - 1];
    return range->begin <= edit->begin && edit->end <= range->end;
}

void keep_first_step(struct generator *generator) {
    struct splices *splices = &generator->splices;
    struct ranges ranges = {{0}};
    uint32_t kept = 0;
    list_edges(&ranges, generator);
    for (uint32_t i = 0; i < splices->edits.count; i++)
        if (!is_within(&ranges, &splices->edits.items[i]))
            splices->edits.items[kept++] = splices->edits.items[i];
    splices->edits.count = kept;
    for (uint32_t i = 0; i < ranges.list.count; i++)
        splice_markup(splices, ranges.list.items[i].begin, ranges.list.items[i].end, STR(""));
}
