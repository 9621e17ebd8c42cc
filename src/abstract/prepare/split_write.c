/* The edits that a split makes in the document. */
#include "abstract/prepare/reference.h"
#include "abstract/prepare/split.h"
#include "abstract/prepare/split_internal.h"
#include "expr/find.h"
#include "lang/print/print.h"
#include "lang/syntax/frame.h"

#include <assert.h>
#include <stdlib.h>

struct edits {
    struct splitter *splitter;
    const struct element *element;
    VEC(struct text_edit) list;
};

static void add(struct edits *edits, position begin, position end, const char *text) {
    assert(begin <= end && text);
    VEC_PUSH(edits->splitter->arena, &edits->list, (struct text_edit){{begin, end}, str_of(text)});
}

static void apply(struct edits *edits, struct splices *splices) {
    if (!edits->list.count) return;
    text_edits_sort(edits->list.items, edits->list.count);
    splice_edit_text(splices, edits->element, edits->list.items, edits->list.count);
}

/* "const int[2,4]" in place of the types of parameters that a run restricts. */
static void restrict_parameters(struct edits *edits, const struct split_run *run) {
    for (uint32_t k = 0; run && k < run->set->parameter_count; k++) {
        const struct type *type = run->set->parameters[k]->type;
        if (run->lower[k] == run->set->lower[k] && run->upper[k] == run->set->upper[k]) continue;
        assert(!type_has_scalar(type) && run->lower[k] <= run->upper[k]);
        const char *prefix = type_prefixes(type) & PREFIX_CONST ? "const " : "";
        add(edits, type->span.begin, type->span.end,
            arena_printf(edits->splitter->arena, "%sint[%d,%d]", prefix, run->lower[k],
                         run->upper[k]));
    }
}

/* The text of a span after edits that lie in it. */
static const char *edited_text(struct edits *edits, struct span span) {
    struct text text = {.content = document_text(edits->splitter->model->document, span),
                        .begin = span.begin};
    text_edits_sort(edits->list.items, edits->list.count);
    return text_edited(edits->splitter->arena, &text, edits->list.items, edits->list.count).data;
}

/* Templates */

static uint32_t id_number(const char *id) {
    char *end;
    if (strncmp(id, "id", 2) != 0 || id[2] < '0' || id[2] > '9' || strlen(id) > 10) return 0;
    unsigned long number = strtoul(id + 2, &end, 10);
    return *end ? 0 : (uint32_t)number;
}

/* One more than the largest number of an id such as id17. */
static uint32_t first_free_id(const struct model *model) {
    uint32_t largest = 0;
    for (uint32_t t = 0; t < model->template_count; t++) {
        const struct xml_template *xml = model->templates[t]->xml;
        for (const struct element *e = xml->element->first_child; e; e = e->next) {
            const char *id = element_attribute(e, "id");
            uint32_t number = id ? id_number(id) : 0;
            if (number >= largest) largest = number + 1;
        }
    }
    return largest;
}

/* An id idN such that neither it nor the name _idN occurs. */
static const char *fresh_id(struct splitter *splitter, uint32_t *number) {
    struct interner *names = splitter->model->names;
    for (;;) {
        const char *id = arena_printf(splitter->arena, "id%u", (*number)++);
        const char *name = arena_printf(splitter->arena, "_%s", id);
        if (!intern_find(names, id) && !intern_find(names, name)) return intern_text(names, id);
    }
}

/* Gives the elements of a copy ids of their own; fresh gets those of locations and branchpoints. */
static void renew_ids(struct splitter *splitter, struct splices *changes,
                      const struct element *element, struct map *fresh, uint32_t *number) {
    const char *id = element_attribute(element, "id");
    struct str kind = str_of(element->name);
    if (id) {
        const char *name = fresh_id(splitter, number);
        if (str_is(kind, "location") || str_is(kind, "branchpoint"))
            map_put(fresh, map_key(intern_text(splitter->model->names, id)),
                    (void *)(uintptr_t)name);
        splice_set_attribute(changes, element, "id", name);
    }
    for (const struct element *child = element->first_child; child; child = child->next)
        renew_ids(splitter, changes, child, fresh, number);
}

