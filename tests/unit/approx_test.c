/* The value analysis on models whose results were computed by hand; cases are named after the
 * rules of the analysis (A1 to A5, A7). */
#include "approx/analysis.h"

#include "approx/priority.h"
#include "approx_sample.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>

Suite *approx_suite(void);

static struct sample sample;

static void setup(void) { sample = (struct sample){0}; }
static void teardown(void) { sample_close(&sample); }

static void analyse_text(const char *text, const char *removed) {
    sample_open(&sample, text);
    sample_analyse(&sample, removed, APPROX_TEMPLATE, 0);
    ck_assert_ptr_nonnull(sample.analysis);
}

/* A1: order of locations. */

enum { NODES = 9 };

static uint32_t count_reachable(bool edge[NODES][NODES], uint32_t from) {
    bool seen[NODES] = {false};
    uint32_t count = 0;
    for (bool more = true; more;) {
        more = false;
        for (uint32_t i = 0; i < NODES; i++)
            for (uint32_t k = 0; k < NODES; k++)
                if (edge[i][k] && (i == from || seen[i]) && !seen[k]) seen[k] = more = true;
    }
    for (uint32_t i = 0; i < NODES; i++) count += seen[i];
    return count;
}

START_TEST(a1_ranks_are_those_of_the_closure) {
    struct arena arena;
    arena_init(&arena);
    srand((unsigned)_i);
    bool edge[NODES][NODES];
    uint32_t first[NODES + 1], target[NODES * NODES], count = 0;
    for (uint32_t i = 0; i < NODES; i++) {
        first[i] = count;
        for (uint32_t k = 0; k < NODES; k++) {
            edge[i][k] = rand() % (2 + _i % 9) == 0;
            if (edge[i][k]) target[count++] = k;
        }
    }
    first[NODES] = count;
    struct edge_graph graph = {NODES, first, target};
    const uint32_t *rank = priority_ranks(&arena, &graph);
    for (uint32_t i = 0; i < NODES; i++)
        for (uint32_t k = 0; k < NODES; k++) {
            uint32_t a = count_reachable(edge, i), b = count_reachable(edge, k);
            ck_assert_int_eq(rank[i]<rank[k], a> b || (a == b && i < k));
        }
    arena_close(&arena);
}
END_TEST

/* The postal model. */

START_TEST(postal_voter_remembers_her_way) {
    sample_open_file(&sample, "benchmarks/models/postal_3_2.xml");
    sample_analyse(&sample, "mem_dec", APPROX_TEMPLATE, 0);
    check_values(&sample, "Voter.idle", "mem_dec", "{0}");
    check_values(&sample, "Voter.waits", "mem_dec", "{1,2}");
    check_values(&sample, "Voter.has", "mem_dec", "{1,2}");
    check_values(&sample, "Voter.voted", "mem_dec", "{1,2}");
}
END_TEST

START_TEST(postal_votes_are_cast_last) {
    sample_open_file(&sample, "benchmarks/models/postal_3_2.xml");
    sample_analyse(&sample, "mem_vt mem_sg", APPROX_TEMPLATE, 0);
    check_values(&sample, "Voter.has", "mem_vt", "{0}");
    check_values(&sample, "Voter.voted", "mem_vt", "{0,1,2}");
    check_values(&sample, "Voter.has", "mem_sg", "{0}");
    check_values(&sample, "Voter.voted", "mem_sg", "{0,1}");
}
END_TEST

