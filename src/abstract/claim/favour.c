#include "abstract/claim/favour.h"

#include "abstract/fold/residual.h"
#include "abstract/fold/selects.h"
#include "explore/fair/tag.h"
#include "expr/build.h"
#include "expr/find.h"
#include "lang/syntax/kinds.h"

#include <assert.h>
#include <string.h>

bool favours_some(const struct abstraction *abstraction) {
    return abstraction->favours && !abstraction->is_exact;
}

/* All processes of a template are of the coalition, or none: they were told apart. */
static bool is_favoured(const struct abstraction *abstraction, const struct template *template) {
    const struct network *network = abstraction->network;
    bool has_some = false, has_all = true;
    for (uint32_t i = 0; i < network->process_count; i++) {
        if (network->processes[i].template != template) continue;
        has_some |= abstraction->favours[i];
        has_all &= abstraction->favours[i];
    }
    assert(!has_some || has_all);
    return has_some;
}

/* Moves */

static bool is_receiving(const struct edge *edge) { return edge->sync && !edge->is_send; }

/* Whether the original says itself who decides about an edge, or with which others it is one
 * move. */
static bool has_mark(const struct edge *edge) {
    return !edge->xml || !edge->xml->is_controllable || edge_has_tag(edge, STR("nature")) ||
           edge_has_tag(edge, STR("action"));
}

/* Under: whether a branchpoint that the edge leads to stays as it is. */
static bool branches_stay(const struct abstraction *abstraction, const struct output_edge *out) {
    const struct open_edge *open = out->base;
    if (open->edge->target < open->template->location_count) return true;
    for (uint32_t i = 0; i < abstraction->folds.count; i++)
        if (abstraction->folds.items[i]->template == open->template &&
            abstraction->folds.items[i]->location == open->edge->target)
            return false;
    return true;
}

static bool is_certain(const struct abstraction *abstraction, const struct output_edge *out) {
    return out->strength != STRENGTH_MAY && branches_stay(abstraction, out);
}

/* A move that the player decides about, and that it has wherever its guard holds. */
static bool is_sure_move(const struct abstraction *abstraction, const struct output_edge *out) {
    return is_certain(abstraction, out) && !out->loop && !is_receiving(out->base->edge) &&
           !has_mark(out->base->edge);
}

/* Whether the guard can be asked for beside other edges: it has no selects, and does not fail. */
static bool has_plain_guard(const struct output_edge *out) {
    const struct edge *edge = out->base->edge;
    for (uint32_t i = 0; i < edge->select_count; i++)
        if (expr_mentions(out->guard, edge->selects[i])) return false;
    for (uint32_t i = 0; i < out->select_count; i++)
        if (expr_mentions(out->guard, out->selects[i].unknown->placeholder)) return false;
    return !expr_can_fault(out->guard);
}

/* Where a move that may be there has to stay: where its player has no other one for certain; and
 * where the same edge is certain by another part of it. NULL: everywhere. */
static const struct expr *stays_where(const struct abstraction *abstraction,
                                      const struct fold *fold, const struct output_edge *doubtful) {
    struct arena *arena = abstraction->arena;
    const struct expr *others = build_bool(arena, false), *own = build_bool(arena, false);
    for (uint32_t i = 0; i < fold->edges.count; i++) {
        const struct output_edge *out = &fold->edges.items[i];
        bool is_own = out->base == doubtful->base;
        if (!is_sure_move(abstraction, out)) continue;
        if (has_plain_guard(out))
            *(is_own ? &own : &others) = fold_or(arena, is_own ? own : others, out->guard);
        else if (is_own)
            return NULL;
    }
    return fold_or(arena, fold_not(arena, others), own);
}

/* False: the edge goes. */
static bool favour_edge(const struct abstraction *abstraction, const struct fold *fold,
                        struct output_edge *out) {
    const struct edge *edge = out->base->edge;
    if (out->loop || is_certain(abstraction, out)) return true;
    out->is_natures = true;
    out->is_unchanged = false;
    if (is_receiving(edge) || has_mark(edge)) return true;
    const struct expr *stays = stays_where(abstraction, fold, out);
    if (fold_hides(out, stays)) return true; /* everywhere */
    out->guard = build_and(abstraction->arena, out->guard, stays);
    return !expr_is_false(out->guard);
}

