/* Decision diagrams against sets of vectors as arrays of bools, on random sets and relations. */
#include "base/clock.h"
#include "explore/symbolic/diagram/close.h"
#include "explore/symbolic/diagram/count.h"

#include <check.h>
#include <stdlib.h>

Suite *ldd_suite(void);

#ifdef VARABS_CHECKS /* which look at all nodes again and again */
enum { ROUNDS = 80 };
#else
enum { ROUNDS = 400 };
#endif
enum { LEVELS = 4, VALUES = 3, VECTORS = 81, TUPLES = 6, EVENTS = 5 };

static struct ldd ldd;
static struct marks marks;
static struct arena arena;
static uint32_t seed;

static uint32_t roll(uint32_t below) {
    seed = seed * 1664525u + 1013904223u;
    return (seed >> 8) % below;
}

static void start(void) {
    arena_init(&arena);
    marks_init(&marks, &arena);
    ldd_init(&ldd, (struct ldd_limits){0});
}

static void stop(void) {
    ldd_close(&ldd);
    arena_close(&arena);
}

/* Naive sets */

struct naive {
    bool has[VECTORS];
};

static void digits_of(uint32_t index, uint32_t *values) {
    for (uint32_t i = LEVELS; i-- > 0; index /= VALUES) values[i] = index % VALUES;
}

static uint32_t index_of(const uint32_t *values) {
    uint32_t index = 0;
    for (uint32_t i = 0; i < LEVELS; i++) index = index * VALUES + values[i];
    return index;
}

static struct naive random_naive(void) {
    struct naive naive;
    uint32_t density = 1 + roll(9);
    for (uint32_t i = 0; i < VECTORS; i++) naive.has[i] = roll(10) < density;
    return naive;
}

/* In another order each time, so that lists are not put together from the left. */
static uint32_t set_from(const struct naive *naive) {
    uint32_t set = LDD_NONE, values[LEVELS], step = (uint32_t[]){1, 2, 5, 7, 80}[roll(5)];
    for (uint32_t i = 0, at = roll(VECTORS); i < VECTORS; i++, at = (at + step) % VECTORS) {
        digits_of(at, values);
        if (naive->has[at]) set = set_union(&ldd, set, set_of(&ldd, values, LEVELS));
    }
    return set;
}

static void check_list(uint32_t set, uint32_t depth) {
    ck_assert(depth < LEVELS || set <= LDD_UNIT);
    for (; set > LDD_UNIT; set = ldd.nodes[set].right) {
        ck_assert(ldd.nodes[set].down != LDD_NONE);
        ck_assert(!ldd.nodes[set].right ||
                  ldd.nodes[set].value < ldd.nodes[ldd.nodes[set].right].value);
        check_list(ldd.nodes[set].down, depth + 1);
    }
}

/* The same vectors, and so the same node as the set made of them. */
static void check_same(uint32_t set, const struct naive *naive) {
    uint32_t values[LEVELS];
    check_list(set, 0);
    for (uint32_t i = 0; i < VECTORS; i++) {
        digits_of(i, values);
        ck_assert_int_eq(set_has(&ldd, set, values, LEVELS), naive->has[i]);
    }
    ck_assert_uint_eq(set, set_from(naive));
}

START_TEST(sets_are_what_arrays_are) {
    start();
    for (seed = 1; seed < ROUNDS; seed++) {
        struct naive a = random_naive(), b = random_naive(), both, without, common;
        uint32_t x = set_from(&a), y = set_from(&b);
        for (uint32_t i = 0; i < VECTORS; i++) {
            both.has[i] = a.has[i] || b.has[i];
            without.has[i] = a.has[i] && !b.has[i];
            common.has[i] = a.has[i] && b.has[i];
        }
        check_same(x, &a);
        check_same(set_union(&ldd, x, y), &both);
        check_same(set_minus(&ldd, x, y), &without);
        check_same(set_intersect(&ldd, x, y), &common);
    }
    stop();
}
END_TEST

