#include "report/check/epistemic_report.h"

#include "lang/print/print.h"
#include "lang/syntax/kinds.h"
#include "lang/syntax/walk.h"
#include "report/json.h"
#include "xml/byte_map.h"

#include <assert.h>

json_t *observation_entries(const struct network *network, const struct agents *agents,
                            struct arena *arena) {
    json_t *list = json_array();
    for (uint32_t i = 0; i < agents->list.count; i++) {
        const struct agent *agent = agents->list.items[i];
        assert(agent->index == i);
        json_t *entry = json_object(), *items = json_array();
        for (uint32_t k = 0; k < agent->items.count; k++)
            json_array_append_new(items,
                                  text(observed_text(arena, network, &agent->items.items[k])));
        set(entry, "agent", text(agent->name));
        set(entry, "is_declared", json_boolean(agent->is_declared));
        set(entry, "items", items);
        json_array_append_new(list, entry);
    }
    return list;
}

json_t *report_agents(const struct network *network, const struct agents *agents,
                      struct arena *arena) {
    const struct document *document = network->model->document;
    json_t *object = json_object(), *list = observation_entries(network, agents, arena);
    set_header(object, "agents");
    set(object, "input", file_entry(document->source.name, document_file_bytes(document)));
    for (uint32_t i = 0; i < agents->list.count; i++) {
        const struct agent *agent = agents->list.items[i];
        json_t *processes = json_array();
        for (uint32_t k = 0; k < agent->process_count; k++)
            json_array_append_new(processes, text(agent->processes[k]->name));
        set(json_array_get(list, i), "processes", processes);
        set(json_array_get(list, i), "is_blind", json_boolean(agent->is_blind));
    }
    set(object, "agents", list);
    return object;
}

json_t *epistemic_entry(const struct epistemic_report *report) {
    const struct epistemic *pair = &report->answer->known->pair;
    json_t *entry = json_object();
    set(entry, "agent", text(pair->agent->name));
    set(entry, "expression", text(expr_text(pair->expr, report->arena)));
    if (pair->is_value) {
        json_t *values = json_array();
        for (int i = 0; i < 2; i++) json_array_append_new(values, json_integer(pair->values[i]));
        set(entry, "values", values);
    }
    return entry;
}

static json_t *move_entry(const struct move *move, struct arena *arena) {
    if (!move) return json_null();
    const struct template *template = move->process->template;
    json_t *entry = json_object(), *selects = json_object();
    for (uint32_t i = 0; i < move->edge->select_count; i++)
        if (!is_left_to_nature(move, i))
            set(selects, move->edge->selects[i]->name, json_integer(move->selects[i]));
    set(entry, "edge", json_integer(edge_index(template, move->edge)));
    set(entry, "source", text(template->locations[move->edge->source].name));
    set(entry, "target", text(move_target(move)));
    set(entry, "selects", selects);
    if (move->action) set(entry, "action", text(move->action));
    if (move->edge->sync)
        set(entry, "channel",
            text(arena_printf(arena, "%s%s", expr_text(move->edge->sync, arena),
                              move->is_send ? "!" : "?")));
    return entry;
}

json_t *strategy_entries(const struct epistemic_report *report) {
    const struct strategy_plan *plan = report->answer->known->plan;
    json_t *list = json_array();
    for (uint32_t i = 0; i < plan->part_count; i++) {
        const struct plan_part *part = &plan->parts[i];
        json_t *entry = json_object(), *rules = json_array();
        for (uint32_t k = 0; k < part->rule_count; k++) {
            const struct plan_rule *rule = &part->rules[k];
            json_t *conditions = json_array(), *own = json_object();
            for (uint32_t c = 0; c < rule->condition_count; c++)
                json_array_append_new(conditions,
                                      text(condition_text(report, &rule->conditions[c])));
            set(own, "when", conditions);
            set(own, "move", move_entry(rule->move, report->arena));
            json_array_append_new(rules, own);
        }
        set(entry, "process", text(part->player->process->name));
        set(entry, "agent", text(part->player->agent->name));
        if (part->receives) set(entry, "receives", text(part->receives));
        set(entry, "choices", json_integer(part->choice_count));
        set(entry, "rules", rules);
        json_array_append_new(list, entry);
    }
    return list;
}

json_t *played_entry(const struct plan_played *played) {
    static const char *const outcomes[] = {
        [PLAN_UNKNOWN] = "not checked", [PLAN_WINS] = "wins", [PLAN_FAILS] = "fails"};
    json_t *entry = json_object();
    set(entry, "outcome", text(outcomes[played->outcome]));
    set(entry, "states", json_integer((json_int_t)played->states));
    if (played->limit != LIMIT_NONE) set(entry, "limit", limit_entry(played->limit));
    if (played->reason) set(entry, "reason", text(played->reason));
    return entry;
}

/* Operators whose value depends on how runs end: others are decided by steps that there are. */
static bool is_about_ends(const void *context, const struct expr *expr) {
    (void)context;
    if (expr->kind == EXPR_ABLE || expr->kind == EXPR_ABLE_UNTIL) return true;
    bool is_path = expr->kind == EXPR_PATH || expr->kind == EXPR_UNTIL;
    bool is_of_steps = expr->op == OP_AG || expr->op == OP_EF || expr->op == OP_EU ||
                       expr->op == OP_AW || expr->op == OP_AR;
    return is_path && !is_of_steps;
}

const char *semantics_of(const struct query *query, enum semantics semantics) {
    if (query_traits(query->quantifier)->family != FAMILY_FORMULA)
        return semantics == SEMANTICS_KRIPKE ? "kripke" : "uppaal";
    return expr_any(query->predicate, is_about_ends, NULL) ? "kripke" : "any";
}
