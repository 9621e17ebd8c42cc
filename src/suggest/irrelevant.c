#include "suggest/irrelevant.h"

#include "abstract/claim/fragment.h"
#include "abstract/request/named.h"
#include "expr/find.h"
#include "lang/syntax/kinds.h"
#include "lang/syntax/walk.h"
#include "model/hindrance.h"
#include "model/undocumented.h"
#include "suggest/live.h"

#include <assert.h>
#include <string.h>

struct finder {
    struct session *session;
    struct arena *arena;
    const struct network *network;
    const struct model *model;
    struct live *live; /* with what queries and agents read */
    struct effects_table table;
    bool *goes;              /* by entry of the system line */
    bool *stays_outside;     /* by template index: some process of it is kept */
    bool *goes_inside;       /* by template index: some process of it is taken out */
    struct map read_outside; /* by variable, as far as it was asked: yes or no */
};

/* ---- queries ---- */

struct name_search {
    const struct symbol *symbol;
    bool is_found;
};

static bool look_for_name(void *context, const struct expr *expr) {
    struct name_search *search = context;
    search->is_found |= expr->symbol == search->symbol;
    for (uint32_t i = 0; i < expr->argument_count && !search->is_found; i++)
        walk_expr(expr->arguments[i], look_for_name, search);
    return !search->is_found;
}

static bool query_names(const struct query *query, const struct symbol *symbol) {
    struct name_search search = {.symbol = symbol};
    walk_query(query, look_for_name, &search);
    return search.is_found;
}

/* Queries that cannot be read, or observations beside them, may be about anything. */
static bool model_names(const struct model *model, const struct symbol *symbol) {
    struct name_search search = {.symbol = symbol};
    bool is_open = model->lost_agents != NULL;
    for (uint32_t i = 0; i < model->query_count; i++)
        is_open |= model->queries[i].quantifier == QUERY_INVALID ||
                   query_names(&model->queries[i], symbol);
    for (uint32_t i = 0; i < model->agents.count; i++) {
        const struct agent_declaration *declaration = model->agents.items[i];
        for (uint32_t k = 0; k < declaration->agent_count; k++)
            walk_expr(declaration->agents[k], look_for_name, &search);
        for (uint32_t k = 0; k < declaration->item_count; k++)
            walk_expr(declaration->items[k].expr, look_for_name, &search);
    }
    walk_progress(model, look_for_name, &search);
    return is_open || search.is_found || model->gantt_count;
}

/* ---- what processes do ---- */

static uint32_t entry_of(const struct finder *finder, const struct process *process) {
    uint32_t entry = 0;
    while (finder->model->processes[entry].symbol != process->symbol) entry++;
    assert(entry < finder->model->process_count);
    return entry;
}

static const struct template *template_of(const struct finder *finder, uint32_t entry) {
    for (uint32_t i = 0; i < finder->network->process_count; i++)
        if (entry_of(finder, &finder->network->processes[i]) == entry)
            return finder->network->processes[i].template;
    return NULL; /* of an empty set */
}

static void find_outside(struct finder *finder) {
    uint32_t count = finder->model->template_count;
    memset(finder->stays_outside, 0, count * sizeof *finder->stays_outside);
    memset(finder->goes_inside, 0, count * sizeof *finder->goes_inside);
    map_init(&finder->read_outside, finder->arena);
    for (uint32_t i = 0; i < finder->network->process_count; i++) {
        const struct process *process = &finder->network->processes[i];
        bool goes = finder->goes[entry_of(finder, process)];
        (goes ? finder->goes_inside : finder->stays_outside)[process->template->index] = true;
    }
}

static bool meet(const struct effects *effects, const struct symbol *symbol, bool writes) {
    for (uint32_t i = 0; i < effects->list.count; i++) {
        const struct effect *effect = &effects->list.items[i];
        if ((writes ? effect->writes : effect->reads) && symbols_may_alias(effect->symbol, symbol))
            return true;
    }
    return false;
}

static bool edge_meets(const struct edge_labels *labels, const struct symbol *symbol, bool writes) {
    return meet(&labels->guard_effects, symbol, writes) ||
           meet(&labels->sync_effects, symbol, writes) ||
           meet(&labels->update_effects, symbol, writes);
}

