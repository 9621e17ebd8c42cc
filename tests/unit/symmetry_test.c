/* Blocks, and canonical states: all images of a state under transpositions come to the same one. */
#include "verify_sample.h"

#include "explore/symmetry/canon.h"

Suite *symmetry_suite(void);

#define IDS "typedef int[1,4] id_t; "
#define PROCESS(edges)                                                                             \
    TEMPLATE("P", "const id_t i", "", LOCATION("a") LOCATION("b") INIT("a") edges)
#define LOOP(labels) EDGE("a", "a", labels)

static const char *const graph =
    NTA(IDS "bool e[id_t][id_t]; int[0,4] next[id_t];",
        PROCESS(LOOP(SELECT("j : id_t") GUARD("i == j || !e[j][i]") UPDATE("e[i][j] = !e[i][j]"))
                    LOOP(SELECT("j : id_t") GUARD("e[i][j]") UPDATE("next[i] = j"))),
        "system P;", "");

static const struct symmetry *find(const char *text) {
    if (sample.network) sample_close(&sample);
    sample_open(&sample, text);
    return symmetry_find(&arena, sample.network, NULL, 0, SYMMETRY_LONG_LOOK);
}

START_TEST(names_that_meet_are_one_block) {
    const struct symmetry *symmetry = find(graph);
    ck_assert_uint_eq(symmetry->block_count, 1);
    ck_assert_uint_eq(symmetry->blocks[0].count, 4);
    ck_assert_uint_eq(symmetry->size, 24);
    ck_assert_uint_eq(symmetry->cell_count, 16 + 4 + 4);
    ck_assert_str_eq(symmetry_block_text(symmetry, symmetry->blocks, &arena), "id_t {1,2,3,4}");
}
END_TEST

START_TEST(a_number_in_the_text_is_told_apart) {
    const struct symmetry *symmetry =
        find(NTA(IDS "bool x[id_t];", PROCESS(EDGE("a", "b", UPDATE("x[i] = true, x[2] = x[3]"))),
                 "system P;", ""));
    ck_assert_uint_eq(symmetry->block_count, 1);
    ck_assert_str_eq(symmetry_block_text(symmetry, symmetry->blocks, &arena), "id_t {1,4}");
}
END_TEST

/* An element of the table may be too large for the function, which the first round may keep from
 * being called. */
START_TEST(constants_have_all_32_bits) {
    static const char *const ranges[] = {"int[0,9]", "int"};
    for (uint32_t i = 0; i < 2; i++) {
        const struct symmetry *symmetry = find(arena_printf(
            &arena,
            NTA(IDS "int[0,1] x[id_t]; const %s table[2] = {3, 7}; "
                    "bool low(int n) { return n &lt; 5; }",
                PROCESS(
                    EDGE("a", "b", GUARD("exists (j : id_t) low(table[x[j]])") UPDATE("x[i] = 1"))),
                "system P;", ""),
            ranges[i]));
        ck_assert_uint_eq(symmetry->block_count, 1 - i);
    }
}
END_TEST

START_TEST(blocks_that_are_too_many_have_no_element) {
    enum { PAIRS = 64 };
    struct buffer text = {0};
    buffer_add_text(&text, "<nta><declaration/>");
    for (int i = 0; i < PAIRS; i++)
        buffer_printf(&text,
                      "<template><name>T%d</name><location id=\"a%d\"/><location id=\"b%d\"/>"
                      "<init ref=\"a%d\"/><transition><source ref=\"a%d\"/><target ref=\"b%d\"/>"
                      "</transition></template>",
                      i, i, i, i, i, i);
    buffer_add_text(&text, "<system>");
    for (int i = 0; i < PAIRS; i++) buffer_printf(&text, "X%d = T%d(); Y%d = T%d();", i, i, i, i);
    for (int i = 0; i < PAIRS; i++) buffer_printf(&text, "%s X%d, Y%d", i ? "," : "system", i, i);
    buffer_add_text(&text, ";</system></nta>");
    const struct symmetry *symmetry = find(buffer_take(&text, &arena));
    buffer_close(&text);
    ck_assert_uint_eq(symmetry->block_count, 61);
    ck_assert_uint_eq(symmetry->element_count, 2 * symmetry->block_count);
    for (uint32_t i = 0; i < symmetry->block_count; i++)
        ck_assert_uint_eq(symmetry->blocks[i].count, 2);
}
END_TEST

