/* Fields that units of code read and write. */
#include "explore/symbolic/footprint.h"

#include "explore/code/reads.h"

#include <assert.h>

/* Fields */

static void add_field(struct footprint *footprint, uint32_t index, unsigned marks) {
    assert(index < footprint->program->layout->field_count);
    const struct layout *layout = footprint->program->layout;
    const struct packed *field = &layout->fields[index];
    if (field->word < layout->stored_words && field->mask)
        footprint->marks[index] |= (unsigned char)marks;
}

/* All fields with bits in a part of a word. */
static void add_bits(struct footprint *footprint, uint32_t word, uint64_t bits, unsigned marks) {
    assert(word < footprint->program->layout->word_count);
    const struct layout *layout = footprint->program->layout;
    for (uint32_t i = layout->first_of[word]; i < layout->first_of[word + 1]; i++) {
        const struct packed *field = &layout->fields[layout->by_word[i]];
        if (field->mask << field->shift & bits) add_field(footprint, layout->by_word[i], marks);
    }
}

/* All fields that an index may mean. */
static void add_indexed(struct footprint *footprint, const struct instruction *at, unsigned marks) {
    struct indexed_fields some = indexed_fields(&footprint->program->code, at);
    for (uint32_t i = 0; i < some.count; i++)
        add_field(footprint, some.first + i * some.step, marks);
}

/* Code */

/* The first instruction after all jumps that do not end the unit: up to there all instructions run
 * on every way that leads to its end. */
static uint32_t end_of_straight(const struct code *code, const struct unit *unit) {
    for (uint32_t i = unit->entry; i < unit->end; i++) {
        const struct instruction *at = &code->instructions.items[i];
        if (!opcode_jumps(at->op)) continue;
        assert(at->a >= unit->entry && at->a < unit->end);
        if (code->instructions.items[at->a].op != OP_CODE_FAIL) return i;
    }
    return unit->end;
}

static void add_put(struct footprint *footprint, const struct put *put, unsigned marks) {
    add_bits(footprint, put->word, ~put->keep, marks);
}

/* The cells of a variable that lives in states; NULL for what does not. */
static const struct binding *find_binding(const struct network *network, const struct site *site,
                                          const struct symbol *symbol) {
    if (symbol->kind != SYMBOL_VARIABLE && symbol->kind != SYMBOL_PARAMETER) return NULL;
    if (symbol->scope == SCOPE_GLOBAL) return &network->globals[symbol->index];
    if (symbol->scope == SCOPE_TEMPLATE && site->process)
        return &site->process->locals[symbol->index];
    return NULL;
}

/* Adds the fields that an interpreted expression reads and writes. */
static void add_site(struct footprint *footprint, const struct site *site) {
    const struct network *network = footprint->program->network;
    struct effects effects = {0};
    effects_add_expr(&((struct network *)network)->effects, &effects, site->expr);
    for (uint32_t i = 0; i < effects.list.count; i++) {
        const struct effect *effect = &effects.list.items[i];
        const struct binding *binding = find_binding(network, site, effect->symbol);
        for (uint32_t k = 0; binding && binding->shape && k < binding->shape->cell_count; k++) {
            uint32_t slot = network->slot_of[binding->address + k];
            unsigned marks = effect->writes ? FOOTPRINT_READS | FOOTPRINT_WRITES : FOOTPRINT_READS;
            if (slot != NO_SLOT) add_field(footprint, slot, marks);
        }
    }
}

static void add_instruction(struct footprint *footprint, const struct instruction *at,
                            unsigned writes) {
    const struct code *code = &footprint->program->code;
    unsigned traits = opcode_traits(at->op);
    if (at->op == OP_CODE_EVAL) add_site(footprint, &code->sites.items[at->b]);
    if (traits & LOOKS_A) add_field(footprint, at->a, FOOTPRINT_READS);
    if (traits & LOOKS_B) add_field(footprint, (uint32_t)at->b, FOOTPRINT_READS);
    if (traits & LOOKS_AT) add_indexed(footprint, at, FOOTPRINT_READS);
    switch ((enum opcode)at->op) {
    case OP_CODE_SET:
    case OP_CODE_ADD_FIELD: add_field(footprint, at->a, writes); break;
    case OP_CODE_PUT: add_put(footprint, &code->puts.items[at->a], writes); break;
    case OP_CODE_SET_AT: add_indexed(footprint, at, FOOTPRINT_READS | FOOTPRINT_WRITES); break;
    default: break;
    }
}