/* A2: the authority reads what the voter wrote in the same step. A3: one group for each cell. */
START_TEST(postal_declarations_are_groups_of_their_own) {
    sample_open_file(&sample, "benchmarks/models/postal_3_2.xml");
    sample_analyse(&sample, "dec_recv", APPROX_TEMPLATE, 0);
    ck_assert_str_eq(sample_shared(&sample, "sh_dec"), "{0,1,2}");
    const char *locations[] = {"Authority.coll_dec", "Authority.send_ep", "Authority.coll_vts"};
    const char *cells[] = {"dec_recv[0]", "dec_recv[1]", "dec_recv[2]"};
    for (int l = 0; l < 3; l++)
        for (int c = 0; c < 3; c++) check_values(&sample, locations[l], cells[c], "{0,1,2}");
    check_tuples(&sample, "Authority.send_ep", "dec_recv[0] dec_recv[2]",
                 "(0,0)(0,1)(0,2)(1,0)(1,1)(1,2)(2,0)(2,1)(2,2)");
    check_values(&sample, "Authority.coll_dec", "pack_sent[1]", "{0}");
    for (uint32_t p = 0; p < sample.network->process_count; p++)
        for (uint32_t g = 0; g < sample.analysis->processes[p].group_count; g++)
            ck_assert_uint_eq(sample.analysis->processes[p].groups[g].dimension, 1);
}
END_TEST

/* A2 and M6: guards read stable values, updates of receivers what the step has made of them. */

START_TEST(a2_receiver_reads_what_the_sender_wrote) {
    analyse_text(HANDSHAKE, "x y");
    ck_assert_str_eq(sample_shared(&sample, "v"), "{0,1,2}");
    check_values(&sample, "R.a", "x", "{0}");
    check_values(&sample, "R.b", "x", "{0,1,2}"); /* from M, not what the guard read */
    ck_assert(sample_reaches(&sample, "R", "d"));
    check_values(&sample, "R.d", "y", "{1,2}");
}
END_TEST

START_TEST(a2_overwritten_values_count) {
    analyse_text(MODEL("int[0,9] v;",
                       TEMPLATE("P", "", "",
                                LOCATION("a") INIT("a")
                                    EDGE("a", "a", GUARD("v == 0") UPDATE("v = 7, v = 0"))),
                       "system P;"),
                 "v");
    ck_assert_str_eq(sample_shared(&sample, "v"), "{0,7}");
}
END_TEST

/* A3: relations. */

START_TEST(a3_a_copy_stays_equal) {
    analyse_text(MODEL("",
                       TEMPLATE("P", "", "int[0,2] x, y;",
                                LOCATION("a") LOCATION("b") LOCATION("c") LOCATION("d") INIT("a")
                                    EDGE("a", "b", SELECT("s : int[0,2]") UPDATE("y = s")) EDGE(
                                        "b", "c", UPDATE("x = y")) EDGE("c", "d", GUARD("x != y"))),
                       "system P;"),
                 "x y");
    check_tuples(&sample, "P.c", "x y", "(0,0)(1,1)(2,2)");
    ck_assert(!sample_reaches(&sample, "P", "d"));
}
END_TEST

START_TEST(a3_a_guard_relates) {
    analyse_text(
        MODEL("",
              TEMPLATE("P", "", "int[0,2] x, y;",
                       LOCATION("a") LOCATION("b") LOCATION("c") INIT("a") EDGE(
                           "a", "b", SELECT("s : int[0,2], t : int[0,2]") UPDATE("x = s, y = t"))
                           EDGE("b", "c", GUARD("x + y == 3"))),
              "system P;"),
        "x y");
    check_tuples(&sample, "P.b", "x y", "(0,0)(0,1)(0,2)(1,0)(1,1)(1,2)(2,0)(2,1)(2,2)");
    check_tuples(&sample, "P.c", "x y", "(1,2)(2,1)");
    check_values(&sample, "P.c", "x", "{1,2}");
}
END_TEST

START_TEST(a3_a_flow_through_a_function_relates) {
    analyse_text(MODEL("",
                       TEMPLATE("P", "",
                                "int[0,2] x, y; int twice(int v) { int w = v; return w * 2; }"
                                "void move() { if (y &lt; 2) x = twice(y); else x = 0; }",
                                LOCATION("a") LOCATION("b") LOCATION("c") INIT("a")
                                    EDGE("a", "b", SELECT("s : int[0,2]") UPDATE("y = s"))
                                        EDGE("b", "c", UPDATE("move()"))),
                       "system P;"),
                 "x y");
    check_tuples(&sample, "P.c", "x y", "(0,0)(0,2)(2,1)");
}
END_TEST