/* In any order, some of them twice; what waited is gone afterwards. */
START_TEST(rows_become_a_set_at_once) {
    struct set_rows rows = {.length = LEVELS};
    start();
    for (seed = 1; seed < ROUNDS; seed++) {
        struct naive a = random_naive();
        for (uint32_t i = 0, at = roll(VECTORS); i < VECTORS + 20; i++, at = (at + 5) % VECTORS)
            if (a.has[at]) digits_of(at, set_rows_add(&rows));
        check_same(set_of_rows(&ldd, &rows), &a);
        ck_assert_uint_eq(set_of_rows(&ldd, &rows), LDD_NONE);
    }
    set_rows_close(&rows);
    stop();
}
END_TEST

/* Marks */

static uint32_t random_chain(unsigned char *kinds) {
    for (uint32_t i = 0; i < LEVELS; i++) kinds[i] = (unsigned char)roll(4);
    return marks_chain(&marks, kinds, 0, LEVELS);
}

static uint32_t short_of(const unsigned char *kinds, const uint32_t *values, uint32_t *shorter) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < LEVELS; i++)
        if (mark_reads(kinds[i])) shorter[count++] = values[i];
    return count;
}

START_TEST(short_vectors_are_projected_and_matched) {
    start();
    for (seed = 1; seed < ROUNDS; seed++) {
        unsigned char kinds[LEVELS];
        uint32_t chain = random_chain(kinds), values[LEVELS], shorter[LEVELS], count = 0;
        struct naive a = random_naive(), b = random_naive(), in = {{0}}, out = {{0}};
        uint32_t x = set_from(&a), expected = LDD_NONE;
        uint32_t of_short = set_project(&ldd, &marks, set_from(&b), chain);
        for (uint32_t i = 0; i < VECTORS; i++) {
            digits_of(i, values);
            count = short_of(kinds, values, shorter);
            if (b.has[i]) expected = set_union(&ldd, expected, set_of(&ldd, shorter, count));
        }
        ck_assert_uint_eq(of_short, expected);
        for (uint32_t i = 0; i < VECTORS; i++) {
            digits_of(i, values);
            bool is_in = set_has(&ldd, of_short, shorter, short_of(kinds, values, shorter));
            in.has[i] = a.has[i] && is_in;
            out.has[i] = a.has[i] && !is_in;
        }
        check_same(set_match(&ldd, &marks, x, of_short, chain), &in);
        check_same(set_unmatch(&ldd, &marks, x, of_short, chain), &out);
    }
    stop();
}
END_TEST

/* Relations: tuples of what is read and written */

struct relation {
    unsigned char kinds[LEVELS];
    uint32_t before[TUPLES][LEVELS], after[TUPLES][LEVELS];
};

static struct relation random_relation(void) {
    struct relation relation;
    for (uint32_t i = 0; i < LEVELS; i++) relation.kinds[i] = (unsigned char)roll(4);
    for (uint32_t t = 0; t < TUPLES; t++)
        for (uint32_t i = 0; i < LEVELS; i++) {
            relation.before[t][i] = roll(VALUES);
            relation.after[t][i] = roll(VALUES);
        }
    return relation;
}

static uint32_t tuple_of(const struct relation *relation, uint32_t t) {
    uint32_t values[2 * LEVELS], count = 0;
    for (uint32_t i = 0; i < LEVELS; i++) {
        if (mark_reads(relation->kinds[i])) values[count++] = relation->before[t][i];
        if (mark_writes(relation->kinds[i])) values[count++] = relation->after[t][i];
    }
    return set_of(&ldd, values, count);
}

/* Where a tuple leads from a vector; false if it does not. */
static bool apply(const struct relation *relation, uint32_t t, const uint32_t *from, uint32_t *to) {
    for (uint32_t i = 0; i < LEVELS; i++) {
        if (mark_reads(relation->kinds[i]) && relation->before[t][i] != from[i]) return false;
        to[i] = mark_writes(relation->kinds[i]) ? relation->after[t][i] : from[i];
    }
    return true;
}

static bool leads(const struct relation *relation, uint32_t from, uint32_t to) {
    uint32_t values[LEVELS], after[LEVELS];
    digits_of(from, values);
    for (uint32_t t = 0; t < TUPLES; t++)
        if (apply(relation, t, values, after) && index_of(after) == to) return true;
    return false;
}