/* Elements that refer to a location or branchpoint refer to the new id of it; other elements may
 * have an attribute of that name, too. */
static void renew_refs(struct splitter *splitter, struct splices *changes,
                       const struct element *element, struct map *fresh) {
    const char *ref = element_attribute(element, "ref");
    const char *name =
        ref ? map_get(fresh, map_key(intern_text(splitter->model->names, ref))) : NULL;
    if (name) splice_set_attribute(changes, element, "ref", name);
    for (const struct element *child = element->first_child; child; child = child->next)
        renew_refs(splitter, changes, child, fresh);
}

static void copy_template(struct splitter *splitter, const struct split_node *node, uint32_t group,
                          uint32_t *number) {
    struct split_groups *groups = node->groups;
    const struct xml_template *xml = groups->template->xml;
    assert(group && group < groups->count && node->names[group]);
    struct splices changes;
    struct map fresh;
    splices_init(&changes, splitter->model->document, splitter->arena);
    map_init(&fresh, splitter->arena);
    splice_set_text(&changes, xml->name, str_of(node->names[group]));
    struct edits edits = {.splitter = splitter, .element = xml->parameter};
    restrict_parameters(&edits, node->restricts[group]);
    apply(&edits, &changes);
    renew_ids(splitter, &changes, xml->element, &fresh, number);
    renew_refs(splitter, &changes, xml->element, &fresh);
    uint32_t count = xml->location_count + xml->branchpoint_count;
    groups->ids[group] = ARENA_ARRAY(splitter->arena, const char *, count);
    for (uint32_t i = 0; i < count; i++)
        groups->ids[group][i] = map_get(&fresh, map_key(xml->nodes[i].id));
    splice_copy_element(splitter->splices, xml->element, &changes);
}

static void write_template(struct splitter *splitter, const struct split_node *node,
                           uint32_t *number) {
    struct split_groups *groups = node->groups;
    struct edits edits = {.splitter = splitter, .element = groups->template->xml->parameter};
    restrict_parameters(&edits, node->restricts[0]);
    apply(&edits, splitter->splices);
    groups->ids = ARENA_ARRAY(splitter->arena, const char **, groups->count);
    for (uint32_t g = 1; g < groups->count; g++) {
        uint32_t process_count = 0;
        for (uint32_t p = 0; p < splitter->network->process_count; p++)
            process_count += splitter->network->processes[p].template == groups->template &&
                             splitter->group_of[p] == g;
        copy_template(splitter, node, g, number);
        VEC_PUSH(
            splitter->arena, &splitter->split->copies,
            (struct split_copy){groups->template->symbol->name, node->names[g], process_count});
    }
}

/* The system text */

static bool holds(const struct element *element, position at) {
    return element && at >= element->text.begin &&
           at <= element->text.begin + (position)element->text.content.size;
}

/* The declaration of an instantiation, once for each group that needs it. */
static void write_instance(struct edits *edits, const struct declaration *declaration) {
    struct splitter *splitter = edits->splitter;
    const struct instance *instance = declaration->instance;
    const struct split_node *node = map_get(&splitter->node_of, map_key(instance->symbol));
    struct buffer copies = {0};
    for (uint32_t g = 0; node && g < node->groups->count; g++) {
        bool is_copy = g != node->keeper;
        struct edits changes = {.splitter = splitter};
        struct edits *to = is_copy ? &changes : edits;
        if (!node->names[g]) continue;
        if (is_copy)
            add(to, instance->symbol->span.begin, instance->symbol->span.end, node->names[g]);
        assert(node->base->names[g]); /* what an instantiation is made of is used by it */
        if (node->base->names[g] != node->base->symbol->name)
            add(to, instance->base_span.begin, instance->base_span.end, node->base->names[g]);
        restrict_parameters(to, node->restricts[g]);
        if (is_copy) buffer_printf(&copies, "\n%s", edited_text(to, declaration->span));
    }
    if (copies.size)
        add(edits, declaration->span.end, declaration->span.end,
            buffer_take(&copies, splitter->arena));
    buffer_close(&copies);
}