/* Every instruction as if it ran, with any index. */
static void scan_unit(struct footprint *footprint, const struct unit *unit, bool is_sure) {
    const struct code *code = &footprint->program->code;
    assert(unit->first_test + unit->test_count <= code->tests.count);
    unsigned sure = is_sure ? FOOTPRINT_WRITES : FOOTPRINT_READS | FOOTPRINT_WRITES;
    for (uint32_t i = 0; i < unit->test_count; i++) {
        const struct test *test = &code->tests.items[unit->first_test + i];
        add_bits(footprint, test->word, test->mask, FOOTPRINT_READS);
    }
    for (uint32_t i = 0; i < unit->put_count; i++)
        add_put(footprint, &code->puts.items[unit->first_put + i], sure);
    if (unit->entry == NO_CODE) return;
    uint32_t straight = end_of_straight(code, unit);
    for (uint32_t i = unit->entry; i < unit->end; i++)
        add_instruction(footprint, &code->instructions.items[i],
                        i < straight ? sure : FOOTPRINT_READS | FOOTPRINT_WRITES);
}

/* is_sure: a step takes place only if the unit has run to its end. */
static void add_unit(struct footprint *footprint, const struct unit *unit, bool is_sure) {
    if (footprint->is_walking)
        walk_unit(footprint->walk, unit, is_sure);
    else
        scan_unit(footprint, unit, is_sure);
}

static void add_location(struct footprint *footprint, uint32_t process, unsigned marks) {
    add_field(footprint, layout_location(footprint->program->layout, process), marks);
}

/* Invariants of all processes are looked at after a step. Those that have nothing to do with the
 * step hold before and after it, and in the initial state: the others count as read as a whole. */

static void add_invariants_of(struct footprint *footprint, uint32_t process) {
    const struct program *program = footprint->program;
    const struct template *template = program->network->processes[process].template;
    add_location(footprint, process, FOOTPRINT_READS);
    for (uint32_t l = 0; l < template->location_count; l++)
        scan_unit(footprint, &program->invariants[process][l], true);
}

static bool is_touched(const struct footprint *footprint, const struct footprint *invariants) {
    for (uint32_t i = 0; i < footprint->program->layout->field_count; i++)
        if (footprint->marks[i] && invariants->marks[i]) return true;
    return false;
}

static void clear_marks(struct footprint *footprint) {
    memset(footprint->marks, 0, footprint->program->layout->field_count + 1);
}

static void add_invariants(struct footprint *footprint) {
    const struct program *program = footprint->program;
    if (footprint->is_walking) walk_mark_writes(footprint->walk);
    struct arena arena;
    struct footprint one;
    arena_init(&arena);
    footprint_init(&one, &arena, program);
    bool *is_added = ARENA_ARRAY(&arena, bool, program->invariant_processes.count + 1);
    for (bool has_changed = true; has_changed;) {
        has_changed = false;
        for (uint32_t i = 0; i < program->invariant_processes.count; i++) {
            if (is_added[i]) continue;
            clear_marks(&one);
            add_invariants_of(&one, program->invariant_processes.items[i]);
            if (!program->rechecks_always && !is_touched(footprint, &one)) continue;
            add_invariants_of(footprint, program->invariant_processes.items[i]);
            has_changed = is_added[i] = true;
        }
    }
    footprint_close(&one);
    arena_close(&arena);
}

/* Parts of steps */

static const struct location *location_at(const struct edge_instance *instance, uint32_t index) {
    return &instance->process->template->locations[index];
}

/* How many processes more are in committed locations afterwards. */
static int committed_change(const struct edge_instance *instance) {
    return location_at(instance, instance->target)->is_committed -
           location_at(instance, instance->source)->is_committed;
}

static void add_committed(struct footprint *footprint, unsigned marks) {
    if (footprint->program->has_committed)
        footprint->marks[committed_field(footprint->program->layout)] |= (unsigned char)marks;
}

static void add_action(struct footprint *footprint, const struct action *action) {
    const struct program *program = footprint->program;
    int change = committed_change(&program->instances.items[action->first]);
    if (action->second != NO_INSTANCE)
        change += committed_change(&program->instances.items[action->second]);
    add_unit(footprint, &action->unit, true);
    if (!action->is_committed) add_committed(footprint, FOOTPRINT_READS);
    if (change) add_committed(footprint, FOOTPRINT_READS | FOOTPRINT_WRITES);
    if (action->rechecks) add_invariants(footprint);
}

/* False if it never comes to its end. */
static bool add_guard_unit(struct footprint *footprint, const struct unit *unit) {
    if (footprint->is_walking) return walk_guard(footprint->walk, unit);
    scan_unit(footprint, unit, true);
    return true;
}