static bool has_edge_of(const struct output_edge *edges, uint32_t count,
                        const struct open_edge *base) {
    for (uint32_t i = 0; i < count; i++)
        if (edges[i].base == base && !edges[i].loop) return true;
    return false;
}

/* The edges of one location; what stands for several (MX1) goes from all. */
static void favour_fold(struct abstraction *abstraction, struct location_fold *at) {
    struct fold *fold = &at->fold;
    bool is_branch = at->location >= at->template->location_count; /* nature's anyway */
    bool has_moves = !is_branch && is_favoured(abstraction, at->template);
    struct output_edge *after =
        ARENA_ARRAY(abstraction->arena, struct output_edge, fold->edges.count + 1);
    uint32_t count = 0, before = fold->edges.count;
    for (uint32_t i = 0; i < before; i++) {
        struct output_edge out = fold->edges.items[i];
        if (!out.is_joint && (!has_moves || favour_edge(abstraction, fold, &out)))
            after[count++] = out;
    }
    for (uint32_t i = 0; i < before; i++) {
        const struct open_edge *base = fold->edges.items[i].base;
        if (!has_edge_of(after, count, base) && !has_edge_of(fold->edges.items, i, base) &&
            !fold->edges.items[i].loop)
            VEC_PUSH(abstraction->arena, &fold->dropped, base);
    }
    assert(count <= before && abstraction->edges_after >= before - count);
    abstraction->edges_after -= before - count;
    memcpy(fold->edges.items, after, count * sizeof *after);
    fold->edges.count = count;
}

void favour_coalition(struct abstraction *abstraction) {
    assert(abstraction->context.rules->is_mixed);
    if (!favours_some(abstraction)) return;
    for (uint32_t i = 0; i < abstraction->folds.count; i++)
        favour_fold(abstraction, abstraction->folds.items[i]);
}

/* Claims */

static struct carry none(const char *reason, const char *help) {
    return (struct carry){.reason = reason, .help = help};
}

/* <<A>> G p, W, R, of states, from the initial state on: NULL, or why it is another formula. */
static const char *why_other(const struct query *query) {
    const struct expr *formula = query->predicate;
    if (query_traits(query->quantifier)->family != FAMILY_FORMULA ||
        (formula->kind != EXPR_ABLE && formula->kind != EXPR_ABLE_UNTIL))
        return "this model is for one coalition, and one operator about it";
    for (int i = 0; i < 2; i++)
        if (formula->child[i] &&
            (expr_is_modal(formula->child[i]) || expr_is_beyond_state(formula->child[i])))
            return "this model is for one operator, which is about single states";
    if (formula->op != OP_ABLE_G && formula->op != OP_ABLE_W && formula->op != OP_ABLE_R)
        return "that something comes depends on steps that this model may have more of";
    if (formula->modes & (MODE_DUAL | MODE_SUBJECTIVE | MODE_ACTIVE))
        return "this model is for <<A>> of receivers that do not refuse, from the initial state on";
    return NULL;
}

/* Whether the coalition of a formula is the one that is favoured. */
static bool is_for(const struct abstraction *abstraction, const struct agent_list *agents) {
    const struct network *network = abstraction->network;
    bool *plays = ARENA_ARRAY(abstraction->arena, bool, network->process_count + 1);
    bool is_same = true;
    for (uint32_t i = 0; i < agents->list.count; i++)
        for (uint32_t k = 0; k < agents->list.items[i]->process_count; k++)
            plays[agents->list.items[i]->processes[k]->index] = true;
    for (uint32_t i = 0; i < network->process_count; i++)
        is_same &= plays[i] == abstraction->favours[i];
    return is_same;
}

static const struct watcher *watcher_of(const struct abstraction *abstraction,
                                        const struct agent *agent) {
    const struct observations *observations = abstraction->observations;
    for (uint32_t i = 0; i < observations->list.count; i++)
        if (!strcmp(observations->list.items[i]->agent->name, agent->name))
            return observations->list.items[i];
    return NULL;
}

/* Under: whether a player sees when it can take an edge with this guard. */
static bool sees_guard(const struct abstraction *abstraction, const struct watcher *watcher,
                       const struct process *process, const struct edge *edge,
                       const struct expr *guard, const struct expr *sync) {
    const struct agent *agent = watcher->agent;
    bool is_as_before = guard == edge->written_guard;
    for (uint32_t i = 0; i < agent->items.count && is_as_before; i++)
        if (agent->items.items[i].kind == OBSERVED_GUARD && agent->items.items[i].edge == edge &&
            agent->items.items[i].process == process)
            return !expr_can_fault(sync);
    return watcher_sees(abstraction, watcher, process, guard) &&
           (!expr_can_fault(sync) || watcher_sees(abstraction, watcher, process, sync));
}