START_TEST(images_and_predecessors_follow_tuples) {
    start();
    for (seed = 1; seed < ROUNDS; seed++) {
        struct relation relation = random_relation();
        uint32_t chain = marks_chain(&marks, relation.kinds, 0, LEVELS), set = LDD_NONE;
        uint32_t target = roll(VECTORS), values[LEVELS];
        struct naive a = random_naive(), b = random_naive();
        struct naive image = {{0}}, before = {{0}}, preimage = {{0}}, both = b;
        for (uint32_t t = 0; t < TUPLES; t++) set = set_union(&ldd, set, tuple_of(&relation, t));
        for (uint32_t i = 0; i < VECTORS; i++) {
            for (uint32_t k = 0; k < VECTORS; k++) {
                image.has[k] |= a.has[i] && leads(&relation, i, k);
                both.has[k] |= image.has[k];
                preimage.has[i] |= a.has[i] && b.has[k] && leads(&relation, i, k);
            }
            before.has[i] = a.has[i] && leads(&relation, i, target);
        }
        check_same(set_image(&ldd, &marks, set_from(&a), set, chain), &image);
        check_same(set_image_onto(&ldd, &marks, set_from(&a), set, chain, set_from(&b)), &both);
        check_same(set_preimage(&ldd, &marks, set_from(&a), set_from(&b), set, chain), &preimage);
        digits_of(target, values);
        check_same(set_before(&ldd, &marks, set_from(&a), set, chain, values, LEVELS,
                              seed % SETS_MAX_CHAINS),
                   &before);
    }
    stop();
}
END_TEST

/* Closing */

static struct relation relations[EVENTS];
static uint32_t seed_of_round;

/* What a relation does with a short vector. */
static void settle(void *context, struct event *event) { (void)context, (void)event; }

static bool learn(void *context, struct event *event, const uint32_t *vector) {
    const struct relation *relation = &relations[event->index];
    uint32_t shorter[LEVELS];
    (void)context;
    for (uint32_t t = 0; t < TUPLES; t++) {
        uint32_t count = short_of(relation->kinds, relation->before[t], shorter);
        ck_assert_uint_eq(count, event->read_count);
        if (memcmp(shorter, vector, count * sizeof *vector) != 0) continue;
        uint32_t more = set_union(&ldd, event->relation, tuple_of(relation, t));
        if (!ldd_is_over(&ldd)) event->relation = more;
    }
    return true;
}

/* In so many rounds the last relation is no event but a second stage of the first one. */
enum { STAGED = 2 };

static uint32_t has_stages(void) { return seed_of_round % STAGED == 0; }

static uint32_t find_top(uint32_t e) {
    uint32_t top = 0;
    while (top < LEVELS && relations[e].kinds[top] == MARK_SKIP) top++;
    return top % LEVELS; /* without marks: at the first level */
}

static struct event make_event(uint32_t e, uint32_t top) {
    const unsigned char *kinds = relations[e].kinds;
    unsigned char reads[LEVELS];
    struct event event = {.top = top,
                          .chain = marks_chain(&marks, kinds, top, LEVELS),
                          .whole = marks_chain(&marks, kinds, 0, LEVELS),
                          .index = e};
    for (uint32_t i = 0; i < LEVELS; i++) {
        reads[i] = mark_reads(kinds[i]) ? MARK_READ : MARK_SKIP;
        event.read_count += mark_reads(kinds[i]);
    }
    event.reads = marks_chain(&marks, reads, top, LEVELS);
    return event;
}

static uint32_t make_events(struct event *events, struct event *stage) {
    uint32_t count = 0, last = EVENTS - 1;
    uint32_t top = find_top(0), of_last = find_top(last);
    if (of_last < top) top = of_last;
    *stage = make_event(last, top);
    for (uint32_t level = 0; level < LEVELS; level++)
        for (uint32_t e = 0; e < EVENTS - has_stages(); e++) {
            bool is_staged = has_stages() && !e;
            if ((is_staged ? top : find_top(e)) != level) continue;
            events[count] = make_event(e, level);
            if (is_staged) events[count].stages = stage;
            events[count++].stage_count = is_staged;
        }
    return count;
}

