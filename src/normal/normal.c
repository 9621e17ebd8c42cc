/* From the classes to the new model. The story of normaliser_run:
 *
 *   find_classes    the coarsest classes (V5). If an assignment that they need cannot be written, what
 *                   it is about is given up (keep_hidden) and all classes are found anew (C3)
 *   each_exchange   the edges at which a value may have to be exchanged, for the report
 *   normal_report_  entries of the report: exchanged values, refused requests, lost queries
 *   write_model     assignments at the ends of updates (V16), as edits of the document
 */
#include "normal/normal_internal.h"

#include "abstract/emit/label.h"
#include "abstract/emit/label_spot.h"
#include "abstract/emit/text.h"
#include "base/sort.h"
#include "expr/build.h"
#include "expr/find.h"
#include "lang/syntax/frame.h"
#include "normal/by_select.h"
#include "normal/key_text.h"
#include "normal/old_update.h"

#include <assert.h>
#include <string.h>

/* Past some rounds, all processes of a template have the same classes. */
enum { MOST_ROUNDS = 8, ROUNDS_APART = 3 };

/* ---- classes ---- */

/* Within a step, at a branchpoint, values stay as they are. */
static bool is_wanted(const void *context, const struct template *template, uint32_t location,
                      const struct symbol *symbol, uint32_t offset) {
    const struct normaliser *normaliser = context;
    const struct live_variable *variable = live_find(normaliser->live, symbol);
    (void)offset;
    if (!variable || variable->is_observed || variable->is_passed) return false;
    if (template && location >= template->location_count) return false;
    uint32_t number = normal_number(normaliser->live, variable);
    return variable->shape->cell_count <= MOST_CELLS && !normaliser->is_kept[number] &&
           !normaliser->is_read_by_formula[number];
}

static bool is_common(const void *context, const struct symbol *symbol) {
    const struct normaliser *normaliser = context;
    const struct live_variable *variable = live_find(normaliser->live, symbol);
    return !variable || normaliser->is_common[normal_number(normaliser->live, variable)];
}

static bool begins(const void *context, const struct cell_point *cell, uint32_t *stands_for) {
    const struct normaliser *normaliser = context;
    const struct requested_classes *requests = &normaliser->requests;
    bool is_hand = !cell->owner && cell->location; /* where nothing is exchanged */
    if (!requests->are_given || is_hand ||
        !(normaliser->has_unrequested ||
          requested_classes_have(requests, cell->symbol, cell->offset)) ||
        (cell->owner && !normal_is_reached(normaliser, cell->symbol, cell->owner, cell->location)))
        return false;
    struct requested_point at = {normaliser->session.network, cell,
                                 normal_firsts(normaliser, cell->symbol)};
    return request_begins(requested_for(requests, &at), cell->point, stands_for);
}

