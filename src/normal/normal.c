/* From the classes to the new model. */
#include "normal/normal.h"

#include "abstract/emit/label.h"
#include "abstract/emit/place.h"
#include "abstract/emit/text.h"
#include "abstract/request/request.h"
#include "approx/domain.h"
#include "expr/build.h"
#include "expr/find.h"
#include "lang/syntax/frame.h"
#include "lang/syntax/walk.h"
#include "normal/value_text.h"
#include "normal/wish.h"
#include "suggest/live.h"

#include <assert.h>
#include <string.h>

enum { MOST_CELLS = 64, MOST_ROUNDS = 8 };

struct normaliser {
    struct normal *normal;
    struct arena *arena; /* of the result */
    struct session session;
    struct observed observed;
    bool are_given;             /* the queries, by the user */
    VEC(struct query) formulas; /* of operators in each other and of knowledge */
    const bool *is_asked;       /* by query: it counts now; NULL: all do */
    VEC(struct query) asked;    /* which are these, but for the formulas */
    struct live *live;
    bool *is_kept;                  /* by live variable: its values stay as they are */
    bool (*is_written)[MOST_CELLS]; /* by live variable and cell: some edge exchanges a value */
    struct wishes wishes;
    bool has_unwished; /* a value would be exchanged that nobody wishes to: each stays then */
    struct analysis *analysis;
    struct classes *classes;
    struct generator generator;
    struct additions *additions; /* of the edge that is written */
};

/* ---- classes ---- */

static uint32_t number_of(const struct live *live, const struct live_variable *variable) {
    assert(variable >= live->variables && variable < live->variables + live->variable_count);
    return (uint32_t)(variable - live->variables);
}

/* Within a step, at a branchpoint, values stay as they are. */
static bool is_wanted(const void *context, const struct template *template, uint32_t location,
                      const struct symbol *symbol, uint32_t offset) {
    const struct normaliser *normaliser = context;
    const struct live_variable *variable = live_find(normaliser->live, symbol);
    (void)offset;
    if (!variable || variable->is_observed || variable->is_passed) return false;
    if (template && location >= template->location_count) return false;
    return variable->shape->cell_count <= MOST_CELLS &&
           !normaliser->is_kept[number_of(normaliser->live, variable)];
}

static bool begins(const void *context, const struct template *template, uint32_t location,
                   const struct symbol *symbol, uint32_t offset, const struct class_place *place,
                   uint32_t *stands_for) {
    const struct normaliser *normaliser = context;
    const struct wishes *wishes = &normaliser->wishes;
    bool is_hand = !template && location; /* where nothing is exchanged */
    if (!wishes->are_given || is_hand ||
        !(normaliser->has_unwished || wishes_have(wishes, symbol, offset)))
        return false;
    return wish_begins(wish_for(wishes, symbol, offset, template, location), place, stands_for);
}

static struct analysis *analyse_values(struct normaliser *normaliser,
                                       const struct analysis_options *options) {
    const struct network *network = normaliser->session.network;
    struct arena *arena = &normaliser->session.arena;
    bool *is_removed = ARENA_ARRAY(arena, bool, network->slot_count + 1);
    struct diag unheard;
    diag_init(&unheard, arena, NULL);
    for (uint32_t s = 0; s < network->slot_count; s++)
        is_removed[s] = live_find(normaliser->live, network->slots[s].symbol) != NULL;
    return analyse(arena, network, is_removed, options, &unheard);
}

/* Slots of a variable in the first process that has it. */
static uint32_t first_slot(const struct network *network, const struct live_variable *variable) {
    for (uint32_t s = 0; s < network->slot_count; s++)
        if (network->slots[s].symbol == variable->symbol) return s - network->slots[s].offset;
    return NO_SLOT;
}

/* A cell of a variable while its process is at a location, or a global one. */
struct cell_at {
    const struct live_variable *variable;
    uint32_t offset, location;
};

