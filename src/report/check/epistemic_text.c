#include "report/check/epistemic_report.h"

#include "explore/mixed/strength.h"
#include "lang/print/print.h"

#include <string.h>

enum { MOST_ITEMS = 12 };

void print_observations(FILE *file, const struct network *network, const struct agents *agents,
                        struct arena *arena) {
    for (uint32_t i = 0; i < agents->list.count; i++) {
        const struct agent *agent = agents->list.items[i];
        struct items items = items_begin(file, arena, 23 + strlen(agent->name));
        items.indent = 15;
        fprintf(file, "             %s observes ", agent->name);
        for (uint32_t k = 0; k < agent->items.count && k < MOST_ITEMS; k++)
            print_item(&items, "%s", observed_text(arena, network, &agent->items.items[k]));
        if (agent->items.count > MOST_ITEMS)
            print_item(&items, "and %u more (`varabs info --agents`)",
                       agent->items.count - MOST_ITEMS);
        fputs(agent->items.count ? "\n" : "nothing\n", file);
    }
}

/* Prints the agents as text. */
void print_agents(FILE *file, const struct network *network, const struct agents *agents,
                  struct arena *arena) {
    for (uint32_t i = 0; i < agents->list.count; i++) {
        const struct agent *agent = agents->list.items[i];
        fprintf(file, "%s%s observes%s:\n", i ? "\n" : "", agent->name,
                agent->is_declared ? ", as is declared" : " by default");
        for (uint32_t k = 0; k < agent->items.count; k++)
            fprintf(file, "  %s\n", observed_text(arena, network, &agent->items.items[k]));
        if (!agent->items.count) fputs("  nothing\n", file);
        if (agent->is_blind)
            fputs("  but not whether its edges are enabled, which depends on other variables\n",
                  file);
    }
}

void print_epistemic(FILE *file, const struct epistemic_report *report, bool has_traces) {
    const struct epistemic *pair = &report->answer->known->pair;
    if (pair->is_value)
        fprintf(file,
                "             %s does not know the value of %s: it is %d, but for all that %s "
                "observes it might be %d%s\n",
                pair->agent->name, expr_text(pair->expr, report->arena), pair->values[0],
                pair->agent->name, pair->values[1],
                has_traces ? "" : " (--trace shows both states)");
    else
        fprintf(file, "             %s does not know that %s: to %s another state is the same%s\n",
                pair->agent->name, expr_text(pair->expr, report->arena), pair->agent->name,
                has_traces ? "" : " (--trace shows both)");
}

/* Items whose value a state of a trace shows. */
void print_same(FILE *file, const struct epistemic_report *report) {
    const struct trace *trace = report->answer->trace;
    const struct agent *agent = report->answer->known->pair.agent;
    struct items items = items_begin(file, report->arena, LINE_WIDTH / 2);
    items.indent = LINE_INDENT;
    if (!trace) return;
    const struct trace_state *last = &trace->states[trace->state_count - 1];
    fprintf(file, "the same to %s: ", agent->name);
    for (uint32_t i = 0; i < agent->items.count; i++) {
        const struct observed_item *item = &agent->items.items[i];
        const char *name = observed_text(report->arena, report->network, item);
        if (item->kind == OBSERVED_LOCATION)
            print_item(&items, "%s.%s", item->process->name,
                       location_name(item->process, last->locations[item->process->index]));
        else if (item->kind == OBSERVED_SLOT)
            print_item(&items, "%s = %d", name, last->values[item->slot]);
        else if (item->kind == OBSERVED_VALUE ||
                 last->locations[item->process->index] == item->edge->source)
            print_item(&items, "%s", name);
    }
    fputs(items.has_any ? "\n" : "everything\n", file);
}

/* ---- strategies ---- */

const char *move_target(const struct move *move) {
    return move->process->template->locations[move->edge->target].name;
}

const char *condition_text(const struct epistemic_report *report,
                           const struct plan_condition *condition) {
    const struct observed_item *item = condition->item;
    const char *name = observed_text(report->arena, report->network, item);
    if (item->kind == OBSERVED_LOCATION)
        return arena_printf(report->arena, "%s.%s", item->process->name,
                            location_name(item->process, (uint32_t)condition->value));
    if (item->kind == OBSERVED_GUARD)
        return arena_printf(report->arena, "%s %s", condition->value ? "yes to the" : "no to the",
                            name);
    return arena_printf(report->arena, "%s == %d", name, condition->value);
}

