/* Steps as choices that a number stands for. */
#include "export/program_c.h"

#include "explore/successor/assemble.h"
#include "export/unit_c.h"

#include <inttypes.h>

struct writer {
    struct buffer *out;
    const struct program *program;
    uint32_t choices;
    bool is_refused;
};

static bool refuse(struct writer *writer, const char *what) {
    if (!writer->is_refused)
        diag_error(writer->program->network->model->diag, STATUS_UNSUPPORTED, 0,
                   "this model cannot be exported: %s", what);
    writer->is_refused = true;
    return false;
}

static void write_unit(struct writer *writer, const struct unit *unit, const char *kind,
                       uint32_t number) {
    char name[40];
    snprintf(name, sizeof name, "%s_%" PRIu32, kind, number);
    if (unit_is_writable(writer->program, unit))
        unit_write(writer->out, writer->program, unit, name);
    else
        refuse(writer, "it has an expression that is evaluated without being compiled, such as a "
                       "recursive or a very long function, or a clock that is set");
}

/* States */

static void write_sizes(struct writer *writer) {
    const struct layout *layout = writer->program->layout;
    buffer_printf(writer->out, "enum { STORED = %" PRIu32 ", WORDS = %" PRIu32 " };\n",
                  layout->stored_words, layout->word_count);
    buffer_add_text(writer->out, "static const uint64_t INITIAL[] = {");
    for (uint32_t i = 0; i < layout->word_count; i++)
        buffer_printf(writer->out, "0x%" PRIX64 "ULL, ", layout->initial[i]);
    buffer_add_text(writer->out,
                    "0};\n"
                    "static int is_stuck(const uint64_t *state);\n"
                    "static void too_long(void) {\n"
                    "    fprintf(stderr, \"an evaluation takes too long\\n\");\n"
                    "    exit(2);\n"
                    "}\n"
                    "static void load(uint64_t *w, const uint64_t *state) {\n"
                    "    int i;\n"
                    "    for (i = 0; i < WORDS; i++) w[i] = i < STORED ? state[i] : INITIAL[i];\n"
                    "}\n");
}

/* Locations */

static const struct location *location_of(const struct edge_instance *instance, uint32_t index) {
    return &instance->process->template->locations[index];
}

static bool leaves_committed(const struct edge_instance *instance) {
    return location_of(instance, instance->source)->is_committed;
}

static void write_committed(struct writer *writer) {
    const struct network *network = writer->program->network;
    buffer_add_text(writer->out, "static int is_committed(const uint64_t *w) {\n");
    for (uint32_t p = 0; p < network->process_count; p++)
        for (uint32_t l = 0; l < network->processes[p].template->location_count; l++)
            if (network->processes[p].template->locations[l].is_committed)
                buffer_printf(writer->out,
                              "    if (get(w, %" PRIu32 ") == %" PRIu32 ") return 1;\n",
                              layout_location(writer->program->layout, p), l);
    buffer_add_text(writer->out, "    (void)w;\n    return 0;\n}\n");
}

static void write_invariants_of(struct writer *writer, uint32_t process, uint32_t *number,
                                struct buffer *calls) {
    const struct program *program = writer->program;
    uint32_t count = program->network->processes[process].template->location_count;
    for (uint32_t l = 0; l < count; l++) {
        const struct unit *unit = &program->invariants[process][l];
        if (unit_is_trivial(unit)) continue;
        write_unit(writer, unit, "invariant", *number);
        buffer_printf(calls,
                      "    if (get(w, %" PRIu32 ") == %" PRIu32 " && (r = invariant_%" PRIu32
                      "(w)) != 1) return r;\n",
                      layout_location(program->layout, process), l, *number);
        ++*number;
    }
}

/* All invariants of the state after a step. */
static void write_invariants(struct writer *writer) {
    const struct program *program = writer->program;
    struct buffer calls = {0};
    uint32_t number = 0;
    for (uint32_t i = 0; i < program->invariant_processes.count; i++)
        write_invariants_of(writer, program->invariant_processes.items[i], &number, &calls);
    buffer_add_text(writer->out, "static int check_invariants(uint64_t *w) {\n"
                                 "    int r = 1, i;\n"
                                 "    for (i = STORED; i < WORDS; i++) w[i] = INITIAL[i];\n");
    if (calls.size) buffer_add(writer->out, calls.data, calls.size);
    buffer_add_text(writer->out, "    return r;\n}\n");
    buffer_close(&calls);
}