static bool invariants_meet(struct finder *finder, const struct template *template,
                            const struct symbol *symbol) {
    struct effects effects = {0};
    for (uint32_t l = 0; l < template->location_count; l++)
        if (template->locations[l].written_invariant)
            effects_add_expr(&finder->table, &effects, template->locations[l].written_invariant);
    return meet(&effects, symbol, false);
}

/* Whether a kept process reads a variable, or writes it. */
static bool is_met_outside(struct finder *finder, const struct symbol *symbol, bool writes) {
    for (uint32_t t = 0; t < finder->model->template_count; t++) {
        const struct template *template = finder->model->templates[t];
        if (!finder->stays_outside[t]) continue;
        if (!writes && invariants_meet(finder, template, symbol)) return true;
        for (uint32_t e = 0; e < template->edge_count; e++) {
            struct effects weight = {0};
            if (template->edges[e].weight && !writes)
                effects_add_expr(&finder->table, &weight, template->edges[e].weight);
            if (meet(&weight, symbol, false) ||
                edge_meets(&finder->network->labels.edges[t][e], symbol, writes))
                return true;
        }
    }
    return false;
}

/* Whether a kept process reads a variable; found once for all edges that write it. */
static bool is_read_outside(struct finder *finder, const struct symbol *symbol) {
    static const bool yes = true, no = false;
    const bool *known = map_get(&finder->read_outside, map_key(symbol));
    if (!known) known = is_met_outside(finder, symbol, false) ? &yes : &no;
    map_put(&finder->read_outside, map_key(symbol), (void *)known);
    return *known;
}

static bool is_own(const struct symbol *symbol) {
    return symbol->scope == SCOPE_FRAME ||
           (symbol->scope == SCOPE_TEMPLATE && !symbol->is_reference);
}

/* Whether queries, agents that they are about, or what is not known read a variable. */
static bool is_looked_at(const struct finder *finder, const struct symbol *symbol) {
    const struct live_variable *variable = live_find(finder->live, symbol);
    return symbol->is_reference || !variable || variable->is_observed;
}

/* Over: a variable that is written, and that a query or a kept process reads. */
static const struct symbol *written_for_others(struct finder *finder,
                                               const struct effects *effects) {
    for (uint32_t i = 0; i < effects->list.count; i++) {
        const struct effect *effect = &effects->list.items[i];
        if (effect->writes && !is_own(effect->symbol) &&
            (is_looked_at(finder, effect->symbol) || is_read_outside(finder, effect->symbol)))
            return effect->symbol;
    }
    return NULL;
}

/* Whether a process of some templates sends or receives on a channel. */
static bool has_partner(const struct finder *finder, const bool *templates,
                        const struct symbol *channel, bool sends) {
    for (uint32_t t = 0; t < finder->model->template_count; t++) {
        const struct template *template = finder->model->templates[t];
        for (uint32_t e = 0; templates[t] && e < template->edge_count; e++) {
            const struct edge *edge = &template->edges[e];
            const struct symbol *root = edge->sync ? expr_root(edge->sync) : NULL;
            if (edge->sync && edge->is_send == sends && (!root || symbols_may_alias(root, channel)))
                return true;
        }
    }
    return false;
}

/* Over: of who is made to receive by a kept process. */
static bool may_keep_from_sending(const struct template *template, const struct edge *edge) {
    return edge->leaves_branchpoint || edge->target >= template->location_count ||
           template->locations[edge->target].written_invariant || edge->updates.count ||
           expr_can_fault(edge->written_guard) || expr_can_fault(edge->sync);
}

static bool is_broadcast(const struct symbol *channel) {
    return (type_prefixes(channel->type) & PREFIX_BROADCAST) != 0 && !channel->is_reference;
}

/* Why others depend on the synchronisation of an edge; NULL if they do not. */
static const char *needed_partner(const struct finder *finder, const struct template *template,
                                  const struct edge *edge) {
    const struct symbol *channel = edge->sync ? expr_root(edge->sync) : NULL;
    bool is_sent = edge->sync && edge->is_send;
    if (!edge->sync) return NULL;
    if (!channel) return "on which channel it synchronises is open";
    if (!is_sent && is_broadcast(channel))
        return has_partner(finder, finder->stays_outside, channel, true) &&
                       may_keep_from_sending(template, edge)
                   ? arena_printf(finder->arena, "it may keep '%s' from being sent", channel->name)
                   : NULL;
    if (sync_may_be_urgent(edge->sync)) return "it keeps time from passing";
    return has_partner(finder, finder->stays_outside, channel, !is_sent)
               ? arena_printf(finder->arena, "others synchronise with it on '%s'", channel->name)
               : NULL;
}