static const struct location_fold *fold_at(const struct abstraction *abstraction,
                                           const struct template *template, uint32_t location) {
    for (uint32_t i = 0; i < abstraction->folds.count; i++)
        if (abstraction->folds.items[i]->template == template &&
            abstraction->folds.items[i]->location == location)
            return abstraction->folds.items[i];
    return NULL;
}

/* The first edge of which a player does not see whether it is one of its moves now, or NULL. */
static const struct edge *unseen_move(const struct abstraction *abstraction,
                                      const struct watcher *watcher,
                                      const struct process *process) {
    const struct template *template = process->template;
    for (uint32_t i = 0; i < template->edge_count; i++) {
        const struct edge *edge = &template->edges[i];
        if (edge->source >= template->location_count || is_receiving(edge) ||
            fold_at(abstraction, template, edge->source))
            continue;
        if (!sees_guard(abstraction, watcher, process, edge, edge->written_guard, edge->sync))
            return edge;
    }
    for (uint32_t i = 0; i < abstraction->folds.count; i++) {
        const struct location_fold *at = abstraction->folds.items[i];
        bool is_here = at->template == template && at->location < template->location_count;
        for (uint32_t k = 0; is_here && k < at->fold.edges.count; k++) {
            const struct output_edge *out = &at->fold.edges.items[k];
            const struct edge *edge = out->base->edge;
            const struct expr *guard = out->is_unchanged ? edge->written_guard : out->guard;
            if (!out->loop && !out->is_natures && !is_receiving(edge) &&
                !sees_guard(abstraction, watcher, process, edge, guard, out->sync))
                return edge;
        }
    }
    return NULL;
}

/* A choice is one of the original only if the player sees that it has it: else it may be one that
 * it has in spurious states alone. Who may wait, or sees the whole state, needs none of that. */
static const char *why_unseen(const struct abstraction *abstraction,
                              const struct agent_list *agents) {
    for (uint32_t i = 0; i < agents->list.count; i++) {
        const struct agent *agent = agents->list.items[i];
        const struct watcher *watcher = watcher_of(abstraction, agent);
        for (uint32_t k = 0; k < agent->process_count; k++) {
            const struct process *process = agent->processes[k];
            if (!watcher || !watcher_sees_location(watcher, process))
                return "a player does not see where it is";
            const struct edge *edge = unseen_move(abstraction, watcher, process);
            if (edge)
                return arena_printf(
                    abstraction->arena,
                    "%s does not see whether it has its move from %s to %s (edge %u)",
                    process->name, process->template->locations[edge->source].name,
                    edge->target < process->template->location_count
                        ? process->template->locations[edge->target].name
                        : "a branchpoint",
                    (uint32_t)(edge - process->template->edges) + 1);
        }
    }
    return NULL;
}

static struct carry carry_of_players(const struct abstraction *abstraction,
                                     const struct expr *formula, const struct agent_list *agents) {
    if (!is_for(abstraction, agents))
        return none("this model is for another coalition", "name these players with --favour");
    bool sees_all = formula->modes & (MODE_PERFECT | MODE_WAIT);
    const char *unseen = sees_all ? NULL : why_unseen(abstraction, agents);
    if (unseen) return none(unseen, "ask with Ir or wait, or let it observe that");
    return (struct carry){.satisfied = true,
                          .reason = "the coalition has its certain moves only, and the others all "
                                    "that they may have"};
}

struct carry favoured_carry(const struct abstraction *abstraction, const struct query *query) {
    const char *other = why_other(query), *problem = NULL;
    const struct expr *formula = query->predicate;
    struct agents agents;
    struct agent_list players = {0};
    assert(favours_some(abstraction) && abstraction->observations);
    if (other) return none(other, "ask a mixed abstraction, without --favour");
    agents_init(&agents, abstraction->arena, abstraction->network);
    for (uint32_t i = 0; i < formula->argument_count && !problem; i++)
        problem = agents_add(&agents, formula->arguments[i], &players);
    struct carry carry = problem ? none(problem, "ask about agents in the original")
                                 : carry_of_players(abstraction, formula, &players);
    agents_close(&agents);
    return carry;
}
