#include "report/concretize.h"

#include "report/member.h"

#include <string.h>

json_t *concretization_entry(const struct concretize_report *report) {
    static const char *const outcomes[] = {
        [CONCRETE_UNKNOWN] = "unknown", [CONCRETE_REAL] = "real", [CONCRETE_SPURIOUS] = "spurious"};
    const struct concretization *result = report->result;
    bool has_step = result->outcome == CONCRETE_SPURIOUS && !result->is_at_end;
    json_t *entry = json_object(), *slots = json_array();
    set(entry, "outcome", text(outcomes[result->outcome]));
    set(entry, "step", has_step ? json_integer(result->step) : json_null());
    set(entry, "round", has_step ? json_integer(result->round) : json_null());
    for (uint32_t i = 0; i < result->slot_count; i++) {
        const struct slot *slot = &report->network->slots[result->slots[i]];
        json_array_append_new(slots, text(slot_name(report->network, slot, report->arena)));
    }
    set(entry, "depends_on", slots);
    set(entry, "limit", limit_entry(result->limit));
    if (result->problem) set(entry, "problem", text(result->problem));
    set(entry, "states", json_integer((json_int_t)result->states));
    return entry;
}

/* "P: idle -> busy, Q: ready -> ready". */
static void print_participants(struct items *items, const struct trace_step *step) {
    for (uint32_t i = 0; i < step->part_count; i++)
        print_item(items, "%s: %s -> %s", step->parts[i]->process->name,
                   location_name(step->parts[i]->process, step->parts[i]->source),
                   location_name(step->parts[i]->process, step->parts[i]->target));
}

static void print_break(FILE *file, const struct concretize_report *report) {
    const struct concretization *result = report->result;
    struct items items = {file, report->arena, LINE_WIDTH / 2, false};
    fprintf(file, "spurious: the original cannot take step %u", result->step + 1);
    if (result->round)
        fprintf(file, " after %u more round%s of the loop", result->round,
                result->round > 1 ? "s" : "");
    fputs(" (", file);
    print_participants(&items, &report->run->steps[result->step]);
    fputs(")\n", file);
    if (!result->slot_count) return;
    fprintf(file, "%*sit depends on ", 13, "");
    items = (struct items){file, report->arena, 28, false};
    for (uint32_t i = 0; i < result->slot_count; i++) {
        const struct slot *slot = &report->network->slots[result->slots[i]];
        print_item(&items, "%s", slot_name(report->network, slot, report->arena));
    }
    fputc('\n', file);
}

void print_concretization(FILE *file, const struct concretize_report *report) {
    const struct concretization *result = report->result;
    fprintf(file, "%*s", 13, "");
    if (result->outcome == CONCRETE_REAL)
        fprintf(file, "so it is in the original: a run of %u steps\n", result->trace->step_count);
    else if (result->outcome == CONCRETE_SPURIOUS && result->is_at_end)
        fputs("spurious: the original has the run, but there it proves nothing\n", file);
    else if (result->outcome == CONCRETE_SPURIOUS)
        print_break(file, report);
    else if (result->problem)
        fprintf(file, "not known of the original: %s\n", result->problem);
    else
        fprintf(file, "not known of the original: ended by %s\n", limit_text(result->limit));
}
