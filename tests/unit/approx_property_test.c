/* Everything that an exploration of a small network sees is in the value analysis: for each
 * approximation, several choices of removed variables and several budgets. */
#include "approx_judge.h"
#include "approx_sample.h"

#include <check.h>
#include <dirent.h>
#include <stdlib.h>

Suite *approx_property_suite(void);

static const char *const models[] = {
    /* A value handed on through a ring, with guards on both sides. */
    MODEL("const int N = 3; typedef int[0,N-1] id_t; chan pass[id_t]; int[0,4] token;",
          TEMPLATE(
              "P", "const id_t i", "int[0,4] mine, seen; bool has = i == 0;",
              LOCATION("a") COMMITTED("b") INIT("a")
                  EDGE("a", "b",
                       SELECT("s : int[0,1]") GUARD("has and mine &lt; 4")
                           UPDATE("mine = mine + s, seen = mine"))
                      EDGE("b", "a", SYNC("pass[(i + 1) % N]!") UPDATE("token = mine, has = false"))
                          EDGE("a", "a",
                               GUARD("not has and token &lt;= 4") SYNC("pass[i]?")
                                   UPDATE("mine = token, token = 0, has = true"))),
          "system P;"),
    /* Broadcast with guards, several receiving edges and a receiver that may decline. */
    MODEL("broadcast chan go[2]; int[0,6] total; bool stop;",
          TEMPLATE("S", "", "int[0,1] k;",
                   LOCATION("a") INIT("a") EDGE("a", "a",
                                                SELECT("s : int[0,1]") GUARD("!stop") SYNC("go[s]!")
                                                    UPDATE("k = s, total = 0")))
              TEMPLATE("R", "const int[1,2] i", "int[0,6] x; int[0,1] y;",
                       LOCATION("a") LOCATION("b") INIT("a") EDGE(
                           "a", "b",
                           GUARD("x &lt; 3") SYNC("go[0]?") UPDATE("total = total + i, x = total"))
                           EDGE("a", "a",
                                GUARD("x &lt; 2 || y == 1") SYNC("go[1]?")
                                    UPDATE("x = x + 1, y = 1 - y"))
                               EDGE("b", "b",
                                    SELECT("t : int[0,1]") GUARD("t != y") SYNC("go[t]?")
                                        UPDATE("y = t"))
                                   EDGE("b", "a", GUARD("total == x") UPDATE("stop = x == 3"))),
          "system S, R;"),
    /* Branchpoints on both sides of a synchronisation; location names as values. */
    MODEL("chan c; int[0,5] v; int[0,2] w;",
          TEMPLATE("S", "", "int[0,5] x;",
                   LOCATION("a") LOCATION("b") BRANCHPOINT("s") INIT("a")
                       EDGE("a", "s", SELECT("k : int[1,2]") SYNC("c!") UPDATE("v = k, x = k"))
                           EDGE("s", "b", UPDATE("v = v + x"))
                               EDGE("s", "a", SELECT("k : int[0,1]") UPDATE("v = k, w = v"))
                                   EDGE("b", "a", UPDATE("x = b ? 0 : 3")))
              TEMPLATE("R", "", "int[0,5] y, z;",
                       LOCATION("a") LOCATION("b") BRANCHPOINT("s") INIT("a")
                           EDGE("a", "s", GUARD("v != 4") SYNC("c?") UPDATE("y = v, v = 3")) EDGE(
                               "s", "b", UPDATE("z = v - y")) EDGE("s", "a", UPDATE("z = y, y = 0"))
                               EDGE("b", "a", GUARD("z != 1"))),
          "system S, R;"),
    /* Hooks, meta variables and references. */
    MODEL("int[0,3] g, h, steps; meta int[0,3] m = 1; chan c;"
          "before_update { g = h } after_update { steps = steps == 3 ? 0 : steps + 1, m = 2 }",
          TEMPLATE("P", "int[0,3] &amp;r", "int[0,3] x; meta int[0,2] t;",
                   LOCATION("a") LOCATION("b") INIT("a")
                       EDGE("a", "b",
                            GUARD("m == 1 and r == h") SYNC("c!")
                                UPDATE("m = x, t = 2, x = g, h = steps"))
                           EDGE("b", "a", GUARD("t == 0") UPDATE("r = t + m, x = t")))
              TEMPLATE("Q", "", "int[0,3] y;",
                       LOCATION("a") INIT("a")
                           EDGE("a", "a", SYNC("c?") UPDATE("y = m, h = (y + 1) % 4"))),
          "A = P(g); B = P(h); system A, B, Q;"),
    /* A guard behind a branchpoint, and invariants over what each step starts anew. */
    MODEL("int[0,3] g; meta int[0,3] m = 1; before_update { g = 2 }",
          TEMPLATE("P", "", "int[0,3] x, y;",
                   LOCATION("a") INVARIANT("b", "m == 1") INVARIANT("c", "g == 2 or y == 0")
                       BRANCHPOINT("s") INIT("a") EDGE("a", "s", UPDATE("x = 3, m = 2"))
                           EDGE("s", "b", GUARD("x == 0") UPDATE("y = g, g = 1"))
                               EDGE("s", "c", GUARD("x == 3") UPDATE("x = 1"))
                                   EDGE("b", "a", GUARD("g == 1") UPDATE("y = g, m = 3"))
                                       EDGE("b", "c", SELECT("k : int[0,1]") UPDATE("x = 0, y = k"))
                                           EDGE("c", "a", UPDATE("x = 3"))),
          "system P;"),
    /* Functions, loops, arrays of structs, relations and errors. */
    MODEL(
        "typedef struct { int[0,2] v; bool ok; } cell_t;",
        TEMPLATE("P", "",
                 "cell_t box[2]; int[0,2] x, y; int[0,1] at;"
                 "void fill(int[0,2] v, bool &amp;flag) { for (i : int[0,1]) box[i].v = v;"
                 "flag = !flag; } bool all() { return forall (i : int[0,1]) box[i].ok; }",
                 LOCATION("a") LOCATION("b") LOCATION("c") INIT("a") EDGE(
                     "a", "b", SELECT("s : int[0,2]") UPDATE("fill(s, box[at].ok), y = s"))
                     EDGE("b", "a", GUARD("!all()") UPDATE("at = 1 - at, x = y")) EDGE(
                         "b", "c", GUARD("all() and x == y") UPDATE("x = 2 / y, box[0] = box[1]"))
                         EDGE("c", "a", GUARD("box[x].v == 2") UPDATE("box[at].ok = false, y++"))),
        "system P;"),
    /* Invariants over local and shared variables, a scalar set, urgent and committed places. */
    MODEL("typedef scalar[2] id_t; int[0,3] g; urgent chan u;",
          TEMPLATE("P", "const id_t i", "int[0,3] x; id_t last;",
                   INVARIANT("a", "x &lt;= 2") INVARIANT("b", "g &gt;= x") COMMITTED("c") INIT("a")
                       EDGE("a", "b", SELECT("s : int[0,3]") UPDATE("x = s"))
                           EDGE("b", "c", SYNC("u!") UPDATE("g = x, last = i"))
                               EDGE("a", "a",
                                    SELECT("j : id_t") GUARD("g &lt; 3") SYNC("u?")
                                        UPDATE("g = g + 1, x = g, last = j"))
                                   EDGE("c", "a", GUARD("last == i") UPDATE("x = 0, g = 0"))),
          "system P;"),
    /* Priorities only take steps away. */
    MODEL("chan lo, hi; chan priority lo &lt; default &lt; hi; int[0,3] g;",
          TEMPLATE("P", "const int[0,1] i", "int[0,3] x;",
                   LOCATION("a") LOCATION("b") INIT("a") EDGE("a", "b", SYNC("hi!") UPDATE("x = g"))
                       EDGE("a", "b", SYNC("lo!") UPDATE("x = 3"))
                           EDGE("b", "a", GUARD("x != 3") UPDATE("x = 0, g = (g + 1) % 4")))
              TEMPLATE("Q", "", "",
                       LOCATION("a") INIT("a") EDGE("a", "a", SYNC("hi?"))
                           EDGE("a", "a", GUARD("g == 2") SYNC("lo?") UPDATE("g = 3"))),
          "system P, Q;"),
    /* Channels chosen by variables and by conditions. */
    MODEL(
        "chan c[2]; broadcast chan d; chan e; int[0,2] v;",
        TEMPLATE("S", "", "int[0,1] k; int[0,2] sent;",
                 LOCATION("a") INIT("a")
                     EDGE("a", "a", SYNC("c[k]!") UPDATE("k = 1 - k, v = k + 1, sent = v"))
                         EDGE("a", "a", GUARD("sent &gt; 0") SYNC("d!") UPDATE("v = 0, sent = 0")))
            TEMPLATE("R", "const int[0,1] i", "int[0,2] got; bool odd;",
                     LOCATION("a") INIT("a")
                         EDGE("a", "a", SYNC("(odd ? c[0] : c[1])?") UPDATE("got = v, odd = !odd"))
                             EDGE("a", "a", GUARD("got == 2 - i") SYNC("d?") UPDATE("got = v"))),
        "system S, R;"),
    /* Plain integers that comparisons of sums, multiples and disjunctions bound. */
    MODEL(
        "const int N = 4; int a, b, c, s;",
        TEMPLATE("P", "", "int n, m = 7, half;",
                 LOCATION("u") INVARIANT("v", "n &lt;= 12 and m &gt;= -3") INIT("u") EDGE(
                     "u", "u", GUARD("a + b &lt; N &amp;&amp; c == 0") UPDATE("a++, s = a + 2 * b"))
                     EDGE("u", "u", GUARD("a &gt; 0") UPDATE("a--, b++")) EDGE(
                         "u", "u", GUARD("!(b &lt;= 0 || a != 0)") UPDATE("b--, c++, m = s - c"))
                         EDGE("u", "v", GUARD("c &gt; 0 and 3 * c - s &lt; 5") UPDATE("c--, n = m"))
                             EDGE("v", "v", GUARD("n &lt; 12 imply m &gt; 20") UPDATE("n = n - 1"))
                                 EDGE("v", "v",
                                      SELECT("i : int[-12,12]") GUARD("2 * i == n + 1 or i == -m")
                                          UPDATE("half = i, m = m - 1"))
                                     EDGE("v", "u", GUARD("n - m &gt;= -2") UPDATE("n = half"))),
        "system P;"),
    /* What a guard has read is no more what the update finds: senders and hooks write between. */
    MODEL("chan c; int g = 3, h, ticks; after_update { ticks = ticks == 9 ? 0 : ticks + 3 }",
          TEMPLATE("S", "", "int k;",
                   LOCATION("a") INIT("a") EDGE("a", "a",
                                                GUARD("k &lt; 6 &amp;&amp; g &lt; 9") SYNC("c!")
                                                    UPDATE("g = 20 - k, k++"))
                       EDGE("a", "a", GUARD("g &gt; 10") UPDATE("g = h - g, h = 0")))
              TEMPLATE("R", "", "int x, y;",
                       LOCATION("a") INIT("a") EDGE("a", "a",
                                                    GUARD("g &lt;= 3 and x + y &lt; 30") SYNC("c?")
                                                        UPDATE("x = g, y = -x, h = x - 1"))
                           EDGE("a", "a",
                                GUARD("x &gt; 15 and ticks &lt; 4") UPDATE("x = ticks, y = x"))),
          "system S, R;"),
};

