#include "explore/fair/asked.h"

#include "base/map.h"
#include "explore/fair/tag.h"
#include "xml/document.h"

#include <assert.h>
#include <string.h>

static const char all_instances[] = "(*)";

const char *fair_instances_of(const char *name, struct arena *arena) {
    size_t size = strlen(name), end = sizeof all_instances - 1;
    if (size <= end || strcmp(name + size - end, all_instances) != 0) return NULL;
    const char *plain = name + (*name == '@');
    return arena_copy(arena, plain, strlen(plain) - end);
}

/* Whether the instances of a tag are asked for, and by which name. */
static const char *asked_name(const struct fair_names *names, struct arena *arena, struct str tag) {
    for (uint32_t i = 0; i < names->weak_count + names->strong_count; i++) {
        const char *name =
            i < names->weak_count ? names->weak[i] : names->strong[i - names->weak_count];
        const char *plain = fair_instances_of(name, arena);
        if (plain && str_is(tag, plain)) return plain;
    }
    return NULL;
}

struct reader {
    struct arena *arena;
    struct model *model;
    struct map *by_edge;
};

static bool read_tag(const struct reader *reader, struct template *template, struct edge *edge,
                     const struct tag *tag, const char *name) {
    assert(str_is(tag->name, name));
    struct model *model = reader->model;
    if (tag->is_open)
        return diag_error(model->diag, STATUS_INVALID,
                          label_text(&edge->xml->labels, LABEL_COMMENTS)->begin,
                          "the parenthesis after '@%s' is never closed", name);
    struct tag_arguments *found = ARENA_NEW(reader->arena, struct tag_arguments);
    found->name = name;
    if (!tag_read_values(tag, reader->arena, model, template, edge, &found->values)) return false;
    if (found->values.count > FAIR_MAX_VALUES)
        return diag_error(model->diag, STATUS_LIMIT, tag->arguments.begin,
                          "the tag '@%s' has more than %d arguments", name, FAIR_MAX_VALUES);
    found->next = map_get(reader->by_edge, map_key(edge));
    map_put(reader->by_edge, map_key(edge), found);
    return true;
}

bool fair_read_arguments(struct fair_names *names, struct arena *arena, struct model *model) {
    struct reader reader = {arena, model, ARENA_NEW(arena, struct map)};
    map_init(reader.by_edge, arena);
    for (uint32_t t = 0; t < model->template_count && fair_is_asked(names); t++) {
        struct template *template = model->templates[t];
        for (uint32_t i = 0; i < template->edge_count; i++) {
            struct tag tag;
            for (size_t at = 0; tag_next(&template->edges[i], &at, &tag);) {
                const char *name = asked_name(names, arena, tag.name);
                if (name && !read_tag(&reader, template, &template->edges[i], &tag, name))
                    return false;
            }
        }
    }
    names->arguments = reader.by_edge;
    return true;
}
