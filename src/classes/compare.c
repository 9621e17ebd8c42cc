/* Subtrees of runs, walked in step: one value in place of another, all else alike. */
#include "classes/compare.h"

#include <assert.h>

/* A subtree: runs that have the first steps in common. */
struct subtree {
    uint32_t first, end; /* runs */
    uint32_t depth;
};

enum likeness { ALIKE, DIFFERENT, TOO_MUCH };

/* Borrows all; *work counts up to most_work over all comparisons together. */
void comparison_init(struct comparison *comparison, struct arena *arena,
                     const struct function_runs *runs, struct points *points, uint64_t *work,
                     uint64_t most_work) {
    *comparison =
        (struct comparison){.runs = runs, .points = points, .work = work, .most_work = most_work};
    assert(points == runs->points);
    comparison->bound = ARENA_ARRAY(arena, uint32_t, runs->enumerator.cell_count + 1);
}

static const struct run *run_of(const struct comparison *comparison, struct subtree tree) {
    return &comparison->runs->list.items[tree.first];
}

static bool is_leaf(const struct comparison *comparison, struct subtree tree) {
    return run_of(comparison, tree)->step_count == tree.depth;
}

static const struct step_choice *choice_at(const struct comparison *comparison, uint32_t run,
                                           uint32_t depth) {
    const struct run *own = &comparison->runs->list.items[run];
    assert(depth < own->step_count);
    return &comparison->runs->steps.items[own->first_step + depth];
}