static bool is_key_requested(const void *context, const struct process *owner, uint32_t location,
                             const struct symbol *symbol, uint32_t offset, uint32_t *key) {
    const struct normaliser *normaliser = context;
    struct cell_point cell = {
        .owner = owner, .location = location, .symbol = symbol, .offset = offset};
    return requested_key(&normaliser->requests, normaliser->session.network, &cell, key);
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

/* ---- what cannot be written ---- */

/* Whether the name of a variable means something else in the labels of an edge. */
static bool is_hidden(const struct edge *edge, const struct template *template,
                      const struct symbol *variable) {
    const char *name = variable->name;
    for (uint32_t i = 0; i < edge->select_count; i++)
        if (!strcmp(edge->selects[i]->name, name)) return true;
    return frame_find(template->frame, name) != variable;
}

static const struct symbol *symbol_of(const struct normaliser *normaliser, uint32_t slot) {
    return normaliser->session.network->slots[slot].symbol;
}

/* A keyed cell after the edge, in the points that its key tells apart. */
static bool find_keyed(const struct normaliser *normaliser, const struct edge *edge,
                       const struct cell_at *cell, const struct process *owner,
                       struct process_points *points) {
    struct cell_at own = *cell;
    bool is_any = false;
    for (own.index = 0; own.index < points->key->count; own.index++) {
        const struct class_point *point = normal_any_point(normaliser, &own, owner);
        bool is_exchanged = point && classes_are_exchanged(normaliser->classes, edge, point);
        points->items[points->count++] =
            (struct process_point){.process = owner, .point = point, .is_exchanged = is_exchanged};
        is_any |= is_exchanged;
    }
    return is_any;
}

/* The cell after the edge, in all processes that may take it. False if nothing is exchanged. */
static bool find_points(const struct normaliser *normaliser, const struct edge *edge,
                        const struct cell_at *cell, struct process_points *points) {
    uint32_t count = normal_owner_count(normaliser, cell->variable);
    bool is_any = false;
    points->network = normaliser->session.network;
    points->edge = edge;
    points->count = 0;
    const struct process *first = count ? normal_owner(normaliser, cell->variable, 0) : NULL;
    points->key = count ? normal_key(normaliser, cell, first) : NULL;
    if (points->key) return find_keyed(normaliser, edge, cell, first, points);
    for (uint32_t i = 0; i < count; i++) {
        const struct process *owner = normal_owner(normaliser, cell->variable, i);
        const struct class_point *point = normal_any_point(normaliser, cell, owner);
        if (!point ||
            (owner && !normal_is_reached(normaliser, cell->variable->symbol, owner, edge->source)))
            continue;
        struct process_point *own = &points->items[points->count++];
        *own = (struct process_point){.process = owner, .point = point};
        normal_range(normaliser, cell, owner, &own->lower, &own->upper);
        own->is_exchanged = classes_are_exchanged(normaliser->classes, edge, point);
        is_any |= own->is_exchanged;
    }
    return is_any;
}

static const char *normal_text(const struct normaliser *normaliser, const struct cell_at *cell,
                               const struct process_points *points) {
    const struct live_variable *variable = cell->variable;
    const struct type *type = cell_type(variable->symbol->type, variable->shape, cell->offset);
    struct arena *arena = normaliser->arena;
    const char *name = normal_cell_name(arena, cell);
    const struct point_key *key = points->key;
    if (!key) return process_text(arena, points, name, type->kind == TYPE_BOOL);
    return key_text(arena, points, name, type->kind == TYPE_BOOL,
                    normal_slot_name(normaliser, key->slot),
                    normaliser->session.network->slots[key->slot].is_bool);
}

typedef void (*exchange_found)(struct normaliser *normaliser, const struct template *template,
                               const struct cell_at *cell, const struct process_points *points);

static void each_exchange_of(struct normaliser *normaliser, const struct template *template,
                             const struct edge *edge, const struct live_variable *variable,
                             exchange_found found) {
    struct process_points points;
    struct cell_at cell = {.variable = variable, .location = edge->target};
    if (variable->template && variable->template != template) return;
    if (!variable->template)
        cell.location = normal_location_after(normaliser, template, edge, variable);
    for (cell.offset = 0; cell.offset < variable->shape->cell_count; cell.offset++)
        if (find_points(normaliser, edge, &cell, &points))
            found(normaliser, template, &cell, &points);
}

/* Of the variables that are exchanged there, in their order. */
static void each_exchange_at(struct normaliser *normaliser, const struct template *template,
                             const struct edge *edge, exchange_found found) {
    const struct live *live = normaliser->live;
    const struct needed_assignment *at = NULL;
    const struct symbol *symbol;
    VEC(uint32_t) numbers = {0};
    while (classes_next_exchange(normaliser->classes, edge, &at, &symbol)) {
        const struct live_variable *variable = live_find(live, symbol);
        if (variable) VEC_PUSH(&normaliser->session.arena, &numbers, normal_number(live, variable));
    }
    uint32_t count = sort_once(numbers.items, numbers.count);
    for (uint32_t i = 0; i < count; i++)
        each_exchange_of(normaliser, template, edge, &live->variables[numbers.items[i]], found);
}

static void each_exchange(struct normaliser *normaliser, exchange_found found) {
    const struct model *model = normaliser->session.model;
    for (uint32_t t = 0; t < model->template_count; t++)
        for (uint32_t i = 0; i < model->templates[t]->edge_count; i++)
            each_exchange_at(normaliser, model->templates[t], &model->templates[t]->edges[i],
                             found);
}

/* Notes why an assignment cannot be written. If it is one for some processes of a template, it may
 * be possible for all of them together; if it is at an edge of a tracker, without trackers. */
static void keep_hidden(struct normaliser *normaliser, const struct template *template,
                        const struct cell_at *cell, const struct process_points *points) {
    uint32_t number = normal_number(normaliser->live, cell->variable);
    bool has_name = !type_has_scalar(cell->variable->symbol->type); /* not after such an index */
    bool is_seen = has_name && !is_hidden(points->edge, template, cell->variable->symbol);
    bool is_key_seen =
        !points->key ||
        (!type_has_scalar(symbol_of(normaliser, points->key->slot)->type) &&
         !is_hidden(points->edge, template, symbol_of(normaliser, points->key->slot)));
    if (is_seen && is_key_seen && normal_text(normaliser, cell, points)) return;
    if (points->key)
        normaliser->keys = KEYS_NONE;
    else if (!cell->variable->template && classes_have_trackers(normaliser->classes))
        normaliser->is_without_trackers = true;
    else if (is_seen && normal_owner_count(normaliser, cell->variable) > 1)
        normaliser->is_common[number] = true;
    else
        normaliser->is_kept[number] = true;
}

static void note_unrequested(struct normaliser *normaliser, const struct template *template,
                             const struct cell_at *cell, const struct process_points *points) {
    const struct requested_classes *requests = &normaliser->requests;
    (void)template;
    (void)points;
    if (requests->are_given &&
        !requested_classes_have(requests, cell->variable->symbol, cell->offset))
        normaliser->has_unrequested = true;
}

static void note_written(struct normaliser *normaliser, const struct template *template,
                         const struct cell_at *cell, const struct process_points *points) {
    (void)template;
    (void)points;
    assert(cell->offset < MOST_CELLS);
    normaliser->is_written[normal_number(normaliser->live, cell->variable)][cell->offset] = true;
}

/* How much was given up: values that are exchanged, differences between processes, trackers,
 * keys. */
static uint32_t kept_count(const struct normaliser *normaliser) {
    bool is_without_keys = normaliser->keys == KEYS_NONE;
    uint32_t count = normaliser->is_without_trackers + is_without_keys;
    for (uint32_t i = 0; i < normaliser->live->variable_count; i++)
        count += normaliser->is_kept[i] + normaliser->is_common[i];
    return count;
}

static void set_common(struct normaliser *normaliser, bool is_common) {
    memset(normaliser->is_common, is_common,
           normaliser->live->variable_count * sizeof *normaliser->is_common);
}

/* The set holds as a whole (C3): a point that cannot be written leaves it, and all is asked anew.
 */
static bool find_classes(struct normaliser *normaliser) {
    for (uint32_t round = 0; round < MOST_ROUNDS; round++) {
        uint32_t before = kept_count(normaliser);
        bool had_unrequested = normaliser->has_unrequested;
        normaliser->classes = classes_part(&(struct classes_request){
            .arena = &normaliser->session.arena,
            .analysis = normaliser->analysis,
            .queries = normaliser->asked.items,
            .query_count = normaliser->asked.count,
            .wanted = is_wanted,
            .begun = begins,
            .common = is_common,
            .may_have_trackers = !normaliser->is_without_trackers,
            .may_have_keys = normaliser->keys != KEYS_NONE,
            .keeps_symmetry = normaliser->keys == KEYS_IN_ORBITS,
            .key_requested = normaliser->requests.are_given ? is_key_requested : NULL,
            .context = normaliser,
            .shared = &normaliser->shared});
        each_exchange(normaliser, keep_hidden);
        each_exchange(normaliser, note_unrequested);
        assert(kept_count(normaliser) >= before); /* what is kept stays kept */
        if (kept_count(normaliser) == before && normaliser->has_unrequested == had_unrequested)
            return true;
        if (round == ROUNDS_APART) set_common(normaliser, true);
    }
    return false;
}

/* ---- the new model ---- */

/* The assignments at the end of one edge's update. */
struct additions {
    const struct template *template;
    const struct edge *edge;
    VEC(struct cell_text) items;
    const char *text;
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
    const struct element *element = edge->xml->element, *target = NULL, *after = NULL;
    const struct element *label = find_label(element, "assignment");
    struct str old =
        old_update_text(normaliser->arena, &normaliser->session.document, normaliser->analysis,
                        additions->template, edge, additions->items.items, additions->items.count);
    const char *separator = ends_in_comment(old) ? "\n" : "";
    const char *text =
        arena_printf(normaliser->arena, "%.*s%s%s%s", (int)old.size, old.data, separator,
                     old.size && edge->updates.count ? ", " : "", additions->text);
    for (const struct element *child = element->first_child; child; child = child->next) {
        bool is_select = child == find_label(element, "select");
        if (!strcmp(child->name, "target")) target = after = child;
        if (is_select && after && child->end > after->end) after = child;
    }
    assert(target && additions->items.count); /* every edge has a target */
    struct edge_spots *place = spots_of_edge(generator->spots, additions->template->xml, edge->xml);
    struct spot spot = label ? (struct spot){0, 0} : block_add(&place->block, 1);
    generate_label(generator, element, after ? after : target, "assignment", text, spot.x, spot.y);
    lost_selects_drop(&generator->splices, normaliser->session.network, additions->template, edge,
                      text);
}

/* By select of the edge, what is so in all points that are exchanged. */
static const struct select_use *find_selects(const struct normaliser *normaliser,
                                             const struct process_points *points) {
    const struct edge *edge = points->edge;
    struct select_use *all = NULL;
    for (uint32_t i = 0; i < points->count; i++) {
        const struct process_point *own = &points->items[i];
        if (!own->is_exchanged) continue;
        const struct select_use *uses =
            classes_exchange_selects(normaliser->classes, edge, own->point);
        if (!uses) return NULL;
        bool is_first = !all;
        if (is_first)
            all = ARENA_ARRAY(normaliser->arena, struct select_use, edge->select_count + 1);
        for (uint32_t s = 0; s < edge->select_count; s++) {
            bool is_same = is_first || (all[s].is_only && all[s].value == uses[s].value);
            all[s] = uses[s];
            all[s].is_only &= is_same;
        }
    }
    return all;
}

static void add_exchange(struct normaliser *normaliser, const struct template *template,
                         const struct cell_at *cell, const struct process_points *points) {
    struct additions *additions = normaliser->additions;
    const char *value = normal_text(normaliser, cell, points);
    assert(additions->template == template && additions->edge == points->edge);
    assert(value); /* where there is none, the variable is kept */
    int64_t index = (int64_t)cell->variable->shape->lower + cell->offset;
    struct cell_text item = {cell->variable->symbol, index,
                             normal_cell_name(normaliser->arena, cell), value,
                             find_selects(normaliser, points)};
    VEC_PUSH(normaliser->arena, &additions->items, item);
}

/* Calls with what is done for each edge of a template at which something is exchanged. */
static void each_addition(struct normaliser *normaliser, const struct template *template,
                          void (*visit)(struct normaliser *normaliser,
                                        struct additions *additions)) {
    for (uint32_t i = 0; i < template->edge_count; i++) {
        struct additions additions = {.template = template, .edge = &template->edges[i]};
        normaliser->additions = &additions;
        each_exchange_at(normaliser, template, additions.edge, add_exchange);
        if (additions.items.count) visit(normaliser, &additions);
    }
}

static struct edge_exchanges exchanges_of(const struct normaliser *normaliser,
                                          const struct additions *additions) {
    return (struct edge_exchanges){normaliser->arena,      normaliser->session.network,
                                   additions->template,    additions->edge,
                                   additions->items.items, additions->items.count};
}

static void count_loops_at(struct normaliser *normaliser, struct additions *additions) {
    struct edge_exchanges all = exchanges_of(normaliser, additions);
    by_select_count(&all, &normaliser->generator.loops);
}

static void write_edge(struct normaliser *normaliser, struct additions *additions) {
    struct edge_exchanges all = exchanges_of(normaliser, additions);
    additions->text = by_select_text(&all, &normaliser->generator.loops);
    write_additions(normaliser, additions);
}

static void write_template(struct normaliser *normaliser, const struct template *template) {
    each_addition(normaliser, template, count_loops_at);
    each_addition(normaliser, template, write_edge);
    generate_loops(&normaliser->generator, template);
}

/* ---- all of it ---- */

static void take_formula(struct normaliser *normaliser, const struct query *query) {
    if (query->quantifier == QUERY_FORMULA && !formula_reads_add(normaliser, query))
        VEC_PUSH(&normaliser->session.arena, &normaliser->formulas, *query);
}

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
    agents_init(&normaliser->reads.agents, &session->arena, session->network);
    for (uint32_t i = 0; i < observed->count; i++) take_formula(normaliser, &observed->items[i]);
    for (uint32_t i = 0; i < own->query_count && query_count; i++)
        take_formula(normaliser, &own->queries[i]);
    formula_reads_add_agents(normaliser);
    agents_close(&normaliser->reads.agents);
    normaliser->live = live_new(&session->arena, session->network, normaliser->formulas.items,
                                normaliser->formulas.count);
    uint32_t count = normaliser->live->variable_count + 1;
    normaliser->is_kept = ARENA_ARRAY(&session->arena, bool, count);
    normaliser->is_read_by_formula = ARENA_ARRAY(&session->arena, bool, count);
    normaliser->is_common = ARENA_ARRAY(&session->arena, bool, count);
    normal_find_owners(normaliser);
    normaliser->is_written = arena_alloc(&session->arena, count * sizeof *normaliser->is_written);
    return true;
}

