#include "explore/store/store.h"

#include <check.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

Suite *store_suite(void);

enum { MAX_WORDS = 6, COUNT = 20000 };

static struct store store;
static struct shelf shelf;

/* The size of a state in bytes: two at least, for so many states. */
static void open_store(uint32_t size, size_t size_limit, uint64_t max_states) {
    struct layout layout = {.stored_bytes = size, .stored_words = (size + 7) / 8};
    shelf = (struct shelf){0, 0};
    ck_assert(store_init(&store, &layout, size_limit, max_states));
}

static void teardown(void) { store_close(&store); }

/* A state for each number; they differ in the last bytes only, or almost everywhere. */
static void make_state(uint32_t number, uint64_t *words) {
    uint32_t last = store.word_count - 1, bits = (store.row_size - last * 8) * 8;
    memset(words, 0, MAX_WORDS * sizeof *words);
    if (number % 2 || store.row_size < 8) {
        words[last] = number;
        if (last && bits < 32) words[last - 1] = number >> bits;
    } else {
        for (uint32_t i = 0; i <= last; i++) words[i] = store_mix(number * UINT64_C(16) + i + 1);
    }
    words[last] &= UINT64_MAX >> (64 - bits);
}

static uint32_t find(uint32_t number) {
    uint64_t words[MAX_WORDS];
    make_state(number, words);
    return store_find(&store, words, store_hash(&store, words));
}

/* False if there is no room. */
static bool add(uint32_t number, struct shelf *to, bool *is_new, uint32_t *row) {
    uint64_t words[MAX_WORDS];
    make_state(number, words);
    if (to->next == to->end) {
        if (!store_has_room(&store, STORE_RUN) && !store_reserve(&store, STORE_RUN)) return false;
        uint32_t left = store.room - atomic_load(&store.next);
        store_refill(&store, to, left < STORE_RUN ? left : STORE_RUN);
    }
    *row = store_add(&store, to, words, store_hash(&store, words), is_new);
    return true;
}

static void check_row(uint32_t row, uint32_t number) {
    uint64_t words[MAX_WORDS] = {0}, loaded[MAX_WORDS] = {0};
    make_state(number, words);
    store_load(&store, row, loaded);
    ck_assert(!memcmp(words, loaded, store.word_count * sizeof *words));
}

START_TEST(states_have_numbers_in_their_order) {
    open_store((uint32_t)_i, 0, 0);
    store.is_ending = _i / 8 % 2;
    bool is_new;
    uint32_t row;
    for (uint32_t i = 0; i < COUNT; i++) {
        ck_assert_uint_eq(find(i), STORE_FULL);
        ck_assert(add(i, &shelf, &is_new, &row));
        ck_assert(is_new);
        ck_assert_uint_eq(row, i);
        ck_assert(add(i / 2, &shelf, &is_new, &row));
        ck_assert(!is_new);
        ck_assert_uint_eq(row, i / 2);
    }
    store_seal(&store, &shelf);
    ck_assert_uint_eq(store_count(&store), COUNT);
    ck_assert_uint_eq(store.gap_count, 0);
    for (uint32_t i = 0; i < COUNT; i++) {
        ck_assert_uint_eq(find(i), i);
        check_row(i, i);
    }
    teardown();
}
END_TEST

/* Large tables become larger in parts, by two threads. */
START_TEST(no_state_is_lost_where_two_threads_make_the_table_larger) {
    enum { MANY = 150000 };
    open_store((uint32_t)_i, 0, 0);
    store.has_threads = true;
    bool is_new;
    uint32_t row, grown = 0;
    for (uint32_t i = 0, before = store.capacity; i < MANY; i++) {
        ck_assert(add(i, &shelf, &is_new, &row));
        ck_assert(is_new);
        if (store.capacity == before) continue;
        before = store.capacity;
        grown++;
        for (uint32_t k = 0; k <= i; k++) ck_assert_uint_eq(find(k), k);
    }
    ck_assert_uint_ge(grown, 3);
    ck_assert_uint_ge(store.capacity, 4 << 15);
    teardown();
}
END_TEST

START_TEST(rest_of_a_shelf_is_a_gap) {
    enum { SHELVES = 3 };
    struct shelf shelves[SHELVES] = {{0, 0}, {0, 0}, {0, 0}};
    bool is_new;
    uint32_t row, seen = 0;
    open_store(11, 0, 0);
    for (uint32_t i = 0; i < COUNT; i++) {
        ck_assert(add(i, &shelves[i % 7 % SHELVES], &is_new, &row));
        if (i % 1000 != 999) continue;
        for (int k = 0; k < SHELVES; k++) store_seal(&store, &shelves[k]);
        ck_assert_uint_eq(store_count(&store), i + 1);
    }
    ck_assert_uint_gt(store.gap_count, 0);
    for (row = store_skip(&store, 0); row < atomic_load(&store.next);
         row = store_skip(&store, row + 1))
        seen++;
    ck_assert_uint_eq(seen, COUNT);
    for (uint32_t i = 0; i < COUNT; i++) {
        row = find(i);
        ck_assert_uint_eq(store_skip(&store, row), row);
        check_row(row, i);
    }
    for (uint32_t i = 0; i < store.gap_count; i++) {
        ck_assert_uint_gt(store.gaps[i].count, 0);
        ck_assert_uint_ge(store_skip(&store, store.gaps[i].first),
                          store.gaps[i].first + store.gaps[i].count);
        if (i)
            ck_assert_uint_ge(store.gaps[i].first,
                              store.gaps[i - 1].first + store.gaps[i - 1].count);
    }
    teardown();
}
END_TEST