/* The channel if it is known, else ANY_CHANNEL; NO_SLOT if there is none, as the instance is never
 * enabled. */
static uint32_t add_guard(struct footprint *footprint, const struct edge_instance *instance) {
    uint32_t channel = instance->channel;
    bool is_enabled = add_guard_unit(footprint, &instance->guard);
    if (channel == ANY_CHANNEL) {
        is_enabled &= add_guard_unit(footprint, &instance->channel_code);
        if (footprint->is_walking && footprint->walk->result.is_known)
            channel = (uint32_t)footprint->walk->result.value;
    }
    return is_enabled ? channel : NO_SLOT;
}

static uint32_t add_participant(struct footprint *footprint, const struct edge_instance *instance,
                                bool is_sure) {
    uint32_t channel = add_guard(footprint, instance);
    add_unit(footprint, &instance->update, is_sure);
    add_location(footprint, instance->process->index, FOOTPRINT_READS | FOOTPRINT_WRITES);
    return channel;
}

/* Whether a sender and a receiver on these channels never meet. */
static bool never_meet(uint32_t sent, uint32_t received) {
    if (sent == NO_SLOT || received == NO_SLOT) return true;
    return sent != ANY_CHANNEL && received != ANY_CHANNEL && sent != received;
}

static void add_receivers(struct footprint *footprint, const struct edge_instance *sender) {
    const struct program *program = footprint->program;
    for (uint32_t i = 0; i < program->instances.count; i++) {
        const struct edge_instance *instance = &program->instances.items[i];
        if (instance->is_loose && may_receive(instance, sender))
            add_participant(footprint, instance, false);
    }
}

static void add_loose(struct footprint *footprint, const struct step_part *part) {
    const struct program *program = footprint->program;
    const struct edge_instance *sender = &program->instances.items[part->first];
    if (program->has_before) add_unit(footprint, &program->before, true);
    uint32_t sent = add_participant(footprint, sender, true);
    if (part->kind == PART_PAIR)
        footprint->is_idle = never_meet(
            sent, add_participant(footprint, &program->instances.items[part->second], true));
    else
        add_receivers(footprint, sender);
    if (program->has_after) add_unit(footprint, &program->after, true);
    add_committed(footprint, FOOTPRINT_READS | FOOTPRINT_WRITES);
    if (program->invariant_processes.count) add_invariants(footprint);
}

static void add_part(struct footprint *footprint, const struct step_part *part) {
    const struct program *program = footprint->program;
    switch (part->kind) {
    case PART_ACTION: add_action(footprint, &program->actions.items[part->first]); break;
    case PART_GUARD: add_guard(footprint, &program->instances.items[part->first]); break;
    case PART_PAIR:
    case PART_BROADCAST: add_loose(footprint, part); break;
    case PART_SENDER:
    case PART_RECEIVER: assert(false); break; /* footprint_stages */
    }
}

void footprint_of(struct footprint *footprint, const struct step_part *part,
                  const struct assumption *assumed, uint32_t count, bool may_split) {
    struct walk *walk = footprint->walk;
    clear_marks(footprint);
    walk_begin(walk, assumed, count, may_split);
    footprint->is_walking = true;
    footprint->is_idle = false;
    add_part(footprint, part);
    walk_mark_writes(walk);
    footprint->is_walking = false;
    footprint->split = may_split ? walk->split : FOOTPRINT_NO_FIELD;
    if (!walk->has_failed || footprint->split != FOOTPRINT_NO_FIELD) return;
    clear_marks(footprint);
    for (uint32_t i = 0; i < count; i++) add_field(footprint, assumed[i].field, FOOTPRINT_READS);
    add_part(footprint, part);
}

/* Stages */

static bool leaves_committed(const struct edge_instance *instance) {
    return location_at(instance, instance->source)->is_committed;
}

/* Whether a sender does what it does whoever receives, and the guards of receivers cannot fail. */
static bool has_stages(const struct program *program, const struct edge_instance *sender) {
    if (program->has_before || program->has_after || program->invariant_processes.count)
        return false;
    for (uint32_t i = 0; i < program->instances.count; i++) {
        const struct edge_instance *instance = &program->instances.items[i];
        if (!instance->is_loose || !may_receive(instance, sender)) continue;
        if (instance->channel != sender->channel || instance->guard.can_fault) return false;
        if (leaves_committed(instance) && !leaves_committed(sender)) return false;
    }
    return true;
}

