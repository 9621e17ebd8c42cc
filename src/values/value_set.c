#include "values/value_set.h"

#include "base/debug.h"

#include <assert.h>
#include <string.h>

enum { MAX_WIDENINGS = 3 };

/* That a set is as value_set.h says. */
static void value_set_check(const struct value_set *set) {
    assert(!set->is_interval || !set->count);
    assert(set->count <= set->capacity || set->is_interval);
    for (uint32_t i = 0; i < set->count; i++) {
        assert(!i || set->values[i - 1] < set->values[i]);
        assert(set->values[i] >= set->lower && set->values[i] <= set->upper);
    }
}

/* No memory of its own, as an interval has none. */
struct value_set value_set_empty(void) {
    return (struct value_set){.lower = 0, .upper = -1};
}

/* lower <= upper; an interval, however small it is. */
struct value_set value_set_range(int32_t lower, int32_t upper) {
    assert(lower <= upper);
    return (struct value_set){.lower = lower, .upper = upper, .is_interval = true};
}

/* Nothing is possible: the place is not reached. */
bool value_set_is_empty(const struct value_set *set) { return set->lower > set->upper; }

/* Index of the first listed value that is not smaller. */
static uint32_t find(const struct value_set *set, int32_t value) {
    uint32_t low = 0, high = set->count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (set->values[middle] < value)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* By bisection where values are listed. */
bool value_set_has(const struct value_set *set, int32_t value) {
    if (value < set->lower || value > set->upper) return false;
    if (set->is_interval) return true;
    uint32_t at = find(set, value);
    return at < set->count && set->values[at] == value;
}

/* From 0 to 2^32. */
uint64_t value_set_size(const struct value_set *set) {
    if (value_set_is_empty(set)) return 0;
    return set->is_interval ? (uint64_t)((int64_t)set->upper - set->lower + 1) : set->count;
}

/* In ascending order; the index is below the size. */
int32_t value_set_at(const struct value_set *set, uint64_t index) {
    assert(index < value_set_size(set));
    return set->is_interval ? (int32_t)(set->lower + (int64_t)index) : set->values[index];
}

/* Whether two sets have the same values, be they listed or an interval. */
bool value_set_equal(const struct value_set *left, const struct value_set *right) {
    uint64_t size = value_set_size(left);
    if (size != value_set_size(right)) return false;
    if (!size) return true;
    if (left->lower != right->lower || left->upper != right->upper) return false;
    if (left->is_interval || right->is_interval) return true; /* same size, same ends */
    return !memcmp(left->values, right->values, size * sizeof *left->values);
}

bool value_set_covers(const struct value_set *outer, const struct value_set *inner) {
    if (value_set_is_empty(inner)) return true;
    if (value_set_is_empty(outer) || inner->lower < outer->lower || inner->upper > outer->upper)
        return false;
    if (outer->is_interval) return true;
    uint64_t size = value_set_size(inner);
    if (size > outer->count) return false;
    if (inner->is_interval) /* listed without a gap? */
        return value_set_has(outer, inner->lower) && value_set_has(outer, inner->upper) &&
               find(outer, inner->upper) - find(outer, inner->lower) + 1 == size;
    for (uint32_t i = 0, at = 0; i < inner->count; i++, at++) { /* both ascend */
        while (outer->values[at] < inner->values[i]) at++;      /* the last is not smaller */
        if (outer->values[at] != inner->values[i]) return false;
    }
    return true;
}

/* Rule A5: the next threshold that is not smaller, or the greatest value of all. */
static int32_t threshold_above(const struct bounds *bounds, int32_t value) {
    const struct thresholds *of = bounds->thresholds;
    for (uint32_t i = 0; of && i < of->count && of->values[i] < bounds->upper; i++)
        if (of->values[i] >= value) return of->values[i];
    return bounds->upper;
}

static int32_t threshold_below(const struct bounds *bounds, int32_t value) {
    const struct thresholds *of = bounds->thresholds;
    for (uint32_t i = of ? of->count : 0; i-- > 0 && of->values[i] > bounds->lower;)
        if (of->values[i] <= value) return of->values[i];
    return bounds->lower;
}

/* The interval around what the set holds and [lower, upper]; in the end, ends that move are
 * widened. */
static void stretch(struct value_set *set, int32_t lower, int32_t upper,
                    const struct bounds *bounds) {
    assert(lower <= upper);
    if (value_set_is_empty(set)) set->lower = lower, set->upper = upper;
    bool is_widened = set->widenings == MAX_WIDENINGS;
    if (!is_widened) set->widenings++;
    if (lower < set->lower) {
        set->lower = lower;
        int32_t below = is_widened ? threshold_below(bounds, lower) : lower;
        if (below < lower) set->lower = below;
    }
    if (upper > set->upper) {
        set->upper = upper;
        int32_t above = is_widened ? threshold_above(bounds, upper) : upper;
        if (above > upper) set->upper = above;
    }
    set->is_interval = true;
    set->values = NULL;
    set->count = set->capacity = 0;
}

bool value_set_add(struct arena *arena, struct value_set *set, int32_t value,
                   const struct bounds *bounds) {
    bool is_inside = value >= set->lower && value <= set->upper;
    if (is_inside && set->is_interval) return false;
    uint32_t at = find(set, value);
    if (at < set->count && set->values[at] == value) return false;
    if (set->is_interval || set->count >= bounds->limit) {
        stretch(set, value, value, bounds);
        return true;
    }
    if (set->count == set->capacity) {
        uint32_t capacity = set->capacity ? set->capacity * 2 : 4;
        int32_t *values = ARENA_ARRAY(arena, int32_t, capacity);
        if (set->count) memcpy(values, set->values, set->count * sizeof *values);
        set->values = values;
        set->capacity = capacity;
    }
    memmove(set->values + at + 1, set->values + at, (set->count - at) * sizeof *set->values);
    set->values[at] = value;
    set->count++;
    set->lower = set->values[0];
    set->upper = set->values[set->count - 1];
    DEBUG_CHECK(value_set_check(set));
    return true;
}

/* How many values two sets have together, the first of which is a list. */
static uint64_t count_both(const struct value_set *set, const struct value_set *other) {
    uint32_t common = 0;
    if (other->is_interval) {
        common =
            find(set, other->upper) - find(set, other->lower) + value_set_has(set, other->upper);
    } else {
        for (uint32_t i = 0, k = 0; i < set->count && k < other->count;) {
            int32_t left = set->values[i], right = other->values[k];
            common += left == right;
            i += left <= right;
            k += right <= left;
        }
    }
    return set->count + value_set_size(other) - common;
}

/* Puts all values of another set into a list. */
static void merge(struct arena *arena, struct value_set *set, const struct value_set *other,
                  uint32_t count) {
    uint32_t left = set->count;
    if (count > set->capacity) {
        uint32_t capacity = set->capacity ? set->capacity : 4;
        while (capacity < count) capacity *= 2;
        int32_t *values = ARENA_ARRAY(arena, int32_t, capacity);
        if (left) memcpy(values, set->values, left * sizeof *values);
        set->values = values;
        set->capacity = capacity;
    }
    uint32_t right = (uint32_t)value_set_size(other);
    for (uint32_t at = count; right; at--) { /* from the end, so that nothing is overwritten */
        int32_t value =
            other->is_interval ? other->lower + (int32_t)(right - 1) : other->values[right - 1];
        if (left && set->values[left - 1] >= value) {
            right -= set->values[left - 1] == value;
            value = set->values[--left];
        } else {
            right--;
        }
        set->values[at - 1] = value;
    }
    set->count = count;
    set->lower = set->values[0];
    set->upper = set->values[count - 1];
}

/* The sets must be two. Past the limit of the bounds the hull is taken (over). */
bool value_set_join(struct arena *arena, struct value_set *set, const struct value_set *other,
                    const struct bounds *bounds) {
    assert(set != other);
    if (value_set_is_empty(other)) return false;
    if (other->is_interval) {
        uint64_t size = value_set_size(other);
        if (size > bounds->limit || set->is_interval) {
            bool is_inside = !value_set_is_empty(set) && set->is_interval &&
                             other->lower >= set->lower && other->upper <= set->upper;
            if (!is_inside) stretch(set, other->lower, other->upper, bounds);
            return !is_inside;
        }
    }
    bool grew = false;
    if (value_set_covers(set, other)) return false; /* as it mostly is: that is cheap to see */
    uint64_t size = value_set_size(other);
    uint64_t both = set->is_interval ? UINT64_MAX : count_both(set, other);
    if (both <= bounds->limit) {
        merge(arena, set, other, (uint32_t)both);
        DEBUG_CHECK(value_set_check(set));
        return true;
    }
    for (uint64_t i = 0; i < size; i++)
        grew |= value_set_add(arena, set, value_set_at(other, i), bounds);
    return grew;
}
