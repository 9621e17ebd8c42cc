/* Numbers by hash: collisions, growth, and memory that is refused. */
#include "base/index.h"

#include <check.h>
#include <stdlib.h>

Suite *index_suite(void);

/* An account that refuses what is past its limit. */
struct account {
    size_t used, most;
};

static void *resize(void *context, void *memory, size_t old_size, size_t size) {
    struct account *account = context;
    if (size > old_size && account->used + size - old_size > account->most) return NULL;
    account->used += size - old_size;
    if (size) return realloc(memory, size);
    free(memory);
    return NULL;
}

static bool has(const struct index *index, uint64_t hash, uint32_t number) {
    for (struct index_probe probe = index_begin(hash); index_next(index, &probe);)
        if (probe.number == number) return true;
    return false;
}

START_TEST(an_empty_index_has_nothing) {
    struct index index = {0};
    ck_assert(!has(&index, 0, 0));
    index_close(&index);
}
END_TEST

START_TEST(things_with_one_hash_come_in_order) {
    struct index index = {0};
    for (uint32_t i = 0; i < 1000; i++) ck_assert(index_add(&index, 7, i));
    struct index_probe probe = index_begin(7);
    for (uint32_t i = 0; i < 1000; i++) {
        ck_assert(index_next(&index, &probe));
        ck_assert_uint_lt(probe.number, 1000);
    }
    ck_assert(!index_next(&index, &probe));
    ck_assert(!has(&index, 8, 0));
    index_close(&index);
}
END_TEST

START_TEST(growth_loses_nothing) {
    struct arena arena;
    arena_init(&arena);
    struct index index = {.memory = memory_of_arena(&arena)};
    for (uint64_t i = 0; i < 10000; i++)
        ck_assert(index_add(&index, index_hash(&i, 1), (uint32_t)i));
    for (uint64_t i = 0; i < 10000; i++) ck_assert(has(&index, index_hash(&i, 1), (uint32_t)i));
    ck_assert_uint_eq(index.count, 10000);
    ck_assert_uint_le(index.count * 2, index.capacity);
    index_close(&index);
    ck_assert_uint_eq(index.count, 0);
    arena_close(&arena);
}
END_TEST

START_TEST(refused_memory_leaves_all_as_it_was) {
    struct account account = {.most = 3000};
    struct index index = {.memory = {resize, &account}};
    uint32_t count = 0;
    while (index_add(&index, count, count)) count++;
    ck_assert_uint_gt(count, 32);
    ck_assert(!index_add(&index, count, count));
    for (uint32_t i = 0; i < count; i++) ck_assert(has(&index, i, i));
    ck_assert(!has(&index, count, count));
    index_close(&index);
    ck_assert_uint_eq(account.used, 0);
}
END_TEST

START_TEST(room_is_refused_or_kept) {
    struct account account = {.most = 4096};
    struct memory_source memory = {resize, &account};
    uint32_t *items = NULL;
    size_t capacity = 0;
    ck_assert(memory_room(&memory, (void **)&items, &capacity, 1, sizeof *items));
    items[0] = 5;
    ck_assert(memory_room(&memory, (void **)&items, &capacity, capacity + 1, sizeof *items));
    size_t before = capacity;
    ck_assert(!memory_room(&memory, (void **)&items, &capacity, 4096, sizeof *items));
    ck_assert_uint_eq(capacity, before);
    ck_assert_uint_eq(items[0], 5);
    memory_resize(&memory, items, capacity * sizeof *items, 0);
    ck_assert_uint_eq(account.used, 0);
}
END_TEST

Suite *index_suite(void) {
    Suite *suite = suite_create("index");
    TCase *cases = tcase_create("index");
    tcase_add_test(cases, an_empty_index_has_nothing);
    tcase_add_test(cases, things_with_one_hash_come_in_order);
    tcase_add_test(cases, growth_loses_nothing);
    tcase_add_test(cases, refused_memory_leaves_all_as_it_was);
    tcase_add_test(cases, room_is_refused_or_kept);
    suite_add_tcase(suite, cases);
    return suite;
}