START_TEST(a3_what_is_not_removed_stands_alone) {
    analyse_text(MODEL("",
                       TEMPLATE("P", "", "int[0,1] x, y;",
                                LOCATION("a") LOCATION("b") LOCATION("c") INIT("a")
                                    EDGE("a", "b", SELECT("s : int[0,1]") UPDATE("y = s, x = y"))
                                        EDGE("b", "c", GUARD("x == y"))),
                       "system P;"),
                 "x");
    check_tuples(&sample, "P.b", "x y", "(0,0)(0,1)(1,0)(1,1)");
}
END_TEST

/* Relations of more tuples than the limit, or of too many cells, are given up, not the result. */
START_TEST(a3_large_relations_fall_apart) {
    analyse_text(
        MODEL("",
              TEMPLATE("P", "", "int[0,99] x, y; int[0,1] array[20], bit;",
                       LOCATION("a") LOCATION("b") LOCATION("c") INIT("a") EDGE(
                           "a", "b", SELECT("s : int[0,99], t : int[0,99]") UPDATE("x = s, y = t"))
                           EDGE("b", "c", GUARD("x + y == 150"))
                               EDGE("c", "c",
                                    SELECT("i : int[0,19], s : int[0,1]") GUARD("array[i] == bit")
                                        UPDATE("array[i] = s"))),
              "system P;"),
        "x y array bit");
    check_tuples(&sample, "P.b", "x y", "too many");
    ck_assert(sample_reaches(&sample, "P", "c"));
    check_values(&sample, "P.c", "array[19]", "{0,1}");
    check_values(&sample, "P.c", "bit", "{0}");
}
END_TEST

/* A4: visible variables cut edges. */
START_TEST(a4_visible_variables_cut_edges) {
    analyse_text(MODEL("bool flag;",
                       TEMPLATE("P", "", "int[0,3] x; int[0,3] phase;",
                                LOCATION("a") LOCATION("b") LOCATION("c") LOCATION("d") INIT("a")
                                    EDGE("a", "b", UPDATE("phase = 2"))
                                        EDGE("b", "c", GUARD("phase == 2") UPDATE("x = 1"))
                                            EDGE("b", "d", GUARD("phase == 1") UPDATE("x = 2"))
                                                EDGE("b", "d", GUARD("flag") UPDATE("x = 3"))),
                       "system P;"),
                 "x");
    check_values(&sample, "P.c", "x", "{1}");
    ck_assert(!sample_reaches(&sample, "P", "d"));
    ck_assert(sample_fact(&sample, "P", 1)->is_reached &&
              !sample_fact(&sample, "P", 2)->is_reached);
}
END_TEST

/* A4: who waits on a channel waits for some other process. */

#define WAITS(declarations, left, right, system)                                                   \
    MODEL("chan c, d, e[2]; broadcast chan s; int[0,1] x; " declarations,                          \
          TEMPLATE("P", "chan &amp;r", "",                                                         \
                   LOCATION("a") LOCATION("b") LOCATION("l") BRANCHPOINT("x") INIT("a") left)      \
              TEMPLATE("Q", "", "",                                                                \
                       LOCATION("a") LOCATION("b") LOCATION("l") BRANCHPOINT("x") INIT("a")        \
                           right),                                                                 \
          "R = P(c); T = P(c); " system)