/* A random state of the graph, and its image under the exchange of two ids. */
static void make_state(const struct layout *layout, uint64_t *words, uint64_t *image, uint32_t left,
                       uint32_t right, unsigned *seed) {
    const struct network *network = layout->network;
    memcpy(words, layout->initial, layout->word_count * sizeof *words);
    memcpy(image, layout->initial, layout->word_count * sizeof *words);
#define OTHER(id) ((id) == left ? right : (id) == right ? left : (id))
    for (uint32_t i = 0; i < network->slot_count; i++) {
        bool is_edge = i < 16;
        uint32_t random = (uint32_t)(*seed = *seed * 1103515245u + 12345u) >> 16;
        uint32_t value = is_edge ? random % 2 : random % 5;
        uint32_t from = is_edge ? i / 4 : i - 16;
        uint32_t to = is_edge ? OTHER(from) * 4 + OTHER(i % 4) : 16 + OTHER(from);
        uint32_t renamed = is_edge || !value ? value : OTHER(value - 1) + 1;
        field_set(&layout->fields[i], words, (int32_t)value);
        field_set(&layout->fields[to], image, (int32_t)renamed);
    }
#undef OTHER
}

START_TEST(images_have_one_canonical_state) {
    const struct symmetry *symmetry = find(graph);
    const struct network *network = sample.network;
    struct guess *guesses = ARENA_ARRAY(&arena, struct guess, network->slot_count);
    for (uint32_t i = 0; i < network->slot_count; i++)
        guesses[i] = guess_declared(&network->slots[i]);
    canon_align(symmetry, guesses);
    const struct layout *layout = layout_new(&arena, network, guesses);
    struct canon_work work, cells;
    uint64_t *words = layout_state(layout, &arena), *image = layout_state(layout, &arena);
    unsigned seed = 7;
    const struct canon *canon = canon_new(&arena, layout, symmetry);
    struct canon by_cells = *canon;
    by_cells.quick = NULL;
    ck_assert(canon->quick);
    canon_work_init(&work, canon);
    canon_work_init(&cells, &by_cells);
    for (uint32_t round = 0; round < 2000; round++) {
        make_state(layout, words, image, round % 4, (round / 4 + round) % 4, &seed);
        uint64_t size = canon_orbit_size(&work, words);
        ck_assert_uint_eq(size, canon_orbit_size(&work, image));
        ck_assert_uint_eq(24 % size, 0);
        ck_assert_uint_eq(size, canon_orbit_size(&cells, words));
        struct canon_work *own = round % 2 ? &work : &cells; /* each chooses its own of an orbit */
        canon_base(own, words);
        canon_apply(own, words);
        canon_apply(own, image);
        ck_assert(!memcmp(words, image, layout->stored_words * sizeof *words));
        canon_apply(own, image);
        ck_assert(!memcmp(words, image, layout->stored_words * sizeof *words));
    }
    ck_assert(!work.is_cut);
    canon_apply(&work, memcpy(image, layout->initial, layout->word_count * sizeof *words));
    ck_assert(!memcmp(image, layout->initial, layout->stored_words * sizeof *words));
    canon_work_close(&work);
    canon_work_close(&cells);
}
END_TEST

/* The leader goes round; the states are two orbits, and a run comes back to one of them at once. */
START_TEST(loops_of_orbits_become_runs) {
    options.symmetry = SYMMETRY_REPORT;
    run(NTA(IDS "int[0,4] leader; bool go = true;",
            PROCESS(LOOP(SELECT("j : id_t") GUARD("leader == 0 || leader == i &amp;&amp; i != j")
                             UPDATE("leader = j"))),
            "system P;", QUERY("E[] go")),
        SEMANTICS_KRIPKE);
    ck_assert_str_eq(verdicts(), "S");
    ck_assert_uint_eq(verification.figures.orbits, 2);
    ck_assert_str_eq(verification.figures.states.text, "5");
    const struct trace *trace = verification.answers[0].trace;
    ck_assert(trace && trace->end == TRACE_LOOP && trace->loop + 1 < trace->state_count);
    ck_assert_int_eq(trace->states[trace->loop].values[0],
                     trace->states[trace->state_count - 1].values[0]);
    for (uint32_t i = 1; i < trace->state_count; i++)
        ck_assert_int_ne(trace->states[i].values[0], trace->states[i - 1].values[0]);
}
END_TEST

Suite *symmetry_suite(void) {
    Suite *suite = suite_create("symmetry");
    TCase *cases = tcase_create("symmetry");
    tcase_add_checked_fixture(cases, setup, teardown);
    tcase_add_test(cases, names_that_meet_are_one_block);
    tcase_add_test(cases, a_number_in_the_text_is_told_apart);
    tcase_add_test(cases, constants_have_all_32_bits);
    tcase_add_test(cases, blocks_that_are_too_many_have_no_element);
    tcase_add_test(cases, images_have_one_canonical_state);
    tcase_add_test(cases, loops_of_orbits_become_runs);
    suite_add_tcase(suite, cases);
    return suite;
}