static void write_model(struct normaliser *normaliser) {
    struct session *session = &normaliser->session;
    struct generator *generator = &normaliser->generator;
    *generator =
        (struct generator){.arena = normaliser->arena,
                           .document = &session->document,
                           .spots = label_spots_new(normaliser->arena),
                           .loops = {.arena = normaliser->arena, .network = session->network}};
    splices_init(&generator->splices, &session->document, normaliser->arena);
    for (uint32_t t = 0; t < session->model->template_count; t++)
        write_template(normaliser, session->model->templates[t]);
    for (uint32_t i = 0; i < normaliser->normal->losses.count; i++) {
        const struct normal_loss *loss = &normaliser->normal->losses.items[i];
        generate_lost_query(generator, &session->model->queries[loss->query], loss->variable,
                            "keeps what other queries ask for only");
    }
    splice_open_queries(&generator->splices);
    normaliser->normal->output = splices_apply(&generator->splices);
}

struct normaliser *normaliser_new(struct arena *arena, struct str model,
                                  const struct query_source *queries, uint32_t query_count,
                                  const struct analysis_options *options) {
    struct normaliser *normaliser = ARENA_NEW(arena, struct normaliser);
    *normaliser = (struct normaliser){.arena = arena, .are_given = query_count > 0};
    if (open_model(normaliser, model, queries, query_count))
        normaliser->analysis = analyse_values(normaliser, options);
    if (normaliser->analysis) {
        formula_reads_keep(normaliser);
        return normaliser;
    }
    normaliser_free(normaliser);
    return NULL;
}