enum { MODELS = sizeof models / sizeof *models, CHOICES = 5, STATE_LIMIT = 1500 };
static const uint64_t budgets[] = {0, 3, 150};

/* Marks all slots of some variables; choice 0 is none, 1 is all. */
static bool *choose_removed(struct sample *sample, int choice) {
    const struct network *network = sample->network;
    bool *is_removed = ARENA_ARRAY(&sample->arena, bool, network->slot_count + 1);
    bool is_chosen = false;
    srand((unsigned)choice * 7919u + network->slot_count);
    for (uint32_t i = 0; i < network->slot_count; i++) {
        if (i == 0 || network->slots[i].symbol != network->slots[i - 1].symbol)
            is_chosen = choice == 1 || (choice && rand() % 2);
        is_removed[i] = is_chosen;
    }
    return is_removed;
}

static struct analysis *judge_one(struct sample *sample, const char *name, const bool *is_removed,
                                  enum approximation approximation, uint64_t budget, int choice) {
    struct analysis_options options = {
        .approximation = approximation, .budget = budget, .is_must = choice % 2 == 0};
    struct analysis *analysis =
        analyse(&sample->arena, sample->network, is_removed, &options, &sample->diag);
    if (!analysis) { /* more location vectors than a small budget */
        ck_assert_uint_gt(budget, 0);
        return NULL;
    }
    struct judge result = {.analysis = analysis, .arena = &sample->arena};
    judge(&result, STATE_LIMIT);
    ck_assert_msg(!result.complaint, "%s, choice %d, budget %u, %s: %s", name, choice,
                  (unsigned)budget, approximation == APPROX_COMBINED ? "combined" : "template",
                  result.complaint);
    return analysis;
}