static const struct {
    const char *model;
    bool is_reached; /* P.b */
} waits[] = {
    {WAITS("", EDGE("a", "b", SYNC("c?")), EDGE("a", "b", SYNC("c!")), "system R, Q;"), true},
    {WAITS("", EDGE("a", "b", SYNC("c!")), EDGE("a", "b", SYNC("c?")), "system Q, R;"), true},
    {WAITS("", EDGE("a", "b", SYNC("c?")), EDGE("a", "b", SYNC("c?")), "system R, Q;"), false},
    {WAITS("", EDGE("a", "b", SYNC("c!")), EDGE("a", "b", SYNC("d?")), "system R, Q;"), false},
    /* Never there, or later. */
    {WAITS("", EDGE("a", "b", SYNC("c?")), EDGE("b", "b", SYNC("c!")), "system R, Q;"), false},
    {WAITS("", EDGE("a", "b", SYNC("c?")),
           EDGE("a", "b", GUARD("false")) EDGE("b", "b", SYNC("c!")), "system R, Q;"),
     false},
    {WAITS("", EDGE("a", "b", SYNC("c?")), EDGE("a", "b", "") EDGE("b", "b", SYNC("c!")),
           "system R, Q;"),
     true},
    {WAITS("", EDGE("a", "l", SYNC("d!")) EDGE("l", "b", SYNC("c?")),
           EDGE("a", "l", SYNC("d?")) EDGE("l", "b", SYNC("c!")), "system R, Q;"),
     true},
    {WAITS("", EDGE("a", "b", SYNC("c?")), EDGE("a", "b", GUARD("false") SYNC("c!")),
           "system R, Q;"),
     false},
    /* Not with itself. */
    {WAITS("", EDGE("a", "b", SYNC("c?")) EDGE("a", "l", SYNC("c!")), "", "system R, Q;"), false},
    {WAITS("", EDGE("a", "b", SYNC("c?")) EDGE("a", "l", SYNC("c!")), "", "system R, T;"), true},
    {WAITS("", EDGE("a", "b", SYNC("c?")) EDGE("a", "l", SYNC("c!")), EDGE("a", "b", SYNC("c?")),
           "system R, Q;"),
     false},
    /* Broadcasts. */
    {WAITS("", EDGE("a", "b", SYNC("s!")), "", "system R, Q;"), true},
    {WAITS("", EDGE("a", "b", SYNC("s?")), EDGE("a", "b", SYNC("s?")), "system R, Q;"), false},
    {WAITS("", EDGE("a", "b", SYNC("s?")), EDGE("a", "b", SYNC("s!")), "system R, Q;"), true},
    /* By other names. */
    {WAITS("", EDGE("a", "b", SYNC("r?")), EDGE("a", "b", SYNC("c!")), "system R, Q;"), true},
    {WAITS("", EDGE("a", "b", SYNC("r?")), EDGE("a", "b", SYNC("d!")), "system R, Q;"), false},
    {WAITS("", EDGE("a", "b", SYNC("e[x]?")), EDGE("a", "b", SYNC("e[0]!")), "system R, Q;"), true},
    {WAITS("", EDGE("a", "b", SYNC("c?")), EDGE("a", "b", SYNC("(x == 0 ? c : d)!")),
           "system R, Q;"),
     true},
    {WAITS("", EDGE("a", "b", SYNC("(x == 0 ? d : c)?")), EDGE("a", "b", SYNC("c!")),
           "system R, Q;"),
     true},
    /* Branchpoints: which label counts is not looked at. */
    {WAITS("", EDGE("a", "b", SYNC("c?")), EDGE("a", "x", "") EDGE("x", "b", SYNC("c!")),
           "system R, Q;"),
     true},
    {WAITS("", EDGE("a", "x", SYNC("c?")) EDGE("x", "b", ""), "", "system R, Q;"), true},
};

START_TEST(a4_who_waits_for_nobody_stays) {
    analyse_text(waits[_i].model, "x");
    ck_assert(sample_reaches(&sample, "P", "b") == waits[_i].is_reached);
}
END_TEST

/* A5: budgets. */

START_TEST(a5_counters_are_widened) {
    analyse_text(MODEL("int[0,30000] g;",
                       TEMPLATE("P", "", "int[0,30000] n, k; int[0,2] mem;",
                                LOCATION("a") LOCATION("b") INIT("a") EDGE(
                                    "a", "a",
                                    SELECT("s : int[0,2]") GUARD("n &lt; 30000") UPDATE(
                                        "n++, k = g, mem = s")) EDGE("a", "a", UPDATE("g = g + 1"))
                                    EDGE("a", "b", GUARD("n &gt; 100 &amp;&amp; mem == 1"))),
                       "system P;"),
                 "mem n");
    check_values(&sample, "P.a", "n", "0..30000");
    check_values(&sample, "P.a", "mem", "{0,1,2}");
    check_values(&sample, "P.b", "mem",
                 "{1}"); /* the other conjunct is past the budget, this one is not */
    ck_assert_uint_lt(sample.analysis->evaluation_count, 1000000);
    ck_assert(sample_fact(&sample, "P", 2)->is_incomplete);
    ck_assert_uint_gt(sample.analysis->notes.count, 0);
}
END_TEST

