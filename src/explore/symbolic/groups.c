/* Finds the parts of all steps and puts those with the same footprint together. */
#include "explore/symbolic/groups.h"

#include "base/clock.h"
#include "base/interrupt.h"
#include "base/str.h"

#include <assert.h>

enum {
    MAX_PARTS = 1 << 18,      /* beside the actions, each of which was compiled already */
    MAX_MARKS = 1 << 23,      /* fields of all groups */
    LOOK_PARTS = 64,          /* until the clock is looked at */
    MAX_LOOSE_WORK = 1 << 26, /* senders times instances */
    MAX_ASSUMED = 4,
    MAX_SPLIT = 64,       /* parts of one */
    MAX_TOLD = 1 << 8,    /* groups, until parts are not told apart any more */
    MAX_LOOSE_FIELDS = 40 /* of a step that is put together; more are not regular */
};

struct builder {
    struct groups *groups;
    struct arena *arena;
    const struct program *program;
    struct footprint footprint;
    struct map by_footprint; /* the last group with a hash */
    VEC(uint32_t) same_hash; /* by group: an older one, plus one, or 0 */
    uint32_t part_count, mark_count;
    double deadline;
    uint32_t whole_fields;
    const uint32_t *told; /* or NULL */
    uint32_t now[2];      /* of the current part */
    const char *problem;
};

/* Whether there is no more to do: it is too much, or too late. */
static bool is_over(const struct builder *builder) {
    return builder->problem || builder->groups->is_late;
}

static void look_at_limits(struct builder *builder) {
    builder->groups->is_late |=
        interrupt_is_asked() || (builder->deadline > 0 && clock_seconds() > builder->deadline);
}

static uint32_t count_fields(const struct builder *builder) {
    uint32_t count = 0;
    for (uint32_t i = 0; i <= builder->program->layout->field_count; i++)
        count += builder->footprint.marks[i] != 0;
    return count;
}

static bool has_footprint(const struct builder *builder, const struct step_group *group) {
    if (memcmp(group->told, builder->now, sizeof group->told) != 0) return false;
    if (group->field_count != count_fields(builder)) return false;
    for (uint32_t i = 0; i < group->field_count; i++)
        if (builder->footprint.marks[group->fields[i]] != group->marks[i]) return false;
    return true;
}

static struct step_group make_group(struct builder *builder) {
    uint32_t count = count_fields(builder);
    struct step_group group = {.told = {builder->now[0], builder->now[1]},
                               .fields = ARENA_ARRAY(builder->arena, uint32_t, count + 1),
                               .marks = ARENA_ARRAY(builder->arena, unsigned char, count + 1)};
    for (uint32_t i = 0; i <= builder->program->layout->field_count; i++) {
        if (!builder->footprint.marks[i]) continue;
        group.marks[group.field_count] = builder->footprint.marks[i];
        group.fields[group.field_count++] = i;
    }
    assert(group.field_count == count);
    builder->mark_count += count;
    if (builder->mark_count > MAX_MARKS) builder->problem = "its steps look at too many variables";
    return group;
}

static void add_group(struct builder *builder, struct step_group group, uint32_t same_hash) {
    VEC_PUSH(builder->arena, &builder->groups->items, group);
    VEC_PUSH(builder->arena, &builder->same_hash, same_hash);
    assert(builder->same_hash.count == builder->groups->items.count);
}

/* The group with the current footprint, a new one if there is none. */
static struct step_group *find_group(struct builder *builder) {
    const unsigned char *marks = builder->footprint.marks;
    uint64_t hash = hash_bytes((const char *)marks, builder->program->layout->field_count + 1);
    uint32_t newest = (uint32_t)(uintptr_t)map_get(&builder->by_footprint, hash);
    for (uint32_t at = newest; at; at = builder->same_hash.items[at - 1])
        if (has_footprint(builder, &builder->groups->items.items[at - 1]))
            return &builder->groups->items.items[at - 1];
    add_group(builder, make_group(builder), newest);
    map_put(&builder->by_footprint, hash, (void *)(uintptr_t)builder->groups->items.count);
    return &builder->groups->items.items[builder->groups->items.count - 1];
}

