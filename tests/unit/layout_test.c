#include "explore/code/layout.h"

#include "approx_sample.h"

#include <check.h>

Suite *layout_suite(void);

static struct sample sample;
static uint32_t seed;

static uint32_t pick(uint32_t count) {
    seed = seed * 1664525u + 1013904223u;
    return (uint32_t)((uint64_t)(seed ^ seed >> 16) * count >> 32);
}

/* From the bounds, or somewhere between. */
static int32_t pick_value(int32_t lower, int32_t upper) {
    uint32_t span = (uint32_t)upper - (uint32_t)lower;
    switch (pick(4)) {
    case 0: return lower;
    case 1: return upper;
    default: return (int32_t)((uint32_t)lower + (span == UINT32_MAX ? pick(span) : pick(span + 1)));
    }
}

static void setup(void) {
    sample_open(&sample,
                MODEL("int[-2147483648,2147483647] w; bool b; int[5,5] one; int[0,1] bits[40]; "
                      "int y; meta int m[3]; int[-70000,70000] v[7]; int[0,65] c; "
                      "struct { bool f; int[-3,3] g[2]; } s;",
                      TEMPLATE("P", "const int[0,3] id", "int[0,99] x; bool d;",
                               LOCATION("A") LOCATION("B") LOCATION("C") INIT("B")
                                   EDGE("A", "B", UPDATE("x = 1")))
                          TEMPLATE("Q", "", "", LOCATION("A") INIT("A")),
                      "system P, Q;"));
}
static void teardown(void) { sample_close(&sample); }

static void check_apart(const struct layout *layout) {
    uint64_t *used = ARENA_ARRAY(&sample.arena, uint64_t, layout->word_count);
    for (uint32_t i = 0; i < layout->field_count; i++) {
        const struct packed *field = &layout->fields[i];
        if (!field->mask) continue;
        uint64_t bits = field->mask << field->shift;
        ck_assert_uint_lt(field->word, layout->word_count);
        ck_assert_int_eq(field->is_scratch, field->word >= layout->stored_words);
        ck_assert_uint_eq(bits >> field->shift, field->mask); /* does not straddle */
        ck_assert_uint_eq(used[field->word] & bits, 0);
        used[field->word] |= bits;
    }
    uint32_t rest = layout->stored_bytes % 8;
    if (rest) ck_assert_uint_eq(used[layout->stored_words - 1] >> rest * 8, 0);
    ck_assert_uint_eq((layout->stored_bytes + 7) / 8, layout->stored_words);
}

static void check_by_word(const struct layout *layout) {
    uint32_t listed = 0, with_bits = 0;
    for (uint32_t w = 0; w < layout->word_count; w++)
        for (uint32_t i = layout->first_of[w]; i < layout->first_of[w + 1]; i++, listed++) {
            ck_assert_uint_eq(layout->fields[layout->by_word[i]].word, w);
            ck_assert(layout->fields[layout->by_word[i]].mask);
            if (i > layout->first_of[w])
                ck_assert_uint_lt(layout->by_word[i - 1], layout->by_word[i]);
        }
    for (uint32_t i = 0; i < layout->field_count; i++) with_bits += layout->fields[i].mask != 0;
    ck_assert_uint_eq(listed, with_bits);
}

static void check_values_stay(const struct layout *layout, const struct guess *guesses) {
    const struct network *network = layout->network;
    uint64_t *words = ARENA_ARRAY(&sample.arena, uint64_t, layout->word_count + 1);
    int32_t *values = ARENA_ARRAY(&sample.arena, int32_t, layout->field_count);
    memcpy(words, layout->initial, layout->word_count * sizeof *words);
    for (uint32_t i = 0; i < layout->field_count; i++) {
        int32_t initial =
            i < network->slot_count
                ? network->slots[i].initial
                : (int32_t)network->processes[i - network->slot_count].template->initial;
        values[i] = field_get(&layout->fields[i], words);
        ck_assert_int_eq(values[i], initial);
    }
    for (int round = 0; round < 400; round++) {
        uint32_t i = pick(layout->field_count);
        values[i] = i < network->slot_count ? pick_value(guesses[i].lower, guesses[i].upper)
                                            : (int32_t)pick(i + 1 < layout->field_count ? 3 : 1);
        ck_assert(field_holds(&layout->fields[i], values[i]));
        field_set(&layout->fields[i], words, values[i]);
        for (uint32_t k = 0; k < layout->field_count; k++)
            ck_assert_int_eq(field_get(&layout->fields[k], words), values[k]);
    }
}