/* Of the places of a variable: one for each location of the template that tells them apart. */
static const struct template *owner_of(const struct normaliser *normaliser,
                                       const struct live_variable *variable) {
    uint32_t slot = first_slot(normaliser->session.network, variable);
    if (variable->template) return variable->template;
    return slot == NO_SLOT ? NULL : classes_owner(normaliser->classes, slot);
}

static uint32_t place_count(const struct normaliser *normaliser,
                            const struct live_variable *variable) {
    const struct template *owner = owner_of(normaliser, variable);
    return owner ? owner->location_count : 1;
}

/* NULL if no process has it. */
static const struct class_place *any_place_at(const struct normaliser *normaliser,
                                              const struct cell_at *cell) {
    assert(cell->offset < cell->variable->shape->cell_count);
    uint32_t slot = first_slot(normaliser->session.network, cell->variable);
    if (slot == NO_SLOT) return NULL;
    return classes_place(normaliser->classes, slot + cell->offset, cell->location);
}

/* The same, if some value stands for others there that are exchanged for it, or NULL. */
static const struct class_place *place_at(const struct normaliser *normaliser,
                                          const struct cell_at *cell) {
    const struct class_place *place = any_place_at(normaliser, cell);
    uint32_t number = number_of(normaliser->live, cell->variable);
    bool is_written = cell->offset < MOST_CELLS && normaliser->is_written[number][cell->offset];
    return place && place_is_merged(place) && is_written ? place : NULL;
}

static const char *cell_name(struct arena *arena, const struct cell_at *cell) {
    const struct live_variable *variable = cell->variable;
    struct buffer out = {0};
    buffer_add_text(&out, variable->symbol->name);
    shape_path(&out, variable->symbol->type, variable->shape, cell->offset);
    const char *name = buffer_take(&out, arena);
    buffer_close(&out);
    return name;
}

static const char *normal_text(const struct normaliser *normaliser, const struct cell_at *cell,
                               const struct class_place *place) {
    const struct live_variable *variable = cell->variable;
    const struct type *type = cell_type(variable->symbol->type, variable->shape, cell->offset);
    struct arena *arena = normaliser->arena;
    return value_text(arena, place, cell_name(arena, cell), type->kind == TYPE_BOOL);
}

typedef void (*cell_found)(struct normaliser *normaliser, const struct cell_at *cell,
                           const struct class_place *place);

/* Calls back with all cells of which a value stands for others. */
static void each_cell(struct normaliser *normaliser, cell_found found) {
    const struct live *live = normaliser->live;
    for (uint32_t i = 0; i < live->variable_count; i++) {
        struct cell_at cell = {.variable = &live->variables[i]};
        uint32_t locations = place_count(normaliser, cell.variable);
        for (cell.offset = 0; cell.offset < cell.variable->shape->cell_count; cell.offset++)
            for (cell.location = 0; cell.location < locations; cell.location++) {
                const struct class_place *place = place_at(normaliser, &cell);
                if (place) found(normaliser, &cell, place);
            }
    }
}

/* ---- what cannot be written ---- */

/* Whether a name means something else in the labels of an edge. */
static bool is_hidden(const struct edge *edge, const struct template *template,
                      const struct live_variable *variable) {
    const char *name = variable->symbol->name;
    for (uint32_t i = 0; i < edge->select_count; i++)
        if (!strcmp(edge->selects[i]->name, name)) return true;
    const struct symbol *own = frame_find(template->frame, name);
    return own != variable->symbol;
}

typedef void (*exchange_found)(struct normaliser *normaliser, const struct template *template,
                               const struct edge *edge, const struct cell_at *cell,
                               const struct class_place *place);