static bool leads_by(uint32_t e, uint32_t from, uint32_t to) {
    if (!has_stages() || e) return e < EVENTS - has_stages() && leads(&relations[e], from, to);
    for (uint32_t k = 0; k < VECTORS; k++)
        if (leads(&relations[e], from, k) && leads(&relations[EVENTS - 1], k, to)) return true;
    return false;
}

/* Successors and predecessors of all that was found, event by event. */
static void check_events(const struct event *events, uint32_t count, uint32_t set,
                         const struct naive *closure) {
    for (uint32_t e = 0; e < count; e++) {
        struct naive after = {{0}}, before = {{0}};
        uint32_t found = event_image(&ldd, &marks, &events[e], set);
        for (uint32_t i = 0; i < VECTORS; i++)
            for (uint32_t k = 0; k < VECTORS && closure->has[i]; k++)
                after.has[k] |= leads_by(events[e].index, i, k);
        check_same(found, &after);
        uint32_t values[LEVELS], target = LDD_NONE;
        for (uint32_t k = 0; k < VECTORS; k += 3) {
            digits_of(k, values);
            target = set_union(&ldd, target, set_of(&ldd, values, LEVELS));
            for (uint32_t i = 0; i < VECTORS; i++)
                before.has[i] |= closure->has[i] && leads_by(events[e].index, i, k);
        }
        check_same(event_preimage(&ldd, &marks, &events[e], set, target), &before);
    }
}

static struct naive naive_closure(uint32_t initial) {
    struct naive closure = {{0}};
    closure.has[initial] = true;
    for (bool has_changed = true; has_changed;) {
        has_changed = false;
        for (uint32_t i = 0; i < VECTORS; i++)
            for (uint32_t k = 0; k < VECTORS && closure.has[i]; k++)
                for (uint32_t e = 0; e < EVENTS && !closure.has[k]; e++)
                    has_changed |= closure.has[k] = leads_by(e, i, k);
    }
    return closure;
}

/* always: with a collection at every safe point; stores: ends now and then, and goes on. */
static void check_closing(bool always, uint64_t stores) {
    uint32_t largest = 0;
    for (uint32_t round = 1; round < ROUNDS; round++) {
        struct event events[EVENTS], stage;
        uint32_t values[LEVELS], initial;
        seed = seed_of_round = round;
        start();
        ldd.spare_work = always ? UINT64_MAX : 0;
        for (uint32_t e = 0; e < EVENTS; e++) relations[e] = random_relation();
        struct closer closer = {.ldd = &ldd,
                                .marks = &marks,
                                .events = events,
                                .level_count = LEVELS,
                                .learn = learn,
                                .settle = settle};
        uint32_t event_count = make_events(events, &stage);
        closer_init(&closer, &arena, event_count);
        closer.few_met = 1 + roll(3);
        uint32_t at = roll(VECTORS), result;
        digits_of(at, values);
        initial = set_of(&ldd, values, LEVELS);
        ldd_add_root(&ldd, &initial);
        for (uint64_t more = stores;; more *= 2) {
            if (stores) ldd_resume(&ldd, (struct ldd_limits){.stores = more});
            result = close_set(&closer, initial);
            if (!ldd_is_over(&ldd)) break;
        }
        ck_assert_uint_eq(ldd.held_count, 0);
        ck_assert_uint_eq(ldd.item_count, 0);
        ldd_resume(&ldd, (struct ldd_limits){0}); /* for the test itself */
        struct naive expected = naive_closure(at);
        check_same(result, &expected);
        check_events(events, event_count, result, &expected);
        ck_assert(!always || ldd.collections > 0 || closer.first[LEVELS] == 0);
        for (uint32_t i = 0, count = 0; i < VECTORS; i++)
            if (expected.has[i] && ++count > largest) largest = count;
        closer_close(&closer);
        stop();
    }
    ck_assert_uint_gt(largest, VECTORS / 2); /* else nothing was tried */
}