/* Puts a broadcast that looks at many fields by its stages, if it has some. */
static bool put_stages(struct builder *builder, const struct group_part *whole) {
    unsigned char *marks = builder->footprint.marks;
    size_t size = builder->program->layout->field_count + 1;
    struct stage *stages;
    if (count_fields(builder) <= builder->whole_fields) return false;
    struct step_group group = make_group(builder);
    unsigned char *all = ARENA_ARRAY(builder->arena, unsigned char, size);
    memcpy(all, marks, size);
    uint32_t count = footprint_stages(&builder->footprint, builder->arena, &whole->part,
                                      whole->assumed, whole->assumed_count, &stages);
    if (count) group.stages = ARENA_ARRAY(builder->arena, struct step_group, count);
    for (; group.stage_count < count; group.stage_count++) {
        struct group_part part = {.part = stages[group.stage_count].part};
        if (!group.stage_count)
            part = (struct group_part){part.part, whole->assumed, whole->assumed_count};
        builder->footprint.marks = stages[group.stage_count].marks;
        group.stages[group.stage_count] = make_group(builder);
        VEC_PUSH(builder->arena, &group.stages[group.stage_count].parts, part);
    }
    builder->footprint.marks = marks;
    memcpy(marks, all, size);
    if (count) add_group(builder, group, 0);
    return count;
}

/* Notes by what a part is told from others. */
static void tell(struct builder *builder, const struct step_part *part) {
    struct step_part told = part_by_instances(builder->program, *part);
    builder->now[0] = builder->now[1] = 0;
    if (!builder->told || builder->groups->items.count >= MAX_TOLD) return;
    builder->now[0] = builder->told[told.first];
    if (told.second != NO_INSTANCE) builder->now[1] = builder->told[told.second];
}

static void put_part(struct builder *builder, const struct step_part *part,
                     const struct assumption *assumed, uint32_t count) {
    struct group_part added = {*part, ARENA_ARRAY(builder->arena, struct assumption, count), count};
    memcpy((struct assumption *)added.assumed, assumed, count * sizeof *assumed);
    tell(builder, part);
    if (part->kind == PART_BROADCAST && put_stages(builder, &added)) return;
    if (part->kind != PART_ACTION && count_fields(builder) > MAX_LOOSE_FIELDS)
        builder->problem = "a step of many processes at once looks at too many variables";
    struct step_group *group = find_group(builder);
    VEC_PUSH(builder->arena, &group->parts, added);
}

/* A part that does something, or instead of it one for each value of a field on which it depends
 * where it looks. ways: so many of it there are in the end, at least. */
static void split_part(struct builder *builder, const struct step_part *part,
                       struct assumption *assumed, uint32_t count, uint64_t ways) {
    if (is_over(builder)) return;
    if (builder->part_count % LOOK_PARTS == 0) look_at_limits(builder);
    if (builder->part_count++ == MAX_PARTS + builder->program->actions.count) {
        builder->problem = "it has too many different steps";
        return;
    }
    footprint_of(&builder->footprint, part, assumed, count, count < MAX_ASSUMED);
    if (builder->footprint.is_idle) return;
    uint32_t field = builder->footprint.split;
    bool is_split = field != FOOTPRINT_NO_FIELD;
    assert(!is_split || count < MAX_ASSUMED); /* there is room for one more */
    const struct packed *packed = &builder->program->layout->fields[is_split ? field : 0];
    if (is_split && ways * (packed->mask + 1) > MAX_SPLIT) {
        footprint_of(&builder->footprint, part, assumed, count, false);
        is_split = false;
    }
    if (!is_split) put_part(builder, part, assumed, count);
    for (uint64_t i = 0; is_split && i <= packed->mask; i++) {
        assumed[count] = (struct assumption){field, (int32_t)(packed->lower + (int64_t)i)};
        split_part(builder, part, assumed, count + 1, ways * (packed->mask + 1));
    }
}

static void add_part(struct builder *builder, enum part_kind kind, uint32_t first,
                     uint32_t second) {
    struct step_part part = {kind, first, second};
    struct assumption assumed[MAX_ASSUMED];
    split_part(builder, &part, assumed, 0, 1);
}