/* Actions */

static void write_actions(struct writer *writer) {
    const struct program *program = writer->program;
    for (uint32_t i = 0; i < program->actions.count; i++)
        write_unit(writer, &program->actions.items[i].unit, "action", i);
    buffer_add_text(writer->out,
                    "static const struct { int (*run)(uint64_t *); int is_committed, rechecks; } "
                    "ACTIONS[] = {\n");
    for (uint32_t i = 0; i < program->actions.count; i++)
        buffer_printf(writer->out, "    {action_%" PRIu32 ", %d, %d},\n", i,
                      program->actions.items[i].is_committed, program->actions.items[i].rechecks);
    buffer_add_text(writer->out, "    {0, 0, 0}};\n"
                                 "static int try_action(const uint64_t *state, uint64_t *w, int n) "
                                 "{\n"
                                 "    load(w, state);\n"
                                 "    if (!ACTIONS[n].is_committed && is_committed(w)) return 0;\n"
                                 "    if (ACTIONS[n].run(w) != 1) return 0;\n"
                                 "    return !ACTIONS[n].rechecks || check_invariants(w) == 1;\n"
                                 "}\n");
    writer->choices = program->actions.count;
}

/* Loose instances: those that are put together in a state. A sender has a choice for each receiver
 * on a binary channel; on a broadcast channel for each way to choose one of the edges of every
 * process that can receive. */

static const char LOOSE[] =
    "static int accepts(const uint64_t *state, int i) {\n"
    "    uint64_t w[WORDS];\n"
    "    load(w, state);\n"
    "    return I[i].guard(w);\n"
    "}\n"
    "static int finish(const uint64_t *state, uint64_t *w, const int *parts, int count) {\n"
    "    int i, is_allowed = 0;\n"
    "    load(w, state);\n"
    "    for (i = 0; i < count; i++) is_allowed |= I[parts[i]].leaves_committed;\n"
    "    if (!is_allowed && is_committed(w)) return 0;\n"
    "    if (before_step(w) != 1) return 0;\n"
    "    for (i = 0; i < count; i++)\n"
    "        if (I[parts[i]].update(w) != 1) return 0;\n"
    "    if (after_step(w) != 1) return 0;\n"
    "    for (i = 0; i < count; i++) set(w, I[parts[i]].field, I[parts[i]].target);\n"
    "    return check_invariants(w) == 1;\n"
    "}\n"
    "static int try_pair(const uint64_t *state, uint64_t *w, int sender, int k) {\n"
    "    int parts[2], i;\n"
    "    parts[0] = sender;\n"
    "    for (i = 0; i < INSTANCES; i++) {\n"
    "        if (I[i].is_send || I[i].channel != I[sender].channel ||\n"
    "            I[i].process == I[sender].process || k--)\n"
    "            continue;\n"
    "        parts[1] = i;\n"
    "        return accepts(state, sender) == 1 && accepts(state, i) == 1 &&\n"
    "               finish(state, w, parts, 2);\n"
    "    }\n"
    "    return 0;\n"
    "}\n"
    "static int try_broadcast(const uint64_t *state, uint64_t *w, int sender, int k) {\n"
    "    int parts[PROCESSES + 1], count = 1, i, first, found, accepted;\n"
    "    static int enabled[INSTANCES + 1];\n"
    "    if (accepts(state, sender) != 1) return 0;\n"
    "    parts[0] = sender;\n"
    "    for (i = 0; i < INSTANCES; i = first) {\n"
    "        for (first = i, found = 0; first < INSTANCES && I[first].process == I[i].process; "
    "first++) {\n"
    "            if (I[first].is_send || I[first].channel != I[sender].channel ||\n"
    "                I[first].process == I[sender].process)\n"
    "                continue;\n"
    "            accepted = accepts(state, first);\n"
    "            if (accepted == 2) return 0; /* who takes part is not known */\n"
    "            if (accepted) enabled[found++] = first;\n"
    "        }\n"
    "        if (!found) continue;\n"
    "        parts[count++] = enabled[k % found];\n"
    "        k /= found;\n"
    "    }\n"
    "    return !k && finish(state, w, parts, count);\n"
    "}\n";