static const char *needed_edge(struct finder *finder, const struct template *template,
                               uint32_t index) {
    const struct edge_labels *labels = &finder->network->labels.edges[template->index][index];
    const struct effects *all[] = {&labels->guard_effects, &labels->sync_effects,
                                   &labels->update_effects};
    for (int i = 0; i < 3; i++) {
        const struct symbol *symbol = written_for_others(finder, all[i]);
        if (symbol)
            return arena_printf(finder->arena, "others, or a query, read '%s', which it writes",
                                symbol->name);
    }
    return needed_partner(finder, template, &template->edges[index]);
}

static const char *needed_location(struct finder *finder, const struct location *location) {
    struct effects reads = {0};
    if (location->is_committed || location->is_urgent)
        return arena_printf(finder->arena, "its location %s is %s", location->name,
                            location->is_committed ? "committed" : "urgent");
    if (!location->written_invariant) return NULL;
    effects_add_expr(&finder->table, &reads, location->written_invariant);
    for (uint32_t i = 0; i < reads.list.count; i++) {
        const struct symbol *symbol = reads.list.items[i].symbol;
        if (!is_own(symbol) && is_met_outside(finder, symbol, true))
            return arena_printf(finder->arena, "its invariant of %s reads '%s', which others write",
                                location->name, symbol->name);
    }
    return NULL;
}

/* Why an entry of the system line has to be kept, given what is taken out; NULL: it need not. */
static const char *why_needed(struct finder *finder, uint32_t entry) {
    const struct template *template = template_of(finder, entry);
    if (!template) return "it has no processes";
    if (model_names(finder->model, finder->model->processes[entry].symbol))
        return "a query, an observation or a measure may be about it";
    for (uint32_t l = 0; l < template->location_count; l++) {
        const char *why = needed_location(finder, &template->locations[l]);
        if (why) return why;
    }
    for (uint32_t e = 0; e < template->edge_count; e++) {
        const char *why = needed_edge(finder, template, e);
        if (why) return why;
    }
    return NULL;
}

/* Why no process of the model can go; NULL: some may. */
static const char *why_none(const struct network *network) {
    if (network_is_timed(network)) return "the model has clocks";
    if (network->has_priorities) return "a step may have priority over those of others";
    if (network->before_update.list.count || network->after_update.list.count)
        return "an update hook is part of every step";
    if (!initial_state_is_valid(network)) return "the initial state violates an invariant";
    if (network->persistent.count) return "a meta variable keeps its value between steps";
    return network->model->is_mixed ? "the model is a mixed abstraction" : NULL;
}

/* ---- steps of their own ---- */

/* Whether an edge is taken only when a kept process sends. */
static bool is_driven(const struct finder *finder, const struct edge *edge) {
    const struct symbol *channel = edge->sync && !edge->is_send ? expr_root(edge->sync) : NULL;
    return channel && is_broadcast(channel) &&
           !has_partner(finder, finder->goes_inside, channel, true);
}

static bool has_own_steps(const struct finder *finder, const struct template *template) {
    bool has = false;
    for (uint32_t e = 0; e < template->edge_count; e++)
        has |= !is_driven(finder, &template->edges[e]);
    return has;
}

/* Over: whether edges of their own form a circle. */
static bool may_diverge(const struct finder *finder, const struct template *template) {
    uint32_t count = template->location_count + template->branchpoint_count, left = count;
    bool *is_ending = ARENA_ARRAY(finder->arena, bool, count + 1);
    for (bool is_changed = true; is_changed;) { /* ending: from there such steps come to an end */
        is_changed = false;
        for (uint32_t l = 0; l < count; l++) {
            bool ends = !is_ending[l];
            for (uint32_t e = 0; e < template->edge_count && ends; e++) {
                const struct edge *edge = &template->edges[e];
                bool is_own_step = edge->source == l && !is_driven(finder, edge);
                ends = !is_own_step || is_ending[edge->target];
            }
            is_ending[l] |= ends;
            is_changed |= ends;
            left -= ends;
        }
    }
    return left > 0;
}

/* ---- what is taken out ---- */