/* "Q_part(const int[2,4] id) = Q(id);"; a parameter cannot be called like a type of the system
 * text. */
static void add_part(struct splitter *splitter, struct buffer *out, const struct split_run *run) {
    const struct split_set *set = run->set;
    const char **names = ARENA_ARRAY(splitter->arena, const char *, set->parameter_count);
    buffer_printf(out, "%s(", run->name);
    for (uint32_t k = 0; k < set->parameter_count; k++) {
        const struct symbol *parameter = set->parameters[k];
        const struct symbol *other = frame_find_here(splitter->model->frame, parameter->name);
        bool is_type = other && other->kind == SYMBOL_TYPE;
        names[k] =
            is_type ? intern_fresh(splitter->model->names, parameter->name) : parameter->name;
        if (k) buffer_add_text(out, ", ");
        if (type_has_scalar(parameter->type)) {
            if (!(type_prefixes(parameter->type) & PREFIX_CONST)) buffer_add_text(out, "const ");
            print_base_type(out, parameter->type);
            buffer_printf(out, " %s", names[k]);
        } else {
            buffer_printf(out, "const int[%d,%d] %s", run->lower[k], run->upper[k], names[k]);
        }
    }
    buffer_printf(out, ") = %s(", set->node->names[run->group]);
    for (uint32_t k = 0; k < set->parameter_count; k++)
        buffer_printf(out, "%s%s", k ? ", " : "", names[k]);
    buffer_add_text(out, ");");
}

/* The blanks that a line begins with, up to a position, or NULL if there is more. */
static const char *line_indent(struct splitter *splitter, const struct text *text, position at) {
    const char *end = text->content.data + (at - text->begin), *begin = end;
    while (begin > text->content.data && (begin[-1] == ' ' || begin[-1] == '\t')) begin--;
    if (begin > text->content.data && begin[-1] != '\n') return "";
    return arena_copy(splitter->arena, begin, (size_t)(end - begin));
}

/* Partial instantiations before the system line, and its entries. */
static void write_system_line(struct edits *edits) {
    struct splitter *splitter = edits->splitter;
    const struct model *model = splitter->model;
    const char *indent = line_indent(splitter, &edits->element->text, model->system_span.begin);
    struct buffer parts = {0};
    for (uint32_t i = 0; i < model->process_count; i++) {
        const struct split_set *set = &splitter->sets[i];
        struct buffer entries = {0};
        for (uint32_t r = 0; r < set->run_count; r++) {
            buffer_printf(&entries, "%s%s", r ? ", " : "", set->runs[r].name);
            if (!set->runs[r].is_part) continue;
            add_part(splitter, &parts, &set->runs[r]);
            buffer_printf(&parts, "\n%s", indent);
        }
        struct span span = model->processes[i].span;
        if (set->run_count && !str_is(str_of(set->symbol->name), entries.data))
            add(edits, span.begin, span.end, buffer_take(&entries, splitter->arena));
        buffer_close(&entries);
    }
    if (parts.size)
        add(edits, model->system_span.begin, model->system_span.begin,
            buffer_take(&parts, splitter->arena));
    buffer_close(&parts);
}

static bool rewrite(struct edits *edits, const struct expr *expr) {
    struct text_edit *list;
    uint32_t count;
    if (!expr) return true;
    if (!split_rewrite_expr(edits->splitter, expr, &list, &count)) return false;
    for (uint32_t i = 0; i < count; i++) VEC_PUSH(edits->splitter->arena, &edits->list, list[i]);
    return true;
}