static void write_instance(struct writer *writer, uint32_t number,
                           const struct edge_instance *instance) {
    write_unit(writer, &instance->guard, "guard", number);
    write_unit(writer, &instance->update, "update", number);
}

static void write_row(struct writer *writer, uint32_t number,
                      const struct edge_instance *instance) {
    uint32_t process = instance->process->index;
    buffer_printf(writer->out,
                  "    {guard_%" PRIu32 ", update_%" PRIu32 ", %" PRIu32 ", %" PRIu32 ", %" PRIu32
                  ", %" PRIu32 ", %d, %d},\n",
                  number, number, process, layout_location(writer->program->layout, process),
                  instance->target, instance->channel, instance->is_send,
                  leaves_committed(instance));
}

/* Ways to choose the receivers of one process, at most. */
static uint64_t count_receivers(const struct writer *writer, const struct edge_instance *sender,
                                uint32_t process) {
    const struct program *program = writer->program;
    uint64_t best = 1;
    for (uint32_t l = 0; l < program->network->processes[process].template->location_count; l++) {
        uint64_t count = 0;
        for (uint32_t i = 0; i < program->instances.count; i++) {
            const struct edge_instance *instance = &program->instances.items[i];
            count += instance->is_loose && instance->process->index == process &&
                     instance->source == l && may_receive(instance, sender);
        }
        if (count > best) best = count;
    }
    return best;
}

/* Choices of a sender. */
static uint64_t count_ways(const struct writer *writer, const struct edge_instance *sender) {
    const struct program *program = writer->program;
    uint64_t ways = 1, pairs = 0;
    if (!program->channels[sender->channel]->is_broadcast) {
        for (uint32_t i = 0; i < program->instances.count; i++)
            pairs += program->instances.items[i].is_loose &&
                     may_receive(&program->instances.items[i], sender);
        return pairs;
    }
    for (uint32_t p = 0; p < program->network->process_count && ways <= EXPORT_MAX_CHOICES; p++)
        if (p != sender->process->index) ways *= count_receivers(writer, sender, p);
    return ways;
}

/* Senders among the instances that are written: numbers of the table, and their choices. */
static void write_senders(struct writer *writer) {
    const struct program *program = writer->program;
    uint32_t number = 0;
    buffer_add_text(writer->out, "static const struct { int instance, is_broadcast, first, ways; } "
                                 "SENDERS[] = {\n");
    for (uint32_t i = 0; i < program->instances.count; i++) {
        const struct edge_instance *instance = &program->instances.items[i];
        if (!instance->is_loose) continue;
        uint64_t ways = instance->is_send ? count_ways(writer, instance) : 0;
        if (ways + writer->choices > EXPORT_MAX_CHOICES) {
            refuse(writer, "its broadcasts can be received in too many ways");
            return;
        }
        if (ways)
            buffer_printf(writer->out, "    {%" PRIu32 ", %d, %" PRIu32 ", %" PRIu64 "},\n", number,
                          program->channels[instance->channel]->is_broadcast, writer->choices,
                          ways);
        writer->choices += (uint32_t)ways;
        number++;
    }
    buffer_printf(writer->out, "    {0, 0, %" PRIu32 ", 1}};\n", writer->choices);
}

static void write_hook(struct writer *writer, const char *name, bool is_there,
                       const struct unit *unit) {
    if (!is_there)
        buffer_printf(writer->out, "static int %s(uint64_t *w) { (void)w; return 1; }\n", name);
    else if (unit_is_writable(writer->program, unit))
        unit_write(writer->out, writer->program, unit, name);
    else
        refuse(writer, "before_update or after_update is evaluated without being compiled");
}