START_TEST(closing_finds_all_successors) { check_closing(false, 0); }
END_TEST
START_TEST(closing_survives_collections) { check_closing(true, 0); }
END_TEST
START_TEST(closing_goes_on_after_a_limit) { check_closing(false, 40); }
END_TEST

/* Collection, counts, limits */

START_TEST(collection_keeps_what_is_needed) {
    start();
    uint32_t root = LDD_NONE;
    ldd_add_root(&ldd, &root);
    for (seed = 1; seed < ROUNDS; seed++) {
        struct naive a = random_naive(), b = random_naive();
        root = set_from(&a);
        size_t held = ldd_hold(&ldd, set_from(&b));
        ldd_collect(&ldd);
        uint32_t used = ldd.used;
        ldd_collect(&ldd);
        ck_assert_uint_eq(ldd.used, used);
        check_same(root, &a);
        check_same(ldd.held[held], &b);
        ldd_release(&ldd, held);
    }
    root = LDD_NONE;
    ldd_collect(&ldd);
    ck_assert_uint_eq(ldd.used, 0);
    stop();
}
END_TEST

START_TEST(counts_are_exact) {
    start();
    for (seed = 1; seed < ROUNDS; seed++) {
        struct naive a = random_naive();
        struct counter counter;
        uint64_t expected = 0;
        for (uint32_t i = 0; i < VECTORS; i++) expected += a.has[i];
        counter_init(&counter, &ldd, 8);
        struct count count = count_zero(&counter, &arena);
        ck_assert_uint_eq(count_value(&count), 0);
        count_add_set(&counter, &count, set_from(&a), 3);
        ck_assert_uint_eq(count_value(&count), 3 * expected);
        counter_close(&counter);
    }
    stop();
}
END_TEST

/* 7^40 */
START_TEST(counts_have_as_many_digits_as_it_takes) {
    struct counter counter;
    start();
    uint32_t set = LDD_UNIT;
    for (int level = 0; level < 40; level++) {
        uint32_t list = LDD_NONE;
        for (uint32_t value = 7; value-- > 0;) list = ldd_make(&ldd, value, set, list);
        set = list;
    }
    counter_init(&counter, &ldd, 120);
    struct count count = count_zero(&counter, &arena);
    count_add_set(&counter, &count, set, 1);
    ck_assert_str_eq(count_text(&count, &arena), "6366805760909027985741435139224001");
    ck_assert_uint_eq(count_value(&count), UINT64_MAX);
    counter_close(&counter);
    stop();
}
END_TEST

/* A long list of values does not need a deep stack, and a limit of bytes holds. */
START_TEST(memory_ends_at_the_limit) {
    arena_init(&arena);
    ldd_init(&ldd, (struct ldd_limits){.max_size = 1 << 20});
    uint32_t set = LDD_NONE;
    for (uint32_t i = 0; i < 200000 && !ldd_is_over(&ldd); i++)
        set = ldd_make(&ldd, 200000 - i, LDD_UNIT, set);
    ck_assert_int_eq(ldd.end, LDD_MEMORY);
    ck_assert_uint_le(ldd.peak_size, 1 << 20);
    stop();
}
END_TEST

static uint32_t result_of(uint32_t a, uint32_t b) { return a * 1000 + b; }

/* Stores so many results at random; what is remembered is what was stored. */
static void store_results(enum ldd_operation operation, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        uint32_t a = roll(90), b = roll(90), found;
        if (ldd_recall(&ldd, operation, a, b, 7, &found))
            ck_assert_uint_eq(found, result_of(a, b));
        else
            ldd_store(&ldd, operation, a, b, 7, result_of(a, b));
    }
}

static uint32_t count_recalled(enum ldd_operation operation) {
    uint32_t count = 0, found;
    for (uint32_t a = 0; a < 90; a++)
        for (uint32_t b = 0; b < 90; b++)
            if (ldd_recall(&ldd, operation, a, b, 7, &found)) {
                ck_assert_uint_eq(found, result_of(a, b));
                count++;
            }
    return count;
}