START_TEST(a5_items_past_the_budget_write_anything) {
    analyse_text(MODEL("int[0,1] c[40];",
                       TEMPLATE("P", "", "int[0,9] x, y, z, w;",
                                LOCATION("a") LOCATION("b") INIT("a")
                                    EDGE("a", "b",
                                         SELECT("s : int[0,1000000]")
                                             UPDATE("x = 3, y = sum(i : int[0,39]) c[i],"
                                                    "w = s % 2"))
                                        EDGE("a", "a", SELECT("i : int[0,39]") UPDATE("c[i] = 1"))),
                       "system P;"),
                 "x y z w");
    check_values(&sample, "P.b", "x", "{3}"); /* it comes first */
    check_values(&sample, "P.b", "y", "{0,1,2,3,4,5,6,7,8,9}");
    check_values(&sample, "P.b", "z", "{0}");
    check_values(&sample, "P.b", "w", "{0,1}"); /* an interval is known */
}
END_TEST

START_TEST(a5_endless_loops_end) {
    analyse_text(MODEL("",
                       TEMPLATE("P", "",
                                "int[0,9] x; int[0,3] y;"
                                "void spin() { int i; while (true) { i = 1 - i; } x = 1; }",
                                LOCATION("a") LOCATION("b") INIT("a")
                                    EDGE("a", "b", UPDATE("y = 2, spin()"))),
                       "system P;"),
                 "x y");
    check_values(&sample, "P.b", "x", "{0,1,2,3,4,5,6,7,8,9}");
    check_values(&sample, "P.b", "y", "{2}");
}
END_TEST

START_TEST(a5_any_budget_is_sound) {
    sample_open(&sample, HANDSHAKE);
    sample_analyse(&sample, "x y", APPROX_TEMPLATE, (uint64_t)_i + 1);
    ck_assert(sample_reaches(&sample, "R", "b") && sample_reaches(&sample, "R", "d"));
    const struct template *receiver = sample_template(&sample, "R");
    const struct value_set *x =
        analysis_values(sample.analysis, receiver, sample_location(receiver, "b"),
                        sample_symbol(&sample, receiver, "x"), 0, false);
    ck_assert(value_set_has(x, 1) && value_set_has(x, 2));
}
END_TEST

/* A7: invariants. */

#define BOUNDED                                                                                    \
    MODEL("int[0,3] g;",                                                                           \
          TEMPLATE("P", "", "int[0,3] x, y;",                                                      \
                   LOCATION("a") INVARIANT("b", "x &lt;= 1") INVARIANT("c", "y &lt;= g") INIT("a") \
                       EDGE("a", "b", SELECT("s : int[0,3]") UPDATE("x = s"))                      \
                           EDGE("a", "c", SELECT("s : int[0,3]") UPDATE("y = s"))),                \
          "system P;")

START_TEST(a7_invariants_refine) {
    analyse_text(BOUNDED, "x y");
    check_values(&sample, "P.b", "x", "{0,1}");
    check_values(&sample, "P.c", "y", "{0,1,2,3}"); /* g may change later in the step */
}
END_TEST

START_TEST(a7_invariants_over_removed_do_not_refine_for_must) {
    sample_open(&sample, BOUNDED);
    sample.is_must = true;
    sample_analyse(&sample, "x", APPROX_TEMPLATE, 0);
    check_values(&sample, "P.b", "x", "{0,1,2,3}");
    sample_analyse(&sample, "y", APPROX_TEMPLATE, 0);
    check_values(&sample, "P.b", "x", "{0,1}");
}
END_TEST

/* Constructs. */