/* The first run of a subtree whose next index is not smaller. */
static uint32_t find(const struct comparison *comparison, struct subtree tree, uint32_t index) {
    uint32_t low = tree.first, high = tree.end;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (choice_at(comparison, middle, tree.depth)->index < index)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static struct subtree child(const struct comparison *comparison, struct subtree tree,
                            uint32_t index) {
    struct subtree found = {find(comparison, tree, index), find(comparison, tree, index + 1),
                            tree.depth + 1};
    assert(found.first < found.end); /* all values were picked */
    return found;
}

static uint32_t child_count(const struct comparison *comparison, struct subtree tree) {
    assert(tree.first < tree.end && !is_leaf(comparison, tree));
    return choice_at(comparison, tree.end - 1, tree.depth)->index + 1;
}

/* A slot that only one of two runs writes may hold anything if its point is one class. */
static bool is_alike_in(const struct class_point *point, const struct slot_write *left,
                        const struct slot_write *right) {
    if (point->is_one) return true;
    return left && right && point_normal(point, left->value) == point_normal(point, right->value);
}

/* Indices of the values that a key may have had before a run: one that is known, or all. */
struct key_range {
    const struct value_set *values;
    uint64_t first, end;
};

static struct key_range key_before(const struct comparison *comparison, const struct point_key *key,
                                   const struct run *run) {
    const struct function_runs *runs = comparison->runs;
    uint32_t address = runs->network->slots[key->slot].address, index;
    uint32_t number = point_before(comparison->points, runs->function, key->slot);
    const struct value_set *values = points_at(comparison->points, key->slot, number)->values;
    uint32_t bound = comparison->bound[address];
    assert(bound <= value_set_size(values));
    if (run_reads(runs, run, address, &index))
        return (struct key_range){values, index, (uint64_t)index + 1};
    if (bound) return (struct key_range){values, bound - 1, bound};
    return (struct key_range){values, 0, value_set_size(values)};
}

/* In every point where the slot may be after both runs, which leave the same value of its key:
 * where that counts it is told apart. */
static bool is_alike_after(const struct comparison *comparison, uint32_t slot,
                           const struct run *run, const struct slot_write *left,
                           const struct slot_write *right) {
    const struct points *points = comparison->points;
    uint32_t number = point_after(points, comparison->runs->function, slot);
    const struct point_key *key = point_key(points, slot, number);
    if (!key) return is_alike_in(point_of(points, slot, number), left, right);
    const struct slot_write *write = run_write(comparison->runs, run, key->slot);
    if (write) {
        const struct class_point *point = point_while(points, slot, number, write->value);
        return point && is_alike_in(point, left, right);
    }
    struct key_range range = key_before(comparison, key, run);
    for (uint64_t i = range.first; i < range.end; i++) {
        const struct class_point *point =
            point_while(points, slot, number, value_set_at(range.values, i));
        if (point && !is_alike_in(point, left, right)) return false; /* else it is not kept */
    }
    return true;
}

static bool writes_are_alike(const struct comparison *comparison, const struct run *left,
                             const struct run *right) {
    const struct points *points = comparison->points;
    const struct slot_write *writes = comparison->runs->writes.items;
    uint32_t a = left->first_write, b = right->first_write;
    uint32_t a_end = a + left->write_count, b_end = b + right->write_count;
    while (a < a_end || b < b_end) {
        bool has_a = a < a_end && (b == b_end || writes[a].slot <= writes[b].slot);
        bool has_b = b < b_end && (a == a_end || writes[b].slot <= writes[a].slot);
        const struct slot_write *left_write = has_a ? &writes[a] : NULL;
        const struct slot_write *right_write = has_b ? &writes[b] : NULL;
        uint32_t slot = has_a ? left_write->slot : right_write->slot;
        uint32_t transit = transit_after(points, comparison->runs->function, slot);
        if (!is_alike_after(comparison, slot, left, left_write, right_write) ||
            (transit && !is_alike_in(point_of(points, slot, transit), left_write, right_write)))
            return false;
        a += has_a;
        b += has_b;
    }
    return true;
}

/* Whether two runs ask the same of clocks, and set them alike (T2). Where neither guard holds, what
 * was asked before makes no difference. */
static bool uses_are_alike(const struct comparison *comparison, const struct run *left,
                           const struct run *right) {
    const struct clock_use *uses = comparison->runs->uses.items;
    if (left->kind == OUTCOME_NONE && right->kind == OUTCOME_NONE) return true;
    if (left->use_count != right->use_count) return false;
    for (uint32_t i = 0; i < left->use_count; i++) {
        const struct clock_use *a = &uses[left->first_use + i], *b = &uses[right->first_use + i];
        if (a->comparison != b->comparison || a->clocks[0] != b->clocks[0] ||
            a->clocks[1] != b->clocks[1] || a->number != b->number)
            return false;
    }
    return true;
}

/* Where an update fails, the original does not come to with this value, unless it has runtime
 * errors: if that is relied on, the representative may do there what it likes (V14), unless its
 * step has priority over those that the original has in place of the one that fails. Whether the
 * step is enabled, and on which channel, is another matter: a step without receivers does not fail.
 */
static enum likeness compare_leaves(struct comparison *comparison, const struct run *other,
                                    const struct run *own) {
    bool is_broken = other->kind == OUTCOME_BROKEN && own->kind == OUTCOME_DONE &&
                     !comparison->is_strict && !comparison->runs->network->has_priorities;
    bool is_alike =
        other->result == own->result && uses_are_alike(comparison, other, own) &&
        (is_broken || (other->kind == own->kind && writes_are_alike(comparison, other, own)));
    if (is_alike && is_broken && !comparison->failing) comparison->failing = other->failing;
    return is_alike ? ALIKE : DIFFERENT;
}

static enum likeness compare(struct comparison *comparison, struct subtree other,
                             struct subtree own);

/* Picks a value for the next step of one of the two, for both. */
static enum likeness compare_children(struct comparison *comparison, struct subtree other,
                                      struct subtree own, bool is_other) {
    struct subtree tree = is_other ? other : own;
    uint32_t address = choice_at(comparison, tree.first, tree.depth)->address;
    assert(address < comparison->runs->enumerator.cell_count);
    uint32_t *bound = &comparison->bound[address];
    uint32_t known = *bound, count = child_count(comparison, tree);
    enum likeness likeness = ALIKE;
    for (uint32_t i = known ? known - 1 : 0; i < (known ? known : count) && likeness == ALIKE;
         i++) {
        struct subtree next = child(comparison, tree, i);
        *bound = i + 1;
        likeness = is_other ? compare(comparison, next, own) : compare(comparison, other, next);
    }
    *bound = known;
    return likeness;
}

/* Other: after some value of a point; own: after its representative. */
static enum likeness compare(struct comparison *comparison, struct subtree other,
                             struct subtree own) {
    if (++*comparison->work > comparison->most_work) return TOO_MUCH;
    if (!is_leaf(comparison, other)) return compare_children(comparison, other, own, true);
    if (!is_leaf(comparison, own)) return compare_children(comparison, other, own, false);
    assert(other.end - other.first == 1 && own.end - own.first == 1); /* one run a leaf */
    return compare_leaves(comparison, run_of(comparison, other), run_of(comparison, own));
}

/* Compares two values as a whole; if they are not alike, nothing is relied upon. */
static enum likeness compare_values(struct comparison *comparison, struct subtree other,
                                    struct subtree own) {
    const struct expr *failing = comparison->failing;
    enum likeness likeness = compare(comparison, other, own);
    if (likeness != ALIKE) comparison->failing = failing;
    return likeness;
}

/* The value that is to stand for one that is unlike the one that did: another such before it, if
 * they are alike, else itself. */
static enum likeness find_class(struct comparison *comparison, struct subtree tree,
                                const struct class_point *point, const uint32_t *stands_for,
                                uint32_t index, uint32_t *found) {
    uint32_t old = point_stands_for(point, index);
    assert(old != index);
    *found = index;
    for (uint32_t k = 0; k < index; k++) {
        if (stands_for[k] != k || k == old || point_stands_for(point, k) != old) continue;
        enum likeness likeness =
            compare_values(comparison, child(comparison, tree, index), child(comparison, tree, k));
        if (likeness == ALIKE) *found = k;
        if (likeness != DIFFERENT) return likeness;
    }
    return DIFFERENT;
}

/* Compares what follows each value of the point with what follows the one that stands for it, and
 * finds what is to stand for it, if that is asked for. */
static enum likeness compare_classes(struct comparison *comparison, struct subtree tree,
                                     const struct class_point *point, uint32_t *stands_for) {
    uint32_t count = child_count(comparison, tree);
    enum likeness all = ALIKE;
    assert(count == value_set_size(point->values));
    for (uint32_t i = 0; i < count; i++) {
        uint32_t own = point_stands_for(point, i);
        assert(own < count && point_stands_for(point, own) == own);
        if (stands_for) stands_for[i] = own;
        if (i == own) continue;
        enum likeness likeness =
            compare_values(comparison, child(comparison, tree, i), child(comparison, tree, own));
        if (likeness == DIFFERENT) {
            all = DIFFERENT;
            if (!stands_for) return all;
            likeness = find_class(comparison, tree, point, stands_for, i, &stands_for[i]);
        }
        if (likeness == TOO_MUCH) return TOO_MUCH;
    }
    return all;
}

/* Splits the classes of the point by what follows. False past the work. */
static bool check_point(struct comparison *comparison, struct subtree tree,
                        struct class_point *point) {
    assert(point_is_merged(point));
    uint32_t stands_for[MOST_PARTED];
    bool has_parts = comparison->points->has_parts && value_set_size(point->values) <= MOST_PARTED;
    enum likeness likeness =
        compare_classes(comparison, tree, point, has_parts ? stands_for : NULL);
    if (likeness == DIFFERENT && has_parts) point_split(comparison->points, point, stands_for);
    if (likeness == DIFFERENT && !has_parts) point_tell_apart(comparison->points, point);
    return likeness != TOO_MUCH;
}

/* The point of a slot, after the steps that lead to the subtree. */
static uint32_t point_in(const struct comparison *comparison, struct subtree tree, uint32_t slot) {
    const struct function_runs *runs = comparison->runs;
    const struct process *owner = points_owner(comparison->points, slot);
    const struct value_set *locations = tracker_locations(comparison->points, runs->function, slot);
    if (!locations && (!owner || runs->function->kind != FUNCTION_OBSERVATION))
        return point_before(comparison->points, runs->function, slot);
    for (uint32_t depth = 0; depth < tree.depth; depth++) {
        const struct step_choice *step = choice_at(comparison, tree.first, depth);
        if (step->address == function_runs_location(runs, owner->index))
            return locations ? (uint32_t)value_set_at(locations, step->index) : step->index;
    }
    return locations ? (uint32_t)value_set_at(locations, 0) : 0; /* there is no other */
}

/* The index that was picked on the way to the subtree, plus 1; 0 = none. */
static uint32_t picked_before(const struct comparison *comparison, struct subtree tree,
                              uint32_t address) {
    for (uint32_t depth = 0; depth < tree.depth; depth++) {
        const struct step_choice *step = choice_at(comparison, tree.first, depth);
        if (step->address == address) return step->index + 1;
    }
    return 0;
}

/* Checks each point of a keyed slot, by the values that its key can have. */
static bool check_keyed(struct comparison *comparison, struct subtree tree, uint32_t slot,
                        uint32_t number, const struct point_key *key) {
    const struct points *points = comparison->points;
    uint32_t address = points->network->slots[key->slot].address;
    const struct value_set *values = points_at(points, key->slot, number)->values;
    assert(!comparison->bound[address] && key->slot != slot);
    uint32_t picked = picked_before(comparison, tree, address);
    uint32_t count = (uint32_t)value_set_size(values);
    bool ok = true;
    for (uint32_t i = picked ? picked - 1 : 0; i < (picked ? picked : count) && ok; i++) {
        struct class_point *point = point_while(points, slot, number, value_set_at(values, i));
        assert(point); /* keys have all their values */
        comparison->bound[address] = i + 1;
        ok = !point_is_merged(point) || check_point(comparison, tree, point);
    }
    comparison->bound[address] = 0;
    return ok;
}

/* Splits the classes of what the subtree picks next. False past the work. */
static bool check_step(struct comparison *comparison, struct subtree tree) {
    const struct function_runs *runs = comparison->runs;
    uint32_t address = choice_at(comparison, tree.first, tree.depth)->address;
    uint32_t slot = address < runs->network->cell_count ? runs->network->slot_of[address] : NO_SLOT;
    if (slot == NO_SLOT) return true;
    uint32_t number = point_in(comparison, tree, slot);
    const struct point_key *key = point_key(comparison->points, slot, number);
    if (key) return check_keyed(comparison, tree, slot, number, key);
    struct class_point *point = point_of(comparison->points, slot, number);
    return !point_is_merged(point) || check_point(comparison, tree, point);
}

/* False past the work. */
static bool check_tree(struct comparison *comparison, struct subtree tree) {
    if (is_leaf(comparison, tree)) return true;
    if (!check_step(comparison, tree)) return false;
    uint32_t count = child_count(comparison, tree);
    for (uint32_t i = 0; i < count; i++)
        if (!check_tree(comparison, child(comparison, tree, i))) return false;
    return true;
}

bool comparison_run(struct comparison *comparison) {
    uint32_t count = comparison->runs->list.count;
    comparison->failing = NULL;
    return !count || check_tree(comparison, (struct subtree){0, count, 0});
}

bool function_runs_always_write(const struct function_runs *runs, uint32_t slot) {
    for (uint32_t i = 0; i < runs->list.count; i++) {
        const struct run *run = &runs->list.items[i];
        if (run->kind == OUTCOME_DONE && !run_write(runs, run, slot)) return false;
    }
    return true;
}