static void each_exchange_of(struct normaliser *normaliser, const struct template *template,
                             const struct edge *edge, exchange_found found) {
    const struct live *live = normaliser->live;
    bool has_some = classes_have_exchange(normaliser->classes, edge);
    for (uint32_t i = 0; has_some && i < live->variable_count; i++) {
        struct cell_at cell = {.variable = &live->variables[i], .location = edge->target};
        if (cell.variable->template && cell.variable->template != template) continue;
        for (cell.offset = 0; cell.offset < cell.variable->shape->cell_count; cell.offset++) {
            const struct class_place *place =
                classes_exchange(normaliser->classes, edge, cell.variable->symbol, cell.offset);
            if (place) found(normaliser, template, edge, &cell, place);
        }
    }
}

static void each_exchange(struct normaliser *normaliser, exchange_found found) {
    const struct model *model = normaliser->session.model;
    for (uint32_t t = 0; t < model->template_count; t++)
        for (uint32_t i = 0; i < model->templates[t]->edge_count; i++)
            each_exchange_of(normaliser, model->templates[t], &model->templates[t]->edges[i],
                             found);
}

static void keep_hidden(struct normaliser *normaliser, const struct template *template,
                        const struct edge *edge, const struct cell_at *cell,
                        const struct class_place *place) {
    bool has_name = !type_has_scalar(cell->variable->symbol->type); /* not behind such an index */
    if (!has_name || is_hidden(edge, template, cell->variable) ||
        !normal_text(normaliser, cell, place))
        normaliser->is_kept[number_of(normaliser->live, cell->variable)] = true;
}

static void note_unwished(struct normaliser *normaliser, const struct template *template,
                          const struct edge *edge, const struct cell_at *cell,
                          const struct class_place *place) {
    const struct wishes *wishes = &normaliser->wishes;
    (void)template;
    (void)edge;
    (void)place;
    if (wishes->are_given && !wishes_have(wishes, cell->variable->symbol, cell->offset))
        normaliser->has_unwished = true;
}

static void note_written(struct normaliser *normaliser, const struct template *template,
                         const struct edge *edge, const struct cell_at *cell,
                         const struct class_place *place) {
    (void)template;
    (void)edge;
    (void)place;
    assert(cell->offset < MOST_CELLS);
    normaliser->is_written[number_of(normaliser->live, cell->variable)][cell->offset] = true;
}

static uint32_t kept_count(const struct normaliser *normaliser) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < normaliser->live->variable_count; i++) count += normaliser->is_kept[i];
    return count;
}

/* The set holds as a whole (C3): a place that cannot be written leaves it, and all is asked anew.
 */
static bool find_classes(struct normaliser *normaliser) {
    for (uint32_t round = 0; round < MOST_ROUNDS; round++) {
        uint32_t before = kept_count(normaliser);
        bool had_unwished = normaliser->has_unwished;
        normaliser->classes =
            classes_part(&normaliser->session.arena, normaliser->analysis, normaliser->asked.items,
                         normaliser->asked.count, is_wanted, begins, normaliser);
        each_exchange(normaliser, keep_hidden);
        each_exchange(normaliser, note_unwished);
        assert(kept_count(normaliser) >= before); /* what is kept stays kept */
        if (kept_count(normaliser) == before && normaliser->has_unwished == had_unwished)
            return true;
    }
    return false;
}

/* ---- the new model ---- */

/* The assignments at the end of one edge's update. */
struct additions {
    const struct template *template;
    const struct edge *edge;
    struct buffer text;
};

/* Whether the last line of a text has a comment to its end. */
static bool ends_in_comment(struct str text) {
    size_t begin = text.size;
    while (begin && text.data[begin - 1] != '\n') begin--;
    for (size_t i = begin; i + 1 < text.size; i++)
        if (text.data[i] == '/' && text.data[i + 1] == '/') return true;
    return false;
}

