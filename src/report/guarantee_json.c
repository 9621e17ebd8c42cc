/* What carries over to the original, as JSON. */
#include "report/guarantee_report.h"

#include "report/json.h"
#include "report/trace_report.h"

#include <assert.h>
#include <string.h>

/* As in the report. */
const char *bound_text(enum bound bound) {
    static const char *const texts[] = {[BOUND_EXACT] = "exact",
                                        [BOUND_UPPER] = "upper bound",
                                        [BOUND_LOWER] = "lower bound",
                                        [BOUND_ENCLOSES] = "encloses",
                                        [BOUND_ENCLOSED] = "is enclosed"};
    assert(bound != BOUND_NONE && (unsigned)bound < sizeof texts / sizeof texts[0]);
    return texts[bound];
}

const char *joint_text(const char *kripke, const char *uppaal, struct arena *arena) {
    if (kripke && uppaal && !strcmp(kripke, uppaal)) return kripke;
    if (!kripke && !uppaal) return NULL;
    if (!kripke) return arena_printf(arena, "uppaal: %s", uppaal);
    if (!uppaal) return arena_printf(arena, "kripke: %s", kripke);
    return arena_printf(arena, "kripke: %s; uppaal: %s", kripke, uppaal);
}

static const char *reason_of(const struct guarantee *guarantee, struct arena *arena) {
    return joint_text(guarantee->carry[PATH_KRIPKE].reason, guarantee->carry[PATH_UPPAAL].reason,
                      arena);
}

static const char *help_of(const struct guarantee *guarantee, struct arena *arena) {
    return joint_text(guarantee->carry[PATH_KRIPKE].help, guarantee->carry[PATH_UPPAAL].help,
                      arena);
}

static json_t *carry_entry(const struct carry *carry) {
    json_t *entry = json_object();
    set(entry, "satisfied", json_boolean(carry->satisfied));
    set(entry, "violated", json_boolean(carry->violated));
    if (carry->is_assumed && (carry->satisfied || carry->violated))
        set(entry, "assumed", text("live"));
    return entry;
}

/* What `varabs check` of a mixed abstraction can say. */
static json_t *check_entry(const struct carry *carry) {
    json_t *entry = carry_entry(carry);
    set(entry, "reason", text(carry->reason));
    if (carry->help) set(entry, "help", text(carry->help));
    return entry;
}

/* What the agents of a query about knowledge observe here, and what they have lost. */
static json_t *agent_entries(const struct guarantee *guarantee) {
    json_t *list = json_array();
    for (uint32_t i = 0; i < guarantee->watchers.list.count; i++) {
        const struct watcher *watcher = guarantee->watchers.list.items[i];
        json_t *entry = json_object();
        set(entry, "agent", text(watcher->agent->name));
        set(entry, "observes", texts(watcher->kept.items, watcher->kept.count));
        set(entry, "lost", texts(watcher->lost.items, watcher->lost.count));
        json_array_append_new(list, entry);
    }
    return list;
}

json_t *guarantee_entries(const struct guarantees *guarantees, struct arena *arena) {
    json_t *list = json_array();
    for (uint32_t i = 0; i < guarantees->list.count; i++) {
        const struct guarantee *guarantee = &guarantees->list.items[i];
        const char *help = help_of(guarantee, arena);
        json_t *entry = json_object();
        set(entry, "formula", trimmed(guarantee->query->xml->formula->text.content));
        set(entry, "kripke", carry_entry(&guarantee->carry[PATH_KRIPKE]));
        set(entry, "uppaal", carry_entry(&guarantee->carry[PATH_UPPAAL]));
        if (guarantee->is_mixed) set(entry, "check", check_entry(&guarantee->three_valued));
        if (guarantee->bound) set(entry, "bound", text(bound_text(guarantee->bound)));
        set(entry, "reason", text(reason_of(guarantee, arena)));
        if (help) set(entry, "help", text(help));
        if (guarantee->watchers.list.count) set(entry, "agents", agent_entries(guarantee));
        json_array_append_new(list, entry);
    }
    return list;
}

json_t *explored_entries(const struct guarantees *guarantees) {
    const struct explored *const all[] = {&guarantees->original, &guarantees->output};
    static const char *const names[] = {"original", "output"};
    json_t *list = json_array();
    for (int i = 0; i < 2; i++) {
        if (!all[i]->is_known) continue;
        json_t *entry = json_object();
        set(entry, "model", text(names[i]));
        set(entry, "deadlocks", json_integer((json_int_t)all[i]->deadlocks));
        set(entry, "errors", json_integer((json_int_t)all[i]->errors));
        json_array_append_new(list, entry);
    }
    return list;
}

json_t *may_fail_entries(const struct claim_condition *condition) {
    if (!condition->is_looked_at) return json_null();
    json_t *list = json_array();
    for (uint32_t i = 0; i < condition->may_fail.list.count; i++) {
        const struct possible_error *error = &condition->may_fail.list.items[i];
        json_t *entry = json_object();
        set(entry, "template", text_or_null(error->template));
        set(entry, "edge", error->edge ? json_integer(error->edge) : json_null());
        set_place(entry, error->place);
        set(entry, "message", text(error->text));
        json_array_append_new(list, entry);
    }
    return list;
}

static json_t *first_error_entry(const struct claim_condition *condition, struct arena *arena) {
    json_t *entry = json_object();
    set(entry, "message", text(condition->error));
    set_place(entry, condition->place);
    if (condition->trace)
        set(entry, "trace", trace_entry(condition->network, condition->trace, "error", arena));
    return entry;
}

json_t *condition_entry(const struct claim_condition *condition, struct arena *arena) {
    static const char *const states[] = {[CONDITION_OPEN] = "open",
                                         [CONDITION_CANNOT_FAIL] = "cannot fail",
                                         [CONDITION_MET] = "met",
                                         [CONDITION_BROKEN] = "broken"};
    json_t *entry = json_object();
    assert((unsigned)condition->state < sizeof states / sizeof states[0]);
    set(entry, "no_runtime_errors", text(states[condition->state]));
    set(entry, "may_fail", may_fail_entries(condition));
    if (condition->error) set(entry, "first_error", first_error_entry(condition, arena));
    return entry;
}
