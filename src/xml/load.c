#include "xml/load.h"

#include "base/debug.h"
#include "base/map.h"
#include "xml/byte_map.h"
#include "xml/encoding.h"
#include "xml/input.h"
#include "xml/read.h"
#include "xml/schema.h"

#include <assert.h>
#include <errno.h>
#include <string.h>

enum {
    WARNINGS_MAX = 20,
    POSITIONS_MAX = 1 << 30 /* leaves room for those of the largest file */
};

/* What checking one template needs. */
struct reading {
    struct document *document;
    struct diag *diag;
    struct map all_ids; /* id -> node, over all templates */
    bool was_shared_id_reported;
    const struct xml_template *template; /* the current one ... */
    struct map ids;                      /* ... and its ids -> node */
};

static bool can_warn(const struct reading *view) {
    return view->diag->warning_count < WARNINGS_MAX;
}

static bool is_named(const struct element *element, const char *name) {
    return !strcmp(element->name, name);
}

static const char *text_shown(const struct reading *view, const char *text) {
    return shown(view->document->arena, text);
}

/* ---- labels ---- */

static const struct {
    const char *name;
    enum label_kind kind;
    bool on_location, on_transition;
} kinds[] = {
    {"invariant", LABEL_INVARIANT, true, false},
    {"exponentialrate", LABEL_RATE, true, false},
    {"testcodeEnter", LABEL_TESTCODE, true, false},
    {"testcodeExit", LABEL_TESTCODE, true, false},
    {"comments", LABEL_COMMENTS, true, true},
    {"select", LABEL_SELECT, false, true},
    {"guard", LABEL_GUARD, false, true},
    {"synchronisation", LABEL_SYNC, false, true},
    {"assignment", LABEL_UPDATE, false, true},
    {"probability", LABEL_PROBABILITY, false, true},
    {"testcode", LABEL_TESTCODE, false, true},
};

enum { KIND_COUNT = sizeof kinds / sizeof kinds[0] };

/* The kind of a label; LABEL_OTHER for unknown ones and those that belong elsewhere. */
static enum label_kind label_kind_of(struct reading *view, const struct element *label,
                                     const char *name) {
    assert(label->parent);
    bool on_location = is_named(label->parent, "location");
    bool is_blank = str_is_blank(label->text.content);
    for (size_t i = 0; i < KIND_COUNT; i++) {
        if (strcmp(kinds[i].name, name) != 0) continue;
        if (on_location ? kinds[i].on_location : kinds[i].on_transition) return kinds[i].kind;
        if (!is_blank)
            diag_error(view->diag, STATUS_INVALID, label->at,
                       "a <%s> cannot have a label of kind '%s'", label->parent->name, name);
        return LABEL_OTHER;
    }
    const char *meant = is_blank ? NULL : schema_similar_kind(name);
    if (meant && can_warn(view))
        diag_warning(view->diag, label->at, "Uppaal ignores labels of kind '%s'; '%s' may be meant",
                     text_shown(view, name), meant);
    return LABEL_OTHER;
}

static bool is_repetition_harmless(enum label_kind kind) {
    return kind == LABEL_OTHER || kind == LABEL_COMMENTS || kind == LABEL_TESTCODE;
}

static void add_label(struct reading *view, struct labels *labels, struct element *label) {
    if (label->is_empty_tag) return; /* as Uppaal does */
    const char *name = element_attribute(label, "kind");
    if (!name) {
        diag_error(view->diag, STATUS_INVALID, label->at, "<label> has no attribute kind");
        return;
    }
    enum label_kind kind = label_kind_of(view, label, name);
    if (str_is_blank(label->text.content)) return;
    if (kind == LABEL_SELECT && labels->of[kind]) return; /* it adds to the first */
    if (labels->of[kind] && !is_repetition_harmless(kind) && can_warn(view))
        diag_warning(view->diag, label->at,
                     "second label of kind '%s'; as in Uppaal it replaces the first", name);
    labels->of[kind] = label;
}

/* ---- nodes ---- */