START_TEST(fields_are_apart_and_keep_values) {
    const struct network *network = sample.network;
    struct guess *guesses = ARENA_ARRAY(&sample.arena, struct guess, network->slot_count);
    seed = (uint32_t)_i;
    for (uint32_t i = 0; i < network->slot_count; i++) {
        const struct slot *slot = &network->slots[i];
        int32_t one = pick_value(slot->lower, slot->upper);
        int32_t two = pick_value(slot->lower, slot->upper);
        guesses[i] = (struct guess){one < two ? one : two, one < two ? two : one,
                                    slot->is_meta || pick(4) == 0};
        if (!_i) guesses[i] = guess_declared(slot);
    }
    const struct layout *layout = layout_new(&sample.arena, network, guesses);
    check_apart(layout);
    check_by_word(layout);
    check_values_stay(layout, guesses);
}
END_TEST

START_TEST(nothing_to_store_takes_a_word) {
    sample_close(&sample);
    sample_open(&sample, MODEL("", TEMPLATE("P", "", "", LOCATION("A") INIT("A")), "system P;"));
    const struct layout *layout = layout_new(&sample.arena, sample.network, NULL);
    ck_assert_uint_eq(layout->stored_words, 1);
    ck_assert_uint_eq(layout->stored_bytes, 1);
    ck_assert_uint_eq(layout->stored_bits, 0);
}
END_TEST

static const struct slot ranges[] = {
    {.lower = 0, .upper = 1},
    {.lower = -5, .upper = 58},
    {.lower = 0, .upper = 64},
    {.lower = -32768, .upper = 32767},
    {.lower = INT32_MIN, .upper = INT32_MAX},
    {.lower = INT32_MAX - 1000, .upper = INT32_MAX},
    {.lower = INT32_MIN, .upper = INT32_MIN + 70},
};

START_TEST(widening_takes_the_value_in_and_comes_to_an_end) {
    const struct slot *slot = &ranges[_i];
    for (seed = 1; seed < 500; seed++) {
        int32_t start = pick_value(slot->lower, slot->upper);
        struct guess guess = {start, start, pick(2) == 0};
        int steps = 0;
        while (guess.lower != slot->lower || guess.upper != slot->upper) {
            struct guess before = guess;
            int32_t value = pick_value(slot->lower, slot->upper);
            if (value >= guess.lower && value <= guess.upper) /* as small a step as there is */
                value = guess.upper < slot->upper ? guess.upper + 1 : guess.lower - 1;
            guess_widen(&guess, slot, value);
            ck_assert(!guess.is_transient);
            ck_assert_int_le(guess.lower, value);
            ck_assert_int_ge(guess.upper, value);
            ck_assert(guess.lower <= before.lower && guess.upper >= before.upper);
            ck_assert(guess.lower >= slot->lower && guess.upper <= slot->upper);
            ck_assert_int_le(++steps, 70);
        }
    }
}
END_TEST

START_TEST(transient_slots_become_stored_first) {
    struct guess guess = {3, 3, true};
    guess_widen(&guess, &ranges[3], 3);
    ck_assert(!guess.is_transient);
    ck_assert_int_eq(guess.lower, 3);
    ck_assert_int_eq(guess.upper, 3);
    struct slot meta = ranges[3];
    meta.is_meta = true;
    guess.is_transient = true;
    guess_widen(&guess, &meta, 9);
    ck_assert(guess.is_transient && guess.upper >= 9);
}
END_TEST

Suite *layout_suite(void) {
    Suite *suite = suite_create("layout");
    TCase *tcase = tcase_create("layout");
    tcase_add_checked_fixture(tcase, setup, teardown);
    tcase_add_loop_test(tcase, fields_are_apart_and_keep_values, 0, 60);
    tcase_add_test(tcase, nothing_to_store_takes_a_word);
    suite_add_tcase(suite, tcase);
    tcase = tcase_create("guesses");
    tcase_add_loop_test(tcase, widening_takes_the_value_in_and_comes_to_an_end, 0,
                        sizeof ranges / sizeof *ranges);
    tcase_add_test(tcase, transient_slots_become_stored_first);
    suite_add_tcase(suite, tcase);
    return suite;
}