static void judge_sample(struct sample *sample, const char *name) {
    for (int choice = 0; choice < CHOICES; choice++) {
        const bool *is_removed = choose_removed(sample, choice);
        for (size_t b = 0; b < sizeof budgets / sizeof *budgets; b++) {
            struct analysis *modular =
                judge_one(sample, name, is_removed, APPROX_TEMPLATE, budgets[b], choice);
            struct analysis *combined =
                judge_one(sample, name, is_removed, APPROX_COMBINED, budgets[b], choice);
            if (budgets[b]) continue;
            const char *outside = judge_inclusion(&sample->arena, combined, modular);
            ck_assert_msg(!outside, "%s, choice %d: combined is coarser: %s", name, choice,
                          outside);
        }
    }
}

START_TEST(exploration_stays_within_the_analysis) {
    struct sample sample;
    sample_open(&sample, models[_i]);
    judge_sample(&sample, "model");
    sample_close(&sample);
}
END_TEST

START_TEST(feature_models_stay_within_the_analysis) {
    DIR *directory = opendir("tests/models");
    ck_assert_ptr_nonnull(directory);
    int count = 0;
    for (struct dirent *entry; (entry = readdir(directory));) {
        size_t size = strlen(entry->d_name);
        if (size < 5 || strcmp(entry->d_name + size - 4, ".xml") != 0) continue;
        struct sample sample;
        struct buffer path = {0};
        buffer_printf(&path, "tests/models/%s", entry->d_name);
        sample_open_file(&sample, path.data);
        judge_sample(&sample, entry->d_name);
        sample_close(&sample);
        buffer_close(&path);
        count++;
    }
    closedir(directory);
    ck_assert_int_gt(count, 20);
}
END_TEST

Suite *approx_property_suite(void) {
    Suite *suite = suite_create("approx_property");
    TCase *cases = tcase_create("soundness");
    tcase_set_timeout(cases, 120);
    tcase_add_loop_test(cases, exploration_stays_within_the_analysis, 0, MODELS);
    tcase_add_test(cases, feature_models_stay_within_the_analysis);
    suite_add_tcase(suite, cases);
    return suite;
}