static const char *move_text(const struct epistemic_report *report, const struct move *move) {
    struct buffer text = {0};
    buffer_add_text(&text, move_target(move));
    for (uint32_t i = 0, count = 0; i < move->edge->select_count; i++)
        if (!is_left_to_nature(move, i))
            buffer_printf(&text, "%s%s = %d", count++ ? ", " : " with ",
                          move->edge->selects[i]->name, move->selects[i]);
    if (move->edge->sync)
        buffer_printf(&text, ", %s%s", expr_text(move->edge->sync, report->arena),
                      move->is_send ? "!" : "?");
    if (move->action) buffer_printf(&text, ", action %s", move->action);
    return buffer_finish(&text, report->arena);
}

/* Whether another edge of the player from the same location has the same text. */
static bool is_ambiguous(const struct epistemic_report *report, const struct move *move,
                         const char *text) {
    const struct coalition *coalition = report->answer->known->plan->coalition;
    const struct edge *edge = move->edge;
    size_t size = edge->select_count * sizeof *move->selects;
    for (uint32_t i = 0; i < coalition->moves.count; i++) {
        const struct move *other = &coalition->moves.items[i];
        bool is_like = other->player == move->player && other->edge != edge &&
                       other->edge->source == edge->source && other->edge->target == edge->target &&
                       other->edge->select_count == edge->select_count &&
                       (!size || !memcmp(other->selects, move->selects, size));
        if (is_like && !strcmp(move_text(report, other), text)) return true;
    }
    return false;
}

static void print_move(FILE *file, const struct epistemic_report *report, const struct move *move) {
    if (!move) {
        fputs("wait\n", file);
        return;
    }
    const char *text = move_text(report, move);
    fputs(text, file);
    if (is_ambiguous(report, move, text))
        fprintf(file, ", edge %td", move->edge - move->process->template->edges + 1);
    fputs("\n", file);
}

/* Whether a rule takes a move of a mixed model that the original need not have (ST7). */
static bool has_doubtful_move(const struct coalition *coalition, const struct plan_part *part) {
    for (uint32_t i = 0; i < coalition->tests.count; i++)
        for (uint32_t k = 0; k < part->rule_count; k++)
            if (part->rules[k].move == &coalition->moves.items[coalition->tests.items[i].move] &&
                coalition->tests.items[i].strength == STRENGTH_MAY)
                return true;
    return false;
}

void print_strategy(FILE *file, const struct epistemic_report *report, int indent) {
    const struct strategy_plan *plan = report->answer->known->plan;
    for (uint32_t i = 0; i < plan->part_count; i++) {
        const struct plan_part *part = &plan->parts[i];
        fprintf(file, "%*sstrategy of %s", indent, "", part->player->process->name);
        if (part->receives) fprintf(file, " where it receives on %s", part->receives);
        fprintf(file, " (%u rule%s, %u %s%s)\n", part->rule_count, part->rule_count == 1 ? "" : "s",
                part->choice_count, plan->is_perfect ? "state" : "information set",
                part->choice_count == 1 ? "" : "s");
        for (uint32_t k = 0; k < part->rule_count; k++) {
            const struct plan_rule *rule = &part->rules[k];
            const char *word = part->rule_count > 1 ? "otherwise" : "always";
            fprintf(file, "%*s%s", indent + 2, "", rule->condition_count ? "when " : word);
            for (uint32_t c = 0; c < rule->condition_count; c++)
                fprintf(file, "%s%s", c ? " and " : "",
                        condition_text(report, &rule->conditions[c]));
            fputs(" -> ", file);
            print_move(file, report, rule->move);
        }
        if (report->network->model->is_mixed && has_doubtful_move(plan->coalition, part))
            fprintf(file, "%*swhere the original has no such move, %s\n", indent + 2, "",
                    plan->coalition->modes & MODE_WAIT ? "wait" : "any other one does");
    }
}

void print_played(FILE *file, const struct plan_played *played, int indent) {
    fprintf(file, "%*s", indent, "");
    if (played->outcome == PLAN_WINS)
        fprintf(file, "checked on the original: %llu states\n", (unsigned long long)played->states);
    else if (played->outcome == PLAN_FAILS)
        fprintf(file,
                "it does not do that in the original: is this an abstraction of it? If so, please "
                "report this\n");
    else if (played->limit != LIMIT_NONE)
        fprintf(file, "not checked on the original: ended by %s\n", limit_text(played->limit));
    else
        fprintf(file, "not checked on the original: %s\n", played->reason);
}