START_TEST(references_lead_to_globals) {
    analyse_text(MODEL("int[0,5] g, h;",
                       TEMPLATE("P", "int[0,5] &amp;r, const int k", "int[0,5] x;",
                                LOCATION("a") LOCATION("b") INIT("a")
                                    EDGE("a", "b", UPDATE("r = k, x = r"))),
                       "A = P(g, 1); B = P(h, 4); system A, B;"),
                 "x");
    ck_assert_str_eq(sample_shared(&sample, "g"), "{0,1}");
    ck_assert_str_eq(sample_shared(&sample, "h"), "{0,4}");
    check_values(&sample, "P.b", "x", "{1,4}");
    check_values(&sample, "P.b", "r", "{0,1,4}"); /* one parameter, two variables */
}
END_TEST

START_TEST(process_sets_are_united) {
    analyse_text(MODEL("typedef int[1,3] id_t;",
                       TEMPLATE("P", "const id_t i", "int[0,9] x;",
                                LOCATION("a") LOCATION("b") INIT("a")
                                    EDGE("a", "b", GUARD("i != 2") UPDATE("x = i * i"))),
                       "system P;"),
                 "x");
    check_values(&sample, "P.a", "x", "{0}");
    check_values(&sample, "P.b", "x", "{1,9}");
}
END_TEST

START_TEST(update_hooks_may_do_anything) {
    sample_open(&sample, MODEL("int[0,3] g, h; before_update { g = 2 } after_update { h = 1 }",
                               TEMPLATE("P", "", "int[0,3] x, y;",
                                        LOCATION("a") LOCATION("b") INIT("a")
                                            EDGE("a", "b", GUARD("g == 0") UPDATE("x = g, y = h"))),
                               "system P;"));
    sample_analyse(&sample, "x y", _i ? APPROX_COMBINED : APPROX_TEMPLATE, 0);
    ck_assert_str_eq(sample_shared(&sample, "g"), "0..3");
    ck_assert_str_eq(sample_shared(&sample, "h"), "0..3");
    check_values(&sample, "P.b", "x", "{0,1,2,3}"); /* not what the guard has read */
}
END_TEST

START_TEST(branchpoints_are_passed) {
    analyse_text(
        MODEL("int[0,5] g;",
              TEMPLATE("P", "", "int[0,5] x, y;",
                       LOCATION("a") LOCATION("b") LOCATION("c") BRANCHPOINT("s") INIT("a") EDGE(
                           "a", "s", GUARD("x == 0") UPDATE("x = 3, g = 4")) EDGE("s", "b",
                                                                                  UPDATE("y = x"))
                           EDGE("s", "c", SELECT("k : int[1,2]") UPDATE("y = g + 0 * k, x = k"))),
              "system P;"),
        "x y");
    check_values(&sample, "P.branchpoint", "x", "{3}");
    check_tuples(&sample, "P.b", "x y", "(3,3)");
    check_tuples(&sample, "P.c", "x y", "(1,0)(1,4)(2,0)(2,4)");
}
END_TEST

START_TEST(loops_write_arrays) {
    analyse_text(MODEL("",
                       TEMPLATE("P", "",
                                "int[0,9] cell[4]; void fill(int v) { int i;"
                                "for (i = 0; i &lt; 4; i++) cell[i] = i + v; }"
                                "void clear() { for (i : int[0,3]) cell[i] = 0; }",
                                LOCATION("a") LOCATION("b") LOCATION("c") INIT("a")
                                    EDGE("a", "b", SELECT("s : int[0,1]") UPDATE("fill(s)"))
                                        EDGE("b", "c", GUARD("cell[0] == 1") UPDATE("clear()"))),
                       "system P;"),
                 "P.cell");
    check_values(&sample, "P.b", "cell[0]", "{0,1}");
    check_values(&sample, "P.b", "cell[3]", "{3,4}");
    check_values(&sample, "P.c", "cell[3]", "{0}");
}
END_TEST

START_TEST(meta_variables_keep_what_is_read_later) {
    analyse_text(MODEL("",
                       TEMPLATE("P", "", "meta int[0,3] m = 2; int[0,3] x;",
                                LOCATION("a") LOCATION("b") LOCATION("c") INIT("a")
                                    EDGE("a", "b", UPDATE("m = 1, x = m"))
                                        EDGE("b", "c", GUARD("m == 2") UPDATE("x = m"))),
                       "system P;"),
                 "x");
    check_values(&sample, "P.b", "x", "{1}");
    ck_assert(!sample_reaches(&sample, "P", "c"));
}
END_TEST