/* Whether the channels that an expression may mean are broadcast channels, or others. */
struct channel_kinds {
    bool has_broadcast, has_binary;
};

static struct channel_kinds kinds_in(const struct expr *sync) {
    if (sync->kind == EXPR_COND) {
        struct channel_kinds one = kinds_in(sync->child[1]), other = kinds_in(sync->child[2]);
        return (struct channel_kinds){one.has_broadcast || other.has_broadcast,
                                      one.has_binary || other.has_binary};
    }
    const struct symbol *root = expr_root(sync);
    if (!root || !symbol_is_channel(root) || root->is_reference)
        return (struct channel_kinds){true, true};
    bool is_broadcast = type_prefixes(root->type) & PREFIX_BROADCAST;
    return (struct channel_kinds){is_broadcast, !is_broadcast};
}

static struct channel_kinds kinds_of(const struct program *program,
                                     const struct edge_instance *sender) {
    if (sender->channel == ANY_CHANNEL) return kinds_in(sender->edges[sender->sync]->sync);
    bool is_broadcast = program->channels[sender->channel]->is_broadcast;
    return (struct channel_kinds){is_broadcast, !is_broadcast};
}

/* All that a loose sender may do. */
static void add_sender(struct builder *builder, uint32_t index) {
    const struct program *program = builder->program;
    const struct edge_instance *sender = &program->instances.items[index];
    struct channel_kinds kinds = kinds_of(program, sender);
    assert(sender->sync < sender->edge_count && (kinds.has_broadcast || kinds.has_binary));
    if (kinds.has_broadcast) add_part(builder, PART_BROADCAST, index, NO_INSTANCE);
    for (uint32_t i = 0; i < program->instances.count && kinds.has_binary && !is_over(builder);
         i++) {
        const struct edge_instance *receiver = &program->instances.items[i];
        if (receiver->is_loose && may_receive(receiver, sender))
            add_part(builder, PART_PAIR, index, i);
    }
}

static void add_loose(struct builder *builder) {
    const struct program *program = builder->program;
    if ((uint64_t)program->loose.count * program->instances.count > MAX_LOOSE_WORK)
        builder->problem = "it has too many different steps";
    for (uint32_t i = 0; i < program->loose.count && !is_over(builder); i++) {
        uint32_t index = program->loose.items[i];
        const struct edge_instance *instance = &program->instances.items[index];
        if (instance->guard.can_fault || instance->channel == ANY_CHANNEL)
            add_part(builder, PART_GUARD, index, NO_INSTANCE);
        if (instance->is_send) add_sender(builder, index);
    }
}

const char *groups_init(struct groups *groups, struct arena *arena, const struct program *program,
                        double deadline, uint32_t whole_fields, const uint32_t *told) {
    struct builder builder = {.groups = groups,
                              .arena = arena,
                              .program = program,
                              .deadline = deadline,
                              .whole_fields = whole_fields,
                              .told = told};
    *groups = (struct groups){0};
    assert(!program->has_waiting); /* footprints are those of code */
    if (program->has_priorities) return "it has priorities";
    map_init(&builder.by_footprint, arena);
    footprint_init(&builder.footprint, arena, program);
    for (uint32_t i = 0; i < program->actions.count && !is_over(&builder); i++)
        add_part(&builder, PART_ACTION, i, NO_INSTANCE);
    add_loose(&builder);
    footprint_close(&builder.footprint);
    return builder.problem;
}

static bool is_met(const struct group_part *part, const struct layout *layout,
                   const uint64_t *state) {
    for (uint32_t i = 0; i < part->assumed_count; i++) {
        const struct assumption *assumed = &part->assumed[i];
        if (field_get(&layout->fields[assumed->field], state) != assumed->value) return false;
    }
    return true;
}

bool step_group_run(const struct step_group *group, struct expander *expander,
                    const uint64_t *state, bool is_committed) {
    assert(group->parts.count);
    expander_clear(expander);
    expander_begin(expander, state, is_committed);
    for (uint32_t i = 0; i < group->parts.count; i++) {
        const struct group_part *part = &group->parts.items[i];
        if (is_met(part, expander->program->layout, state) &&
            !expander_run_part(expander, &part->part))
            return false;
    }
    return true;
}