bool normaliser_request(struct normaliser *normaliser, const struct spec *spec, struct diag *diag) {
    return requested_classes_read(&normaliser->requests, spec, normaliser->live,
                                  &normaliser->session.arena, diag);
}

void normaliser_free(struct normaliser *normaliser) {
    if (normaliser) session_drop(&normaliser->session);
}

const struct observed *normaliser_queries(const struct normaliser *normaliser) {
    return &normaliser->observed;
}

struct str normaliser_model(const struct normaliser *normaliser) {
    return normaliser->session.document.bytes;
}

void normaliser_run(struct normaliser *normaliser, const bool *is_asked, enum normal_keys keys,
                    struct normal *normal) {
    *normal = (struct normal){.output = {0}};
    normaliser->normal = normal;
    normaliser->is_asked = is_asked;
    normaliser->has_unrequested = normaliser->is_without_trackers = false;
    normaliser->keys = keys;
    normaliser->asked.count = 0;
    memset(normaliser->is_kept, 0, normaliser->live->variable_count * sizeof *normaliser->is_kept);
    set_common(normaliser, false);
    for (uint32_t i = 0; i < normaliser->observed.count; i++) {
        const struct query *query = &normaliser->observed.items[i];
        if ((!is_asked || is_asked[i]) && query->quantifier != QUERY_FORMULA)
            VEC_PUSH(&normaliser->session.arena, &normaliser->asked, *query);
    }
    for (uint32_t i = 0; i < normaliser->reads.list.count; i++) /* always (V18) */
        VEC_PUSH(&normaliser->session.arena, &normaliser->asked, normaliser->reads.list.items[i]);
    memset(normaliser->is_written, 0,
           normaliser->live->variable_count * sizeof *normaliser->is_written);
    bool is_found = find_classes(normaliser);
    if (is_found) each_exchange(normaliser, note_written);
    if (is_found) normal_report_points(normaliser);
    normal_report_refusals(normaliser, is_found);
    if (!normal->points.count) return;
    normal->tells_apart = classes_tell_apart(normaliser->classes);
    const char *may_fail = classes_may_fail(normaliser->classes);
    if (may_fail) normal->may_fail = arena_printf(normaliser->arena, "%s", may_fail);
    if (normaliser->are_given || is_asked) normal_report_losses(normaliser);
    write_model(normaliser);
}