static void add_id(struct reading *view, struct xml_location *node) {
    const char *id = element_attribute(node->element, "id");
    if (!id || !*id) {
        diag_error(view->diag, STATUS_INVALID, node->element->at, "<%s> has no attribute id",
                   node->element->name);
        return;
    }
    node->id = intern_text(view->document->names, id);
    uint64_t key = map_key(node->id);
    if (map_get(&view->ids, key)) {
        diag_error(view->diag, STATUS_INVALID, node->element->at,
                   "the id '%s' is used twice in this template", text_shown(view, id));
        return;
    }
    map_put(&view->ids, key, node);
    if (map_get(&view->all_ids, key) && !view->was_shared_id_reported) {
        view->was_shared_id_reported = true;
        diag_warning(view->diag, node->element->at,
                     "the id '%s' is used in another template too; Uppaal warns about that",
                     text_shown(view, id));
    }
    map_put(&view->all_ids, key, node);
}

static void read_location(struct reading *view, struct xml_location *location) {
    add_id(view, location);
    for (struct element *child = location->element->first_child; child; child = child->next) {
        if (is_named(child, "name")) location->name = child;
        if (is_named(child, "label")) add_label(view, &location->labels, child);
        if (is_named(child, "urgent")) location->is_urgent = true;
        if (is_named(child, "committed")) location->is_committed = true;
    }
    if (location->is_urgent && location->is_committed)
        diag_error(view->diag, STATUS_INVALID, location->element->at,
                   "a location is either urgent or committed, not both");
}

/* The node that a ref attribute names, or NULL after an error. */
static const struct xml_location *find_node(struct reading *view, const struct element *element) {
    const char *ref = element_attribute(element, "ref");
    if (!ref) {
        diag_error(view->diag, STATUS_INVALID, element->at, "<%s> has no attribute ref",
                   element->name);
        return NULL;
    }
    const char *id = intern_text(view->document->names, ref);
    const struct xml_location *node = map_get(&view->ids, map_key(id));
    if (!node)
        diag_error(view->diag, STATUS_INVALID, element->at,
                   "<%s> refers to '%s', which is no location of this template", element->name,
                   text_shown(view, ref));
    return node;
}

/* ---- transitions ---- */

static bool is_before_select(enum label_kind kind) {
    return kind == LABEL_GUARD || kind == LABEL_SYNC || kind == LABEL_UPDATE ||
           kind == LABEL_PROBABILITY;
}

static bool is_select(const struct element *child) {
    const char *kind = is_named(child, "label") ? element_attribute(child, "kind") : NULL;
    return kind && !strcmp(kind, "select") && !str_is_blank(child->text.content);
}

/* Labels are parsed in document order: those before a select cannot use its names. */
static void find_late_select(struct xml_transition *transition) {
    assert(!transition->late_select);
    bool is_late = false;
    for (struct element *child = transition->element->first_child; child; child = child->next) {
        if (is_late && is_select(child)) transition->late_select = child;
        is_late |= child == transition->labels.of[LABEL_SELECT];
        for (int kind = 0; kind < LABEL_KINDS; kind++)
            is_late |=
                is_before_select((enum label_kind)kind) && transition->labels.of[kind] == child;
    }
}

static void read_transition(struct reading *view, struct xml_transition *transition) {
    const struct element *element = transition->element;
    const struct xml_template *template = view->template;
    const struct element *source = NULL, *target = NULL;
    for (struct element *child = element->first_child; child; child = child->next) {
        if (is_named(child, "source")) source = child;
        if (is_named(child, "target")) target = child;
        if (is_named(child, "label")) add_label(view, &transition->labels, child);
    }
    const struct xml_location *from = source ? find_node(view, source) : NULL;
    const struct xml_location *to = target ? find_node(view, target) : NULL;
    if (!source || !target)
        diag_error(view->diag, STATUS_INVALID, element->at, "<transition> has no <%s>",
                   source ? "target" : "source");
    transition->source = from ? (uint32_t)(from - template->nodes) : 0;
    transition->target = to ? (uint32_t)(to - template->nodes) : 0;
    const char *controllable = element_attribute(element, "controllable");
    transition->is_controllable = !controllable || !strcmp(controllable, "true");
    find_late_select(transition);
}