START_TEST(faults_are_noticed) {
    analyse_text(
        MODEL("",
              TEMPLATE("P", "", "int[0,3] x, i; int[0,1] bit[2];",
                       LOCATION("a") LOCATION("b") LOCATION("c") INIT("a")
                           EDGE("a", "b", SELECT("s : int[0,3]") UPDATE("i = s, x = s"))
                               EDGE("b", "c", GUARD("bit[i] == 0") UPDATE("x = 0, x = x + 3, x++"))
                                   EDGE("b", "c",
                                        GUARD("i &lt; 2 &amp;&amp; bit[i] == 0")
                                            UPDATE("x = 3 / (i + 1)"))),
              "system P;"),
        "x i");
    ck_assert(!sample_fact(&sample, "P", 0)->guard_faults &&
              !sample_fact(&sample, "P", 0)->item_faults[1]);
    ck_assert(sample_fact(&sample, "P", 1)->guard_faults);
    ck_assert(!sample_fact(&sample, "P", 1)->item_faults[1] &&
              sample_fact(&sample, "P", 1)->item_faults[2]);
    ck_assert(!sample_fact(&sample, "P", 2)->guard_faults &&
              !sample_fact(&sample, "P", 2)->item_faults[0]);
}
END_TEST

static void add_modular_cases(Suite *suite) {
    TCase *cases = tcase_create("template");
    tcase_add_checked_fixture(cases, setup, teardown);
    tcase_add_test(cases, postal_voter_remembers_her_way);
    tcase_add_test(cases, postal_votes_are_cast_last);
    tcase_add_test(cases, postal_declarations_are_groups_of_their_own);
    tcase_add_test(cases, a2_receiver_reads_what_the_sender_wrote);
    tcase_add_test(cases, a2_overwritten_values_count);
    tcase_add_test(cases, a3_a_copy_stays_equal);
    tcase_add_test(cases, a3_a_guard_relates);
    tcase_add_test(cases, a3_a_flow_through_a_function_relates);
    tcase_add_test(cases, a3_what_is_not_removed_stands_alone);
    tcase_add_test(cases, a3_large_relations_fall_apart);
    tcase_add_test(cases, a4_visible_variables_cut_edges);
    tcase_add_loop_test(cases, a4_who_waits_for_nobody_stays, 0,
                        (int)(sizeof waits / sizeof *waits));
    tcase_add_test(cases, a5_counters_are_widened);
    tcase_add_test(cases, a5_items_past_the_budget_write_anything);
    tcase_add_test(cases, a5_endless_loops_end);
    tcase_add_loop_test(cases, a5_any_budget_is_sound, 0, 12);
    tcase_add_test(cases, a7_invariants_refine);
    tcase_add_test(cases, a7_invariants_over_removed_do_not_refine_for_must);
    suite_add_tcase(suite, cases);
}

static void add_construct_cases(Suite *suite) {
    TCase *cases = tcase_create("constructs");
    tcase_add_checked_fixture(cases, setup, teardown);
    tcase_add_test(cases, references_lead_to_globals);
    tcase_add_test(cases, process_sets_are_united);
    tcase_add_loop_test(cases, update_hooks_may_do_anything, 0, 2);
    tcase_add_test(cases, branchpoints_are_passed);
    tcase_add_test(cases, loops_write_arrays);
    tcase_add_test(cases, meta_variables_keep_what_is_read_later);
    tcase_add_test(cases, faults_are_noticed);
    suite_add_tcase(suite, cases);
}

Suite *approx_suite(void) {
    Suite *suite = suite_create("approx");
    TCase *ranks = tcase_create("ranks");
    tcase_add_loop_test(ranks, a1_ranks_are_those_of_the_closure, 0, 60);
    suite_add_tcase(suite, ranks);
    add_modular_cases(suite);
    add_construct_cases(suite);
    return suite;
}