static struct finder *finder_new(struct session *session, const struct query *queries,
                                 uint32_t count) {
    struct arena *arena = &session->arena;
    const struct model *model = session->model;
    struct finder *finder = ARENA_NEW(arena, struct finder);
    struct query *all = ARENA_ARRAY(arena, struct query, (size_t)count + model->query_count + 1);
    uint32_t query_count = 0;
    for (uint32_t i = 0; i < count; i++) all[query_count++] = queries[i];
    for (uint32_t i = 0; i < model->query_count; i++) all[query_count++] = model->queries[i];
    *finder = (struct finder){.session = session,
                              .arena = arena,
                              .network = session->network,
                              .model = model,
                              .live = live_new(arena, session->network, all, query_count),
                              .table = session->network->effects};
    finder->table.arena = arena;
    map_init(&finder->table.functions, arena);
    finder->goes = ARENA_ARRAY(arena, bool, model->process_count + 1);
    finder->stays_outside = ARENA_ARRAY(arena, bool, model->template_count + 1);
    finder->goes_inside = ARENA_ARRAY(arena, bool, model->template_count + 1);
    find_outside(finder);
    return finder;
}

/* The largest set of entries, of those to be taken out, on which nothing else depends (a greatest
 * fixpoint). */
static void settle(struct finder *finder, const struct query *queries, uint32_t count) {
    for (bool is_changed = true; is_changed;) {
        is_changed = false;
        find_outside(finder);
        for (uint32_t i = 0; i < finder->model->process_count; i++) {
            bool is_named = false;
            for (uint32_t k = 0; k < count && finder->goes[i]; k++)
                is_named |= query_names(&queries[k], finder->model->processes[i].symbol);
            if (!finder->goes[i] || (!is_named && !why_needed(finder, i))) continue;
            finder->goes[i] = false;
            is_changed = true;
        }
    }
    find_outside(finder);
}

static struct fragment fragment_asked(const struct query *query) {
    enum query_family family = query_traits(query->quantifier)->family;
    return family == FAMILY_FORMULA ? fragment_of(query->predicate) : (struct fragment){false};
}

static bool needs_ends(const struct query *query) {
    const struct fragment fragment = fragment_asked(query);
    return query_traits(query->quantifier)->family == FAMILY_LIVENESS || fragment.needs_ends ||
           fragment.is_about_coalitions;
}

/* Keeps what would make queries lose verdicts. False if nothing is asked. */
static bool keep_for(struct finder *finder, const struct query *queries, uint32_t count) {
    bool is_asked = false, is_about_steps = false, has_ends = false;
    for (uint32_t i = 0; i < count; i++) {
        is_asked |= queries[i].quantifier != QUERY_EMPTY;
        is_about_steps |=
            query_has(&queries[i], EXPR_DEADLOCK) || fragment_asked(&queries[i]).is_about_next;
        has_ends |= needs_ends(&queries[i]);
    }
    for (uint32_t i = 0; i < finder->model->process_count; i++) {
        const struct template *template = template_of(finder, i);
        if (finder->goes[i] && ((is_about_steps && has_own_steps(finder, template)) ||
                                (has_ends && may_diverge(finder, template))))
            finder->goes[i] = false;
    }
    return is_asked;
}

static void add_written(struct finder *finder, struct taken_out *taken_out,
                        const struct effects *effects) {
    for (uint32_t i = 0; i < effects->list.count; i++) {
        const struct symbol *symbol = effects->list.items[i].symbol;
        if (!effects->list.items[i].writes || is_own(symbol)) continue;
        assert(symbol->scope == SCOPE_GLOBAL && !is_read_outside(finder, symbol));
        const char *name = variable_argument(finder->network, NULL, symbol, finder->arena);
        bool is_known = false;
        for (uint32_t k = 0; k < taken_out->variables.count && !is_known; k++)
            is_known = !strcmp(taken_out->variables.items[k], name);
        if (!is_known) VEC_PUSH(finder->arena, &taken_out->variables, name);
    }
}

static void add_all_written(struct finder *finder, struct taken_out *taken_out,
                            const struct template *template) {
    for (uint32_t e = 0; e < template->edge_count; e++) {
        const struct edge_labels *labels = &finder->network->labels.edges[template->index][e];
        add_written(finder, taken_out, &labels->guard_effects);
        add_written(finder, taken_out, &labels->sync_effects);
        add_written(finder, taken_out, &labels->update_effects);
    }
}