/* Where the table cannot grow, others do not replace most of what is expensive to compute. */
START_TEST(results_are_those_that_were_stored) {
    start();
    ldd_resume(&ldd, (struct ldd_limits){.max_size = ldd_size(&ldd) + 1});
    for (seed = 1; !ldd.lacks_room;) store_results(LDD_UNION, 100);
    uint32_t size = ldd.cache_size;
    store_results(LDD_CLOSE, 1000);
    uint32_t kept = count_recalled(LDD_CLOSE);
    store_results(LDD_UNION, 20000);
    uint32_t left = count_recalled(LDD_CLOSE);
    ck_assert_uint_gt(left * 4, kept * 3);
    ck_assert_uint_eq(ldd.cache_size, size);
    ldd_resume(&ldd, (struct ldd_limits){0});
    store_results(LDD_UNION, 1);
    ck_assert_uint_eq(ldd.cache_size, size * 2);
    ck_assert_uint_eq(count_recalled(LDD_CLOSE), left);
    stop();
}
END_TEST

/* Nodes are needed, results are only remembered: those that are expensive stay for longer. */
START_TEST(nodes_take_the_room_of_results) {
    start();
    for (seed = 1; ldd.cache_size < 1 << 14;) {
        store_results(LDD_CLOSE, 100);
        store_results(LDD_UNION, 100);
    }
    uint32_t size = ldd.cache_size, capacity = ldd.capacity, set = LDD_NONE;
    uint32_t kept = count_recalled(LDD_CLOSE), others = count_recalled(LDD_UNION);
    ldd_resume(&ldd, (struct ldd_limits){.max_size = ldd_size(&ldd)});
    for (uint32_t i = capacity + 1; i > 0; i--) set = ldd_make(&ldd, i, LDD_UNIT, set);
    ck_assert_int_eq(ldd.end, LDD_GOES_ON);
    ck_assert_uint_eq(ldd.capacity, capacity * 2);
    ck_assert_uint_eq(ldd.cache_size, size / 2);
    ck_assert_uint_le(ldd_size(&ldd), ldd.limits.max_size);
    ck_assert_uint_gt(count_recalled(LDD_CLOSE) * 3, kept * 2);
    ck_assert_uint_gt(kept * count_recalled(LDD_UNION), 0);
    ck_assert_uint_lt(kept * count_recalled(LDD_UNION), others * count_recalled(LDD_CLOSE));
    stop();
}
END_TEST

START_TEST(time_and_others_end_a_run) {
    atomic_bool is_cancelled = true;
    ldd_init(&ldd, (struct ldd_limits){.is_cancelled = &is_cancelled});
    ck_assert_int_eq(ldd.end, LDD_INTERRUPT);
    ldd_resume(&ldd, (struct ldd_limits){.deadline = clock_seconds() - 1});
    ck_assert_int_eq(ldd.end, LDD_TIME);
    ldd_close(&ldd);
}
END_TEST

Suite *ldd_suite(void) {
    Suite *suite = suite_create("ldd");
    TCase *sets = tcase_create("sets"), *nodes = tcase_create("nodes");
    tcase_set_timeout(sets, 60);
    tcase_add_test(sets, sets_are_what_arrays_are);
    tcase_add_test(sets, rows_become_a_set_at_once);
    tcase_add_test(sets, short_vectors_are_projected_and_matched);
    tcase_add_test(sets, images_and_predecessors_follow_tuples);
    tcase_add_test(sets, closing_finds_all_successors);
    tcase_add_test(sets, closing_survives_collections);
    tcase_add_test(sets, closing_goes_on_after_a_limit);
    tcase_add_test(nodes, collection_keeps_what_is_needed);
    tcase_add_test(nodes, counts_are_exact);
    tcase_add_test(nodes, counts_have_as_many_digits_as_it_takes);
    tcase_add_test(nodes, memory_ends_at_the_limit);
    tcase_add_test(nodes, results_are_those_that_were_stored);
    tcase_add_test(nodes, nodes_take_the_room_of_results);
    tcase_add_test(nodes, time_and_others_end_a_run);
    suite_add_tcase(suite, sets);
    suite_add_tcase(suite, nodes);
    return suite;
}