/* ---- templates ---- */

static void count_children(struct xml_template *template) {
    for (const struct element *child = template->element->first_child; child; child = child->next) {
        template->location_count += is_named(child, "location");
        template->branchpoint_count += is_named(child, "branchpoint");
        template->transition_count += is_named(child, "transition") && !child->is_empty_tag;
    }
}

static void read_initial(struct reading *view, struct xml_template *template,
                         const struct element *init) {
    if (!init) {
        diag_error(view->diag, STATUS_INVALID, template->element->at,
                   "the template has no initial location: <init> is missing");
        return;
    }
    const struct xml_location *node = find_node(view, init);
    if (!node) return;
    if (node->is_branchpoint)
        diag_error(view->diag, STATUS_INVALID, init->at,
                   "the initial location is a branchpoint; it must be a location");
    else
        template->initial = (uint32_t)(node - template->nodes);
}

static void read_template(struct reading *view, struct xml_template *template) {
    struct arena *arena = view->document->arena;
    assert(!template->nodes && !template->transitions);
    count_children(template);
    template->nodes = ARENA_ARRAY(arena, struct xml_location,
                                  template->location_count + template->branchpoint_count);
    template->transitions = ARENA_ARRAY(arena, struct xml_transition, template->transition_count);
    view->template = template;
    map_init(&view->ids, arena);
    const struct element *init = NULL;
    uint32_t locations = 0, branchpoints = template->location_count, transitions = 0;
    for (struct element *child = template->element->first_child; child; child = child->next) {
        if (is_named(child, "name")) template->name = child;
        if (is_named(child, "parameter")) template->parameter = child;
        if (is_named(child, "declaration")) template->declaration = child;
        if (is_named(child, "init")) init = child;
        if (is_named(child, "location")) {
            template->nodes[locations].element = child;
            read_location(view, &template->nodes[locations++]);
        } else if (is_named(child, "branchpoint")) {
            struct xml_location *node = &template->nodes[branchpoints++];
            *node = (struct xml_location){.element = child, .is_branchpoint = true};
            add_id(view, node);
        } else if (is_named(child, "transition") && !child->is_empty_tag) {
            template->transitions[transitions].element = child;
            read_transition(view, &template->transitions[transitions++]);
        }
    }
    if (!template->name)
        diag_error(view->diag, STATUS_INVALID, template->element->at, "<template> has no <name>");
    read_initial(view, template, init);
}

/* ---- the whole ---- */

static void read_queries(struct document *document) {
    if (!document->queries) return;
    for (const struct element *child = document->queries->first_child; child; child = child->next)
        document->query_count += is_named(child, "query");
    document->query_list = ARENA_ARRAY(document->arena, struct xml_query, document->query_count);
    struct xml_query *query = document->query_list;
    for (struct element *child = document->queries->first_child; child; child = child->next) {
        if (!is_named(child, "query")) continue;
        query->element = child;
        for (struct element *part = child->first_child; part; part = part->next) {
            if (is_named(part, "formula")) query->formula = part;
            if (is_named(part, "comment")) query->comment = part;
        }
        query++;
    }
}

static void read_root(struct reading *view) {
    struct document *document = view->document;
    for (struct element *child = document->root->first_child; child; child = child->next) {
        if (is_named(child, "declaration")) document->declaration = child;
        if (is_named(child, "instantiation")) document->instantiation = child;
        if (is_named(child, "system")) document->system = child;
        if (is_named(child, "queries")) document->queries = child;
        document->template_count += is_named(child, "template") && !child->is_empty_tag;
    }
    if (!document->system)
        diag_error(view->diag, STATUS_INVALID, document->root->at, "<%s> has no <system>",
                   document->root->name);
    document->templates =
        ARENA_ARRAY(document->arena, struct xml_template, document->template_count);
    struct xml_template *template = document->templates;
    for (struct element *child = document->root->first_child; child; child = child->next) {
        if (!is_named(child, "template") || child->is_empty_tag) continue;
        template->element = child;
        read_template(view, template ++);
    }
    read_queries(document);
}