static bool write_system(struct splitter *splitter) {
    const struct model *model = splitter->model;
    const struct document *document = model->document;
    const struct element *elements[] = {document->instantiation, document->system};
    bool ok = true;
    for (int k = 0; k < 2; k++) {
        struct edits edits = {.splitter = splitter, .element = elements[k]};
        const struct declaration_list *list = &model->system_declarations;
        for (uint32_t i = 0; i < list->count; i++)
            if (list->items[i]->instance && holds(elements[k], list->items[i]->span.begin))
                write_instance(&edits, list->items[i]);
        if (k == 1) {
            write_system_line(&edits);
            for (uint32_t i = 0; i < model->progress_count && ok; i++)
                ok = rewrite(&edits, model->progress[i].guard) &&
                     rewrite(&edits, model->progress[i].measure);
            for (uint32_t i = 0; i < model->gantt_count; i++)
                for (uint32_t e = 0; e < model->gantt[i].expr_count && ok; e++)
                    ok = rewrite(&edits, model->gantt[i].exprs[e]);
        }
        apply(&edits, splitter->splices);
    }
    return ok;
}

static bool write_query(struct splitter *splitter, const struct query *query) {
    if (query->quantifier == QUERY_INVALID || query->quantifier == QUERY_EMPTY) return true;
    struct edits edits = {.splitter = splitter, .element = query->xml->formula};
    assert(query->xml->formula);
    bool ok = rewrite(&edits, query->predicate);
    for (uint32_t i = 0; i < query->expr_count && ok; i++) ok = rewrite(&edits, query->exprs[i]);
    if (!ok || !edits.list.count) return ok;
    struct changed_query entry = {.before = query->xml->formula->text.content.data,
                                  .after = edited_text(&edits, query->span),
                                  .at = query->span.begin};
    VEC_PUSH(splitter->arena, &splitter->split->queries, entry);
    apply(&edits, splitter->splices);
    return true;
}

/* Those of one text have one query. Comments of the global declaration are no elements: their edits
 * are added to those of the declaration. */
static bool write_declarations(struct splitter *splitter, const struct query *query,
                               struct edits *declaration) {
    const struct model *model = splitter->model;
    struct edits own = {.splitter = splitter, .element = query->xml->formula};
    bool is_comment = !query->xml->host && !query->xml->formula->end, ok = true;
    struct edits *edits = is_comment ? declaration : &own;
    for (uint32_t i = 0; i < model->agents.count; i++) {
        const struct agent_declaration *said = model->agents.items[i];
        if (said->query != query) continue;
        for (uint32_t k = 0; k < said->agent_count && ok; k++) ok = rewrite(edits, said->agents[k]);
        for (uint32_t k = 0; k < said->item_count && ok; k++)
            ok = rewrite(edits, said->items[k].expr);
    }
    if (ok) apply(&own, splitter->splices);
    return ok;
}

static bool write_agents(struct splitter *splitter) {
    const struct model *model = splitter->model;
    struct edits declaration = {.splitter = splitter, .element = model->document->declaration};
    bool ok = true;
    for (uint32_t i = 0; i < model->agents.count && ok; i++) {
        const struct query *query = model->agents.items[i]->query;
        if (!i || query != model->agents.items[i - 1]->query)
            ok = write_declarations(splitter, query, &declaration);
    }
    if (ok) apply(&declaration, splitter->splices);
    return ok;
}

bool split_write(struct splitter *splitter) {
    uint32_t number = first_free_id(splitter->model);
    bool ok = true;
    for (uint32_t i = 0; i < splitter->nodes.count; i++)
        if (!splitter->nodes.items[i]->base)
            write_template(splitter, splitter->nodes.items[i], &number);
    if (splitter->nodes.count) ok = write_system(splitter);
    for (uint32_t i = 0; i < splitter->model->query_count && ok && splitter->nodes.count; i++)
        ok = write_query(splitter, &splitter->model->queries[i]);
    if (splitter->nodes.count) ok = ok && write_agents(splitter);
    if (!ok)
        diag_error(splitter->diag, STATUS_LIMIT, 0,
                   "with the processes selected, queries would get more than %d characters longer; "
                   "select fewer, or ranges",
                   SPLIT_MAX_TEXT);
    return ok;
}
