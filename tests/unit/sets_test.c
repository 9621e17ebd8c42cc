#include "explore/verdict/verify_sets_internal.h"

#include "verify_sample.h"

Suite *sets_suite(void);

/* Answers by sets that are broken off for want of work, and begun again. */

#define VALUE(i)                                                                                   \
    "<transition><source ref=\"a\"/><target ref=\"a\"/><label kind=\"select\">k : "                \
    "int[0,3]</label>"                                                                             \
    "<label kind=\"assignment\">v[" #i "] = k</label></transition>"
#define SUM "(7*v[0] + 31*v[1] + 58*v[2] + 13*v[3] + 46*v[4] + 5*v[5] + 22*v[6])"

static const char *const model =
    ONE("int[0,3] v[7];",
        LOCATION("a") INIT("a") VALUE(0) VALUE(1) VALUE(2) VALUE(3) VALUE(4) VALUE(5) VALUE(6),
        QUERY("E<> " SUM " % 67 == 23") QUERY("E<> " SUM " % 97 == 40")
            QUERY("E<> " SUM " % 419 == 311"));

static struct sets *open_sets(struct plan *plan) {
    uint32_t count = sample.model->query_count;
    verification = (struct verification){
        .arena = &arena, .answer_count = count, .search = ARENA_NEW(&arena, struct search)};
    verification.answers = ARENA_ARRAY(&arena, struct answer, count);
    *plan = (struct plan){.watches = ARENA_ARRAY(&arena, struct watch, count),
                          .first_watch = ARENA_ARRAY(&arena, uint32_t, count),
                          .watch_count = count};
    for (uint32_t i = 0; i < count; i++) {
        verification.answers[i].query = &sample.model->queries[i];
        plan->first_watch[i] = i;
        plan->watches[i] = (struct watch){.predicate = sample.model->queries[i].predicate};
    }
    struct sets *sets = sets_open(&verification, sample.network, &options, plan, NULL);
    ck_assert_ptr_nonnull(sets);
    return sets;
}

/* Results that are remembered of an attempt must not be taken for those of other terms. */
START_TEST(answers_are_the_same_after_attempts) {
    struct plan plan;
    uint64_t most = 50 + 129 * (uint64_t)_i, states = 1000;
    enum sets_end end;
    uint32_t attempts = 0;
    options.wants_traces = false;
    sample_open(&sample, model);
    struct sets *sets = open_sets(&plan);
    while ((end = sets_run(sets, sets->symbolic.reach ? most : states)) == SETS_MORE) {
        attempts += sets->symbolic.reach != NULL;
        most += most / 8;
        states += states / 4;
    }
    ck_assert_int_eq(end, SETS_DONE);
    ck_assert(attempts);
    ldd_resume(&sets->reach->ldd, (struct ldd_limits){0});
    for (uint32_t i = 0; i < plan.watch_count; i++) {
        struct verdicts verdicts;
        ck_assert(
            decide(&sets->decider, &plan.watches[i].unit, sets->reach->states, false, &verdicts));
        ck_assert_uint_eq(verdicts.holds, sets->findings[i].found.set);
    }
    sets_close(sets);
}
END_TEST

/* The channel depends on the state, so which moves a step has does, too. */
START_TEST(who_receives_over_any_channel_chooses) {
    const char *text =
        NTA("int[0,1] x; chan c[2];",
            TEMPLATE("P", "", "",
                     LOCATION("A") INIT("A") EDGE("A", "A", UPDATE("x = 1 - x"))
                         EDGE("A", "A", SYNC("c[x]!")))
                TEMPLATE("Q", "", "",
                         LOCATION("B") LOCATION("C") LOCATION("D") INIT("B")
                             EDGE("B", "C", SYNC("c[x]?")) EDGE("B", "D", SYNC("c[x]?"))),
            "system P, Q;",
            QUERY("<<Q; Ir>> G !Q.D") QUERY("<<Q; Ir>> F Q.C") QUERY("<<P, Q; Ir>> F Q.C"));
    options.engine = ENGINE_SYMBOLIC;
    run(text, SEMANTICS_UPPAAL);
    ck_assert_str_eq(verdicts(), "SVS");
}
END_TEST

Suite *sets_suite(void) {
    Suite *suite = suite_create("sets");
    TCase *tcase = tcase_create("sets");
    tcase_add_checked_fixture(tcase, setup, teardown);
    tcase_set_timeout(tcase, 60);
    tcase_add_loop_test(tcase, answers_are_the_same_after_attempts, 0, 8);
    tcase_add_test(tcase, who_receives_over_any_channel_chooses);
    suite_add_tcase(suite, tcase);
    return suite;
}