static void write_additions(struct normaliser *normaliser, struct additions *additions) {
    struct generator *generator = &normaliser->generator;
    const struct edge *edge = additions->edge;
    const struct element *element = edge->xml->element, *target = NULL, *behind = NULL;
    const struct element *label = find_label(element, "assignment");
    struct str old = label ? label->text.content : STR("");
    while (old.size && strchr(" \t\r\n", old.data[old.size - 1])) old.size--;
    const char *separator = ends_in_comment(old) ? "\n" : "";
    const char *text =
        arena_printf(normaliser->arena, "%.*s%s%s%s", (int)old.size, old.data, separator,
                     edge->updates.count ? ", " : "", additions->text.data);
    for (const struct element *child = element->first_child; child; child = child->next) {
        bool is_select = child == find_label(element, "select");
        if (!strcmp(child->name, "target")) target = behind = child;
        if (is_select && behind && child->end > behind->end) behind = child;
    }
    assert(target && additions->text.size); /* every edge has a target */
    struct edge_place *place =
        place_of_edge(generator->places, additions->template->xml, edge->xml);
    struct spot spot = label ? (struct spot){0, 0} : block_add(&place->block, 1);
    generate_label(generator, element, behind ? behind : target, "assignment", text, spot.x,
                   spot.y);
}

static void add_exchange(struct normaliser *normaliser, const struct template *template,
                         const struct edge *edge, const struct cell_at *cell,
                         const struct class_place *place) {
    struct additions *additions = normaliser->additions;
    const char *value = normal_text(normaliser, cell, place);
    assert(additions->template == template && additions->edge == edge);
    assert(value); /* where there is none, the variable is kept */
    buffer_printf(&additions->text, "%s%s = %s", additions->text.size ? ", " : "",
                  cell_name(normaliser->arena, cell), value);
}

static void write_template(struct normaliser *normaliser, const struct template *template) {
    for (uint32_t i = 0; i < template->edge_count; i++) {
        struct additions additions = {.template = template, .edge = &template->edges[i]};
        normaliser->additions = &additions;
        each_exchange_of(normaliser, template, additions.edge, add_exchange);
        if (additions.text.size) write_additions(normaliser, &additions);
        buffer_close(&additions.text);
    }
}

/* ---- what is said of it ---- */

static const char *owned_name(const struct normaliser *normaliser, const struct cell_at *cell) {
    const struct live_variable *variable = cell->variable;
    const char *name = cell_name(normaliser->arena, cell);
    if (!variable->template) return name;
    return arena_printf(normaliser->arena, "%s.%s", variable->template->symbol->name, name);
}

static void copy_values(struct normaliser *normaliser, const struct class_place *place,
                        struct normal_place *entry) {
    int32_t *values = ARENA_ARRAY(normaliser->arena, int32_t, entry->count + 1);
    int32_t *normal = ARENA_ARRAY(normaliser->arena, int32_t, entry->count + 1);
    for (uint32_t i = 0; i < entry->count; i++) {
        values[i] = value_set_at(place->values, i);
        normal[i] = place_normal(place, values[i]);
        assert(place_normal(place, normal[i]) == normal[i]); /* it stands for itself */
    }
    entry->values = values;
    entry->normal = normal;
}

static void list_place(struct normaliser *normaliser, const struct cell_at *cell,
                       const struct class_place *place) {
    const struct template *template = owner_of(normaliser, cell->variable);
    struct arena *arena = normaliser->arena;
    if (!place->is_open) return;
    struct normal_place entry = {.variable = owned_name(normaliser, cell),
                                 .is_one = place->is_one,
                                 .representative = place->representative,
                                 .lower = place->values->lower,
                                 .upper = place->values->upper,
                                 .count = (uint32_t)value_set_size(place->values)};
    assert(entry.lower < entry.upper && place_is_merged(place));
    if (entry.count <= MOST_PARTED) copy_values(normaliser, place, &entry);
    if (template)
        entry.location = arena_printf(arena, "%s", template->locations[cell->location].name);
    if (template && !cell->variable->template)
        entry.template = arena_printf(arena, "%s", template->symbol->name);
    VEC_PUSH(arena, &normaliser->normal->places, entry);
}