/* Whether the guards of a process look at nothing that a stage before may have written. */
static bool add_guards_of(struct footprint *footprint, const struct channel *channel,
                          uint32_t process, const unsigned char *written) {
    const struct program *program = footprint->program;
    clear_marks(footprint);
    for (uint32_t i = 0; i < channel->receivers.count; i++) {
        const struct edge_instance *instance =
            &program->instances.items[channel->receivers.items[i]];
        if (instance->process->index == process) add_guard(footprint, instance);
    }
    for (uint32_t i = 0; i <= program->layout->field_count; i++)
        if (footprint->marks[i] && written[i]) return false;
    return true;
}

static void add_stage_committed(struct footprint *footprint, const struct edge_instance *instance) {
    if (committed_change(instance)) add_committed(footprint, FOOTPRINT_READS | FOOTPRINT_WRITES);
}

static void add_receiver(struct footprint *footprint, const struct channel *channel,
                         uint32_t process) {
    const struct program *program = footprint->program;
    for (uint32_t i = 0; i < channel->receivers.count; i++) {
        const struct edge_instance *instance =
            &program->instances.items[channel->receivers.items[i]];
        if (instance->process->index != process) continue;
        add_unit(footprint, &instance->update, false);
        add_location(footprint, process, FOOTPRINT_READS | FOOTPRINT_WRITES);
        add_stage_committed(footprint, instance);
    }
}

static void add_sender(struct footprint *footprint, const struct edge_instance *sender) {
    add_participant(footprint, sender, true);
    if (!leaves_committed(sender)) add_committed(footprint, FOOTPRINT_READS);
    add_stage_committed(footprint, sender);
}

/* Takes the marks of the current stage; written: marks of what it and the stages before it write.
 */
static void end_stage(struct footprint *footprint, struct arena *arena, struct stage *stage,
                      struct step_part part, unsigned char *written) {
    assert(footprint->is_walking);
    size_t count = footprint->program->layout->field_count + 1;
    walk_mark_writes(footprint->walk);
    walk_next_stage(footprint->walk);
    *stage = (struct stage){part, ARENA_ARRAY(arena, unsigned char, count)};
    memcpy(stage->marks, footprint->marks, count);
    for (size_t i = 0; i < count; i++) written[i] |= footprint->marks[i] & FOOTPRINT_WRITES;
}

uint32_t footprint_stages(struct footprint *footprint, struct arena *arena,
                          const struct step_part *part, const struct assumption *assumed,
                          uint32_t count, struct stage **stages) {
    const struct program *program = footprint->program;
    const struct edge_instance *instances = program->instances.items;
    const struct edge_instance *sender = &instances[part->first];
    assert(part->kind == PART_BROADCAST && sender->is_send);
    if (sender->channel == ANY_CHANNEL || !has_stages(program, sender)) return 0;
    const struct channel *channel = program->channels[sender->channel];
    unsigned char *written = ARENA_ARRAY(arena, unsigned char, program->layout->field_count + 1);
    uint32_t found = 0, process = NO_INSTANCE, last = NO_INSTANCE;
    *stages = ARENA_ARRAY(arena, struct stage, program->network->process_count + 1);
    clear_marks(footprint);
    walk_begin(footprint->walk, assumed, count, false);
    footprint->is_walking = true;
    add_sender(footprint, sender);
    end_stage(footprint, arena, &(*stages)[found++],
              (struct step_part){PART_SENDER, part->first, NO_INSTANCE}, written);
    for (uint32_t i = 0; i < channel->receivers.count; i++, last = process) {
        process = instances[channel->receivers.items[i]].process->index;
        if (process == sender->process->index || process == last) continue;
        assert(last == NO_INSTANCE || last < process);
        if (!add_guards_of(footprint, channel, process, written)) break;
        add_receiver(footprint, channel, process);
        end_stage(footprint, arena, &(*stages)[found++],
                  (struct step_part){PART_RECEIVER, part->first, process}, written);
    }
    footprint->is_walking = false;
    bool is_fine = last == process && !footprint->walk->has_failed;
    return is_fine && !footprint->walk->has_scratch && found > 1 ? found : 0;
}

/* Lifetime */

void footprint_init(struct footprint *footprint, struct arena *arena,
                    const struct program *program) {
    *footprint = (struct footprint){.program = program, .split = FOOTPRINT_NO_FIELD};
    footprint->walk = ARENA_NEW(arena, struct walk);
    footprint->marks = ARENA_ARRAY(arena, unsigned char, program->layout->field_count + 1);
    walk_init(footprint->walk, program, footprint->marks);
}

/* Sets made for parts stay in the arena. */
void footprint_close(struct footprint *footprint) { walk_close(footprint->walk); }