/* The offset of the next LF, or the size of the file. */
static size_t next_line_feed(const struct document *document, size_t offset) {
    struct str bytes = document->bytes;
    size_t unit = encoding_unit(document);
    if (unit == 1) {
        const char *found = memchr(bytes.data + offset, '\n', bytes.size - offset);
        return found ? (size_t)(found - bytes.data) : bytes.size;
    }
    while (offset < bytes.size && encoding_unit_at(document, offset) != '\n') offset += unit;
    return offset;
}

/* "\r\n" if more than half of the line ends are such. */
static const char *find_line_end(const struct document *document) {
    size_t unit = encoding_unit(document), lines = 0, returns = 0;
    for (size_t at = next_line_feed(document, 0); at < document->bytes.size;
         at = next_line_feed(document, at + unit)) {
        lines++;
        returns += at >= unit && encoding_unit_at(document, at - unit) == '\r';
    }
    return returns * 2 > lines ? "\r\n" : "\n";
}

/* That elements nest: ranges of children are inside, in order. */
static void element_check(const struct element *element) {
    size_t end = element->content_begin;
    assert(element->begin < element->content_begin || !element->parent);
    assert(element->content_begin <= element->content_end && element->content_end <= element->end);
    for (const struct element *child = element->first_child; child; child = child->next) {
        assert(child->parent == element && child->begin >= end);
        assert(child->end <= element->content_end);
        end = child->end;
        element_check(child);
    }
}

static bool parse(struct document *document, struct diag *diag) {
    struct str bytes = document->bytes;
    uint32_t errors_before = diag->error_count;
    if (bytes.size > DOCUMENT_MAX_BYTES)
        return diag_error(diag, STATUS_LIMIT, 0, "the file is larger than %d MiB",
                          DOCUMENT_MAX_BYTES / 1024 / 1024);
    if (!bytes.size) return diag_error(diag, STATUS_INVALID, 0, "the file is empty");
    if (bytes.size > 2 && (!memcmp(bytes.data, "\037\213", 2) || !memcmp(bytes.data, "PK\3", 3)))
        return diag_error(diag, STATUS_INVALID, 0, "the file is compressed; unpack it first");
    if (!read_elements(document, diag)) return false;
    document->line_end = find_line_end(document);
    struct reading view = {.document = document, .diag = diag};
    map_init(&view.all_ids, document->arena);
    read_root(&view);
    if (diag->error_count != errors_before) return false;
    DEBUG_CHECK(element_check(document->root));
    DEBUG_LOG("%s: %zu bytes, %u templates", document->source.name, bytes.size,
              document->template_count);
    return true;
}

bool document_parse(struct document *document, struct arena *arena, struct interner *names,
                    const char *name, struct str bytes, struct diag *diag) {
    *document = (struct document){.arena = arena, .names = names, .bytes = bytes};
    source_init(&document->source, arena, name);
    diag->source = &document->source;
    return parse(document, diag);
}

bool document_replace(struct document *document, struct str bytes, const struct byte_map *map,
                      struct diag *diag) {
    if (document->source.next > POSITIONS_MAX)
        return diag_error(diag, STATUS_LIMIT, 0, "the model is too large to be rewritten");
    *document = (struct document){.arena = document->arena,
                                  .names = document->names,
                                  .bytes = bytes,
                                  .byte_map = map,
                                  .source = document->source};
    return parse(document, diag);
}

bool document_load(struct document *document, struct arena *arena, struct interner *names,
                   const char *path, struct diag *diag) {
    const char *name = strcmp(path, "-") != 0 ? path : "<stdin>";
    struct str bytes;
    *document = (struct document){.arena = arena, .names = names};
    source_init(&document->source, arena, name);
    diag->source = &document->source;
    if (file_load(path, arena, &bytes))
        return document_parse(document, arena, names, name, bytes, diag);
    return diag_error(diag, STATUS_INVALID, 0, "cannot read the file: %s", strerror(errno));
}