/* A variable whose values have become those that stand for others. */
static bool is_exchanged(const struct normaliser *normaliser,
                         const struct live_variable *variable) {
    struct cell_at cell = {.variable = variable};
    uint32_t locations = place_count(normaliser, variable);
    for (; cell.offset < variable->shape->cell_count; cell.offset++)
        for (cell.location = 0; cell.location < locations; cell.location++)
            if (place_at(normaliser, &cell)) return true;
    return false;
}

struct name_search {
    const struct normaliser *normaliser;
    const char *found;
};

static bool look_for(struct name_search *search, const struct symbol *symbol) {
    const struct live_variable *variable = live_find(search->normaliser->live, symbol);
    if (!search->found && variable && is_exchanged(search->normaliser, variable))
        search->found =
            variable_name(search->normaliser->arena, variable->template, variable->symbol);
    return !search->found;
}

static bool find_exchanged(void *context, const struct expr *expr) {
    struct name_search *search = context;
    const struct symbol *symbol = expr->symbol;
    if (symbol && !look_for(search, symbol)) return false;
    if (expr->kind != EXPR_CALL || !symbol || !symbol->function) return true;
    struct effects_table *table = &search->normaliser->live->table;
    const struct effects *effects = effects_of_function(table, symbol->function);
    for (uint32_t i = 0; i < effects->list.count; i++)
        if (!look_for(search, effects->list.items[i].symbol)) return false;
    return true;
}

static bool is_asked(const struct normaliser *normaliser, uint32_t query) {
    return !normaliser->is_asked || normaliser->is_asked[query];
}

/* Whether the same is asked of states. */
static bool asks_same(const struct query *query, const struct query *other) {
    if (query->expr_count != other->expr_count || !query->predicate != !other->predicate ||
        (query->predicate && !expr_equal(query->predicate, other->predicate)))
        return false;
    for (uint32_t k = 0; k < query->expr_count; k++)
        if (!expr_equal(query->exprs[k], other->exprs[k])) return false;
    return query->predicate || query->expr_count;
}

/* Whether a query that counts asks the same. */
static bool is_observed(const struct normaliser *normaliser, const struct query *query) {
    for (uint32_t i = 0; i < normaliser->observed.count; i++)
        if (is_asked(normaliser, i) && asks_same(&normaliser->observed.items[i], query))
            return true;
    return false;
}

/* C10: what was not asked for is not kept, if it reads a value that may be another one. */
static void find_losses(struct normaliser *normaliser) {
    const struct model *model = normaliser->session.model;
    for (uint32_t i = 0; i < model->query_count; i++) {
        struct name_search search = {.normaliser = normaliser};
        const struct query *query = &model->queries[i];
        if (is_observed(normaliser, query)) continue;
        walk_expr(query->predicate, find_exchanged, &search);
        for (uint32_t k = 0; k < query->expr_count; k++)
            walk_expr(query->exprs[k], find_exchanged, &search);
        if (search.found)
            VEC_PUSH(normaliser->arena, &normaliser->normal->losses,
                     (struct normal_loss){i, search.found});
    }
}

/* ---- what was wished for ---- */

struct wish_look {
    const struct wish *wish;
    bool is_meant, is_open, is_merged, is_refused; /* somewhere */
};

static void look_at_wish(const struct normaliser *normaliser, struct wish_look *look) {
    const struct wish *wish = look->wish;
    struct cell_at cell = {.variable = wish->variable};
    uint32_t locations = place_count(normaliser, wish->variable);
    for (; cell.offset < cell.variable->shape->cell_count; cell.offset++)
        for (cell.location = 0; cell.location < locations; cell.location++) {
            const struct class_place *place = any_place_at(normaliser, &cell);
            if (!place || wish_for(&normaliser->wishes, cell.variable->symbol, cell.offset,
                                   owner_of(normaliser, wish->variable), cell.location) != wish)
                continue;
            look->is_meant = true;
            look->is_open |= place->is_open;
            look->is_merged |= place->is_open && place_is_merged(place);
            look->is_refused |= wish_is_refused(wish, place);
        }
}