START_TEST(limit_counts_states) {
    static const uint32_t limits[] = {1, 2, 255, 256, 257, 1000, 5000};
    uint32_t limit = limits[_i], row, number = 0;
    struct shelf other = {0, 0};
    bool is_new;
    open_store(8, 0, limit);
    for (;; number++) {
        if (number % 100 == 50) store_seal(&store, &shelf); /* leaves gaps behind the other */
        if (add(number, number % 3 ? &shelf : &other, &is_new, &row)) continue;
        store_seal(&store, &shelf);
        store_seal(&store, &other);
        if (!add(number, &shelf, &is_new, &row)) break;
    }
    ck_assert_uint_eq(number, limit);
    ck_assert_uint_eq(store_count(&store), limit);
    for (uint32_t i = 0; i < limit; i++) check_row(find(i), i);
    teardown();
}
END_TEST

START_TEST(store_keeps_a_limit) {
    size_t limit = (size_t)5 << 20;
    uint32_t row, number = 0;
    bool is_new;
    open_store(31, limit, 0);
    while (add(number, &shelf, &is_new, &row)) number++;
    ck_assert_uint_le(store.size, limit);
    ck_assert_uint_gt(number, COUNT);
    ck_assert_uint_eq(store_count(&store), number);
    for (uint32_t i = 0; i < number; i += 97) ck_assert_uint_eq(find(i), i);
    ck_assert_uint_eq(find(number), STORE_FULL);
    teardown();
}
END_TEST

START_TEST(too_little_memory_is_refused) {
    struct layout layout = {.stored_bytes = 8, .stored_words = 1};
    ck_assert(!store_init(&store, &layout, 1000, 0));
    store_close(&store);
}
END_TEST

/* Every thread adds the same states, beginning at another one. */
enum { THREADS = 4, SHARED = 30000 };

static void *add_everything(void *argument) {
    uint32_t offset = *(uint32_t *)argument, done = 0;
    struct shelf own = {0, 0};
    uint64_t *states = calloc(SHARED + 1, MAX_WORDS * sizeof *states);
    uint64_t *hashes = calloc(SHARED, sizeof *hashes);
    for (uint32_t i = 0; i < SHARED; i++) {
        uint64_t *words = states + (size_t)i * store.word_count;
        make_state((i + offset) % SHARED, words);
        hashes[i] = store_hash(&store, words);
    }
    for (;;) {
        done = store_add_all(&store, &own, states, hashes, done, SHARED, true);
        if (done == SHARED) break;
        store_refill(&store, &own, STORE_RUN);
    }
    free(states);
    free(hashes);
    *(uint32_t *)argument = own.end - own.next;
    return NULL;
}

START_TEST(threads_add_each_state_once) {
    pthread_t threads[THREADS];
    uint32_t numbers[THREADS], rest = 0;
    open_store((uint32_t)_i, 0, 0);
    ck_assert(store_reserve(&store, SHARED + THREADS * STORE_RUN));
    for (uint32_t i = 0; i < THREADS; i++) {
        numbers[i] = i * SHARED / THREADS / 3;
        ck_assert(!pthread_create(&threads[i], NULL, add_everything, &numbers[i]));
    }
    for (uint32_t i = 0; i < THREADS; i++) {
        pthread_join(threads[i], NULL);
        rest += numbers[i];
    }
    ck_assert_uint_eq(store_count(&store), SHARED + rest);
    bool *is_used = calloc(SHARED + rest, sizeof *is_used);
    for (uint32_t i = 0; i < SHARED; i++) {
        uint32_t row = find(i);
        ck_assert_uint_lt(row, SHARED + rest);
        ck_assert(!is_used[row]);
        is_used[row] = true;
        check_row(row, i);
    }
    free(is_used);
    teardown();
}
END_TEST

Suite *store_suite(void) {
    Suite *suite = suite_create("store");
    TCase *tcase = tcase_create("store");
    tcase_add_loop_test(tcase, states_have_numbers_in_their_order, 2, 28);
    tcase_add_loop_test(tcase, no_state_is_lost_where_two_threads_make_the_table_larger, 3, 12);
    tcase_add_test(tcase, rest_of_a_shelf_is_a_gap);
    tcase_add_loop_test(tcase, limit_counts_states, 0, 7);
    tcase_add_test(tcase, store_keeps_a_limit);
    tcase_add_test(tcase, too_little_memory_is_refused);
    tcase_add_loop_test(tcase, threads_add_each_state_once, 2, 20);
    suite_add_tcase(suite, tcase);
    return suite;
}