static void write_loose(struct writer *writer) {
    const struct program *program = writer->program;
    uint32_t count = 0;
    for (uint32_t i = 0; i < program->instances.count; i++) {
        const struct edge_instance *instance = &program->instances.items[i];
        if (!instance->is_loose) continue;
        if (instance->channel == ANY_CHANNEL) {
            refuse(writer, "it has a channel with an index that depends on the state");
            return;
        }
        write_instance(writer, count++, instance);
    }
    write_hook(writer, "before_step", program->has_before, &program->before);
    write_hook(writer, "after_step", program->has_after, &program->after);
    buffer_printf(writer->out, "enum { INSTANCES = %" PRIu32 ", PROCESSES = %" PRIu32 " };\n",
                  count, program->network->process_count);
    buffer_add_text(writer->out,
                    "static const struct { int (*guard)(uint64_t *), (*update)(uint64_t *); int "
                    "process, field; int64_t target; uint32_t channel; int is_send, "
                    "leaves_committed; } I[] = {\n");
    count = 0;
    for (uint32_t i = 0; i < program->instances.count; i++)
        if (program->instances.items[i].is_loose)
            write_row(writer, count++, &program->instances.items[i]);
    buffer_add_text(writer->out, "    {0, 0, 0, 0, 0, 0, 0, 0}};\n");
    buffer_add_text(writer->out, LOOSE);
    write_senders(writer);
}

/* The whole */

static void write_choices(struct writer *writer) {
    buffer_printf(writer->out, "enum { CHOICES = %" PRIu32 " };\n", writer->choices);
    buffer_printf(writer->out,
                  "static int try_step(const uint64_t *state, uint64_t *next, int choice) {\n"
                  "    int s = 0;\n"
                  "    if (choice < %" PRIu32 ") return try_action(state, next, choice);\n"
                  "    while (choice >= SENDERS[s].first + SENDERS[s].ways) s++;\n"
                  "    choice -= SENDERS[s].first;\n"
                  "    return (SENDERS[s].is_broadcast ? try_broadcast : try_pair)(\n"
                  "        state, next, SENDERS[s].instance, choice);\n"
                  "}\n"
                  "static int is_stuck(const uint64_t *state) {\n"
                  "    uint64_t next[WORDS];\n"
                  "    int i;\n"
                  "    for (i = 0; i < CHOICES; i++)\n"
                  "        if (try_step(state, next, i)) return 0;\n"
                  "    return 1;\n"
                  "}\n",
                  writer->program->actions.count);
}

bool export_program(struct buffer *out, const struct program *program, uint32_t *choices) {
    struct writer writer = {.out = out, .program = program};
    if (program->has_priorities) return refuse(&writer, "it has priorities");
    if (program->actions.count > EXPORT_MAX_CHOICES)
        return refuse(&writer, "it has too many different steps");
    buffer_add_text(out, "/* Fields of a state, and what can be done with them. */\n");
    write_sizes(&writer);
    unit_write_base(out, program);
    write_committed(&writer);
    write_invariants(&writer);
    write_actions(&writer);
    write_loose(&writer);
    write_choices(&writer);
    *choices = writer.choices;
    return !writer.is_refused;
}

/* Other programs would keep states apart that differ in a meta variable alone, and show runs that
 * Uppaal need not find. */
static bool has_persistent(const struct network *network) {
    if (!network->persistent.count) return false;
    const struct persistent *first = &network->persistent.items[0];
    diag_error(network->model->diag, STATUS_UNSUPPORTED,
               (first->reader ? first->reader->span : first->symbol->span).begin,
               "this model cannot be exported: the meta variable '%s' may be read before the step "
               "writes it, and Uppaal takes states that differ in it alone for one",
               first->symbol->name);
    return true;
}

struct program *export_prepare(struct arena *arena, const struct network *network) {
    if (has_persistent(network)) return NULL;
    struct guess *guesses = ARENA_ARRAY(arena, struct guess, network->slot_count + 1);
    enum search_limit met;
    for (uint32_t i = 0; i < network->slot_count; i++)
        guesses[i] = guess_declared(&network->slots[i]);
    return program_new(arena, layout_new(arena, network, guesses), (struct program_kind){0},
                       (struct program_limits){0}, &met, network->model->diag);
}