/* Of a variable wherever it is, with all of its values, whatever can be exchanged is wished for. */
static void find_refusals(struct normaliser *normaliser, bool is_found) {
    for (uint32_t i = 0; i < normaliser->wishes.list.count; i++) {
        const struct wish *wish = &normaliser->wishes.list.items[i];
        const struct spec_exchange *exchange = wish->exchange;
        struct wish_look look = {.wish = wish};
        if (is_found) look_at_wish(normaliser, &look);
        bool is_any = !exchange->has_classes && wish->location == EVERY_LOCATION;
        bool is_elsewhere = exchange->template.begin && !look.is_meant;
        if (is_found && !is_elsewhere &&
            !(is_any ? look.is_open && !look.is_merged : look.is_refused))
            continue;
        const char *name = exchange->variable.content.data;
        struct normal_refusal refusal = {
            exchange->variable.begin,
            is_found && is_elsewhere
                ? arena_printf(normaliser->arena,
                               "no value of '%s' is exchanged: that depends on the locations of a "
                               "process only where no other one names the variable",
                               name)
            : is_any || !is_found
                ? arena_printf(normaliser->arena,
                               "no value of '%s' is exchanged: each makes a difference for a step "
                               "or a query, or it takes too much to find out",
                               name)
                : arena_printf(normaliser->arena,
                               "not all these values of '%s' are exchanged for one: some make a "
                               "difference for a step or a query",
                               name)};
        VEC_PUSH(normaliser->arena, &normaliser->normal->refusals, refusal);
    }
}

/* ---- all of it ---- */

static void take_formula(struct normaliser *normaliser, const struct query *query) {
    if (query->quantifier == QUERY_FORMULA)
        VEC_PUSH(&normaliser->session.arena, &normaliser->formulas, *query);
}

/* Of operators in each other and of knowledge (K4), all that they name counts as it is; of other
 * queries, what they ask of a state. */
static bool open_model(struct normaliser *normaliser, struct str model,
                       const struct query_source *queries, uint32_t query_count) {
    struct session *session = &normaliser->session;
    struct observed *observed = &normaliser->observed;
    if (!session_load_bytes(session, "model", model) ||
        !session_build_observed(session, queries, query_count, observed))
        return false;
    for (uint32_t i = 0; i < observed->count; i++)
        if (observed->items[i].quantifier == QUERY_INVALID) return false;
    const struct model *own = session->model;
    for (uint32_t i = 0; i < observed->count; i++) take_formula(normaliser, &observed->items[i]);
    for (uint32_t i = 0; i < own->query_count && query_count; i++)
        take_formula(normaliser, &own->queries[i]);
    normaliser->live = live_new(&session->arena, session->network, normaliser->formulas.items,
                                normaliser->formulas.count);
    uint32_t count = normaliser->live->variable_count + 1;
    normaliser->is_kept = ARENA_ARRAY(&session->arena, bool, count);
    normaliser->is_written = arena_alloc(&session->arena, count * sizeof *normaliser->is_written);
    return true;
}

static void write_model(struct normaliser *normaliser) {
    struct session *session = &normaliser->session;
    struct generator *generator = &normaliser->generator;
    *generator = (struct generator){.arena = normaliser->arena,
                                    .document = &session->document,
                                    .places = places_new(normaliser->arena)};
    splices_init(&generator->splices, &session->document, normaliser->arena);
    for (uint32_t t = 0; t < session->model->template_count; t++)
        write_template(normaliser, session->model->templates[t]);
    for (uint32_t i = 0; i < normaliser->normal->losses.count; i++) {
        const struct normal_loss *loss = &normaliser->normal->losses.items[i];
        generate_lost_query(generator, &session->model->queries[loss->query], loss->variable,
                            "keeps what other queries ask for only");
    }
    normaliser->normal->output = splices_apply(&generator->splices);
}