static bool are_same_processes(const struct normal_point *left, const struct normal_point *right) {
    if (left->processes.count != right->processes.count) return false;
    for (uint32_t i = 0; i < left->processes.count; i++)
        if (strcmp(left->processes.items[i], right->processes.items[i]) != 0) return false;
    return true;
}

bool normal_has_same_key(const struct normal_point *left, const struct normal_point *right) {
    size_t size = left->key_count * sizeof *left->key_values;
    return left->key_count == right->key_count &&
           (!left->key_count ||
            (!strcmp(left->key, right->key) && !memcmp(left->key_values, right->key_values, size)));
}

/* Whether two names that may be NULL are the same. */
static bool is_same_name(const char *left, const char *right) {
    return left && right ? !strcmp(left, right) : left == right;
}

static bool is_same_point(const struct normal_point *left, const struct normal_point *right) {
    size_t size = left->count * sizeof *left->values;
    if (!normal_has_same_key(left, right) || strcmp(left->variable, right->variable) != 0 ||
        !is_same_name(left->template, right->template) ||
        !is_same_name(left->location, right->location) || !are_same_processes(left, right) ||
        left->is_one != right->is_one || left->count != right->count)
        return false;
    if (left->is_one) return left->representative == right->representative;
    return !memcmp(left->values, right->values, size) && !memcmp(left->normal, right->normal, size);
}