static const struct taken_out *take(struct finder *finder) {
    struct taken_out *taken_out = ARENA_NEW(finder->arena, struct taken_out);
    *taken_out = (struct taken_out){.has_steps = false};
    for (uint32_t i = 0; i < finder->model->process_count; i++) {
        if (!finder->goes[i]) continue;
        const struct template *template = template_of(finder, i);
        VEC_PUSH(finder->arena, &taken_out->processes, finder->model->processes[i].symbol->name);
        add_all_written(finder, taken_out, template);
        taken_out->has_steps |= has_own_steps(finder, template);
        taken_out->may_diverge |= may_diverge(finder, template);
    }
    bool is_all = taken_out->processes.count == finder->model->process_count;
    return taken_out->processes.count && !is_all ? taken_out : NULL;
}

const struct taken_out *irrelevant_find(struct session *session, const struct query *queries,
                                        uint32_t count, bool keeps_all) {
    const struct model *model = session->model;
    if (why_none(session->network)) return NULL;
    struct finder *finder = finder_new(session, queries, count);
    for (uint32_t i = 0; i < model->process_count; i++) finder->goes[i] = true;
    settle(finder, queries, count);
    bool is_asked = keep_for(finder, queries, count);
    settle(finder, queries, count); /* others may depend on what is kept */
    if (keeps_all) is_asked |= keep_for(finder, model->queries, model->query_count);
    settle(finder, queries, count);
    return is_asked ? take(finder) : NULL;
}

static const struct taken_out *refuse(struct session *session, struct str name, const char *why) {
    diag_error(&session->diag, STATUS_UNSUPPORTED, session->model->system_span.begin,
               "process '%.*s' cannot be taken out: %s", (int)name.size, name.data, why);
    return NULL;
}

const struct taken_out *irrelevant_named(struct session *session, const char *names,
                                         const struct query *queries, uint32_t count) {
    struct finder *finder = finder_new(session, queries, count);
    const struct model *model = session->model;
    struct str rest = str_of(names), name;
    while (request_next_word(&rest, &name)) {
        uint32_t entry = 0;
        while (entry < model->process_count && !str_is(name, model->processes[entry].symbol->name))
            entry++;
        if (entry == model->process_count) {
            diag_error(&session->diag, STATUS_USAGE, 0,
                       "--without '%.*s': the system line has no such name; `varabs suggest` lists "
                       "what can be taken out",
                       (int)name.size, name.data);
            return NULL;
        }
        finder->goes[entry] = true;
    }
    find_outside(finder);
    const char *why = why_none(session->network);
    for (uint32_t i = 0; i < model->process_count; i++) {
        if (!finder->goes[i]) continue;
        if (!why) why = why_needed(finder, i);
        for (uint32_t k = 0; k < count && !why; k++)
            if (query_names(&queries[k], model->processes[i].symbol)) why = "a query names it";
        if (why) return refuse(session, str_of(model->processes[i].symbol->name), why);
    }
    const struct taken_out *taken_out = take(finder);
    return taken_out ? taken_out
                     : refuse(session, str_of(names), "one process at least has to stay");
}

static bool is_taken_out(const struct taken_out *taken_out, const struct symbol *symbol) {
    for (uint32_t i = 0; i < taken_out->processes.count; i++)
        if (!strcmp(taken_out->processes.items[i], symbol->name)) return true;
    return false;
}

/* Each goes with the comma after it, the last ones with the comma before them. */
bool irrelevant_take_out(struct session *session, const struct taken_out *taken_out) {
    const struct model *model = session->model;
    const struct system_process *list = model->processes;
    uint32_t count = model->process_count, last = 0;
    VEC(struct text_edit) edits = {0};
    struct splices splices;
    splices_init(&splices, &session->document, &session->arena);
    for (uint32_t i = 0; i < count; i++)
        if (!is_taken_out(taken_out, list[i].symbol)) last = i;
    for (uint32_t i = 0; i < last; i++)
        if (is_taken_out(taken_out, list[i].symbol))
            VEC_PUSH(&session->arena, &edits,
                     (struct text_edit){{list[i].span.begin, list[i + 1].span.begin}, STR("")});
    if (last + 1 < count)
        VEC_PUSH(&session->arena, &edits,
                 (struct text_edit){{list[last].span.end, list[count - 1].span.end}, STR("")});
    splice_edit_texts(&splices, edits.items, edits.count);
    return session_rewrite(session, &splices);
}