struct normaliser *normaliser_new(struct arena *arena, struct str model,
                                  const struct query_source *queries, uint32_t query_count,
                                  const struct analysis_options *options) {
    struct normaliser *normaliser = ARENA_NEW(arena, struct normaliser);
    *normaliser = (struct normaliser){.arena = arena, .are_given = query_count > 0};
    if (open_model(normaliser, model, queries, query_count))
        normaliser->analysis = analyse_values(normaliser, options);
    if (normaliser->analysis) return normaliser;
    normaliser_free(normaliser);
    return NULL;
}

bool normaliser_wish(struct normaliser *normaliser, const struct spec *spec, struct diag *diag) {
    return wishes_read(&normaliser->wishes, spec, normaliser->live, &normaliser->session.arena,
                       diag);
}

void normaliser_free(struct normaliser *normaliser) {
    if (normaliser) session_drop(&normaliser->session);
}

const struct observed *normaliser_queries(const struct normaliser *normaliser) {
    return &normaliser->observed;
}

void normaliser_run(struct normaliser *normaliser, const bool *is_asked, struct normal *normal) {
    *normal = (struct normal){.output = {0}};
    normaliser->normal = normal;
    normaliser->is_asked = is_asked;
    normaliser->has_unwished = false;
    normaliser->asked.count = 0;
    memset(normaliser->is_kept, 0, normaliser->live->variable_count * sizeof *normaliser->is_kept);
    for (uint32_t i = 0; i < normaliser->observed.count; i++) {
        const struct query *query = &normaliser->observed.items[i];
        if ((!is_asked || is_asked[i]) && query->quantifier != QUERY_FORMULA)
            VEC_PUSH(&normaliser->session.arena, &normaliser->asked, *query);
    }
    memset(normaliser->is_written, 0,
           normaliser->live->variable_count * sizeof *normaliser->is_written);
    bool is_found = find_classes(normaliser);
    if (is_found) each_exchange(normaliser, note_written);
    if (is_found) each_cell(normaliser, list_place);
    find_refusals(normaliser, is_found);
    if (!normal->places.count) return;
    if (normaliser->are_given || is_asked) find_losses(normaliser);
    write_model(normaliser);
}

static bool is_same_place(const struct normal_place *left, const struct normal_place *right) {
    size_t size = left->count * sizeof *left->values;
    if (strcmp(left->variable, right->variable) != 0 || !left->location != !right->location ||
        (left->location && strcmp(left->location, right->location) != 0) ||
        left->is_one != right->is_one || left->count != right->count)
        return false;
    if (left->is_one) return left->representative == right->representative;
    return !memcmp(left->values, right->values, size) && !memcmp(left->normal, right->normal, size);
}

bool normal_is_same(const struct normal *left, const struct normal *right) {
    if (left->places.count != right->places.count) return false;
    for (uint32_t i = 0; i < left->places.count; i++)
        if (!is_same_place(&left->places.items[i], &right->places.items[i])) return false;
    return true;
}

void normal_apply(const struct normal *normal, struct abstraction *abstraction, struct diag *diag) {
    const struct model *model = abstraction->network->model;
    for (uint32_t i = 0; i < normal->refusals.count; i++)
        diag_warning(diag, normal->refusals.items[i].at, "%s", normal->refusals.items[i].text);
    if (!normal->places.count) return;
    assert(normal->output.size); /* where places changed, it was written */
    abstraction->output = normal->output;
    abstraction->has_exchanges = true;
    for (uint32_t i = 0; i < normal->losses.count; i++) {
        const struct normal_loss *loss = &normal->losses.items[i];
        assert(loss->query < model->query_count);
        const struct query *query = &model->queries[loss->query];
        const char *text = query->xml->formula->text.content.data;
        VEC_PUSH(abstraction->arena, &abstraction->dropped_queries, loss->query);
        VEC_PUSH(abstraction->arena, &abstraction->dropped_entries,
                 (struct dropped_entry){query->span, "query", text, loss->variable});
        diag_warning(diag, query->span.begin,
                     "this query names '%s', which keeps what --query asks for only: its formula "
                     "moves into its comment",
                     loss->variable);
    }
}