bool normal_is_same(const struct normal *left, const struct normal *right) {
    if (left->points.count != right->points.count) return false;
    for (uint32_t i = 0; i < left->points.count; i++)
        if (!is_same_point(&left->points.items[i], &right->points.items[i])) return false;
    return true;
}

void normal_apply(const struct normal *normal, struct abstraction *abstraction, struct diag *diag) {
    const struct model *model = abstraction->network->model;
    for (uint32_t i = 0; i < normal->refusals.count; i++)
        diag_warning(diag, normal->refusals.items[i].at, "%s", normal->refusals.items[i].text);
    if (!normal->points.count) return;
    assert(normal->output.size); /* where points changed, it was written */
    abstraction->output = normal->output;
    abstraction->has_exchanges = true;
    abstraction_doubt_persistent(abstraction);
    if (!abstraction->may_fail) abstraction->may_fail = normal->may_fail;
    for (uint32_t i = 0; i < normal->losses.count; i++) {
        const struct normal_loss *loss = &normal->losses.items[i];
        assert(loss->query < model->query_count);
        const struct query *query = &model->queries[loss->query];
        const char *text = query->xml->formula->text.content.data;
        VEC_PUSH(abstraction->arena, &abstraction->dropped_queries, loss->query);
        abstraction->exchanged_count++;
        VEC_PUSH(abstraction->arena, &abstraction->dropped_entries,
                 (struct dropped_entry){query->span, "query", text, loss->variable});
        diag_warning(diag, query->span.begin,
                     "this query names '%s', which keeps what --query asks for only: its formula "
                     "moves into its comment",
                     loss->variable);
    }
}
