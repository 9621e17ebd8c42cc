/* Fairness: what names stand for, tags in comments, and fair runs of graphs against the definitions
 * on random ones. */
#include "explore/fair/lasso.h"
#include "explore/fair/named.h"
#include "explore/fair/tag.h"

#include "approx_sample.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

Suite *fair_suite(void);

enum { NODES = 5, CONSTRAINTS = 3, ROUNDS = 4000 };

static struct ledger ledger; /* to which all has to come back */
static struct arena arena;
static struct fair_sets sets;
static struct fair_graph graph;
static uint32_t seed;

static void start(void) {
    ledger = (struct ledger){0};
    arena_init(&arena);
    fair_sets_init(&sets, &arena);
    fair_graph_init(&graph, &sets, &ledger);
}

static void stop(void) {
    fair_graph_close(&graph);
    ck_assert_uint_eq(ledger.used, 0);
    arena_close(&arena);
}

/* Graphs as texts: a node is the letters of the constraints that it enables, and `>` for each edge,
 * with the number of a node, or `x` for out of the graph, and the letters of those it takes. */

static uint64_t read_letters(const char **at) {
    uint64_t set = 0;
    for (; **at >= 'a' && **at < 'a' + CONSTRAINTS; ++*at) set |= UINT64_C(1) << (**at - 'a');
    return set;
}

static bool read_graph(const char *at) {
    while (*at) {
        uint64_t enabled = read_letters(&at);
        while (*at == '>') {
            uint32_t target = *++at == 'x' ? FAIR_OUT : (uint32_t)(*at - '0');
            at++;
            if (!rows_add_step(&graph.rows, target, fair_sets_add(&sets, read_letters(&at))))
                return false;
        }
        if (!fair_graph_add_node(&graph, fair_sets_add(&sets, enabled))) return false;
        at += *at == ' ';
    }
    return true;
}

/* "wa sbc": w weak, s strong, - avoid, k keep, m meet, and letters. */
static struct fair_question read_question(const char *at) {
    struct fair_question question = {0};
    while (*at) {
        uint64_t *set = *at == 'w'   ? &question.weak
                        : *at == 's' ? &question.strong
                        : *at == '-' ? &question.avoid
                        : *at == 'k' ? &question.keep
                                     : &question.meet;
        at++;
        *set |= read_letters(&at);
        at += *at == ' ';
    }
    return question;
}

/* The nodes of each good part, by their first ones: "01 3". */
static const char *parts_text(const struct fair_parts *parts) {
    static char text[2 * NODES + 1];
    uint32_t count = 0;
    for (uint32_t i = 0; i < graph.rows.count; i++) {
        bool is_first = parts->of[i] != FAIR_NO_PART;
        for (uint32_t k = 0; k < i; k++) is_first &= parts->of[k] != parts->of[i];
        if (is_first && count) text[count++] = ' ';
        for (uint32_t k = i; k < graph.rows.count && is_first; k++)
            if (parts->of[k] == parts->of[i]) text[count++] = (char)('0' + k);
    }
    text[count] = 0;
    return text;
}

static const struct {
    const char *name, *graph, *question, *parts;
} rows[] = {
    {"a loop", ">0", "", "0"},
    {"no loop", ">1 ", "", ""},
    {"a step out is none", ">x", "", ""},
    {"two parts", ">0>1 >1", "", "0 1"},
    {"enabled for ever and not taken", "a>0", "wa", ""},
    {"taken", "a>0a", "wa", "0"},
    {"taken by a step out only", "a>0>xa", "wa", ""},
    {"not enabled for ever", "a>1 >0", "wa", "01"},
    {"but again and again", "a>1 >0", "sa", ""},
    {"strong, and what is left has a run", "a>1 >0>1", "sa", "1"},
    {"weak, and the whole has one", "a>1 >0>1", "wa", "01"},
    {"left out twice", "a>1 b>2 >0>1>2", "sab", "2"},
    {"taken elsewhere in the part", "ab>1 b>0b", "wab", "01"},
    {"never enabled", ">0", "wab sc", "0"},
    {"to be avoided", "a>0a", "-a", ""},
    {"avoided on the way round", "a>1a>1 >0", "-a", "01"},
    {"kept", "a>0 >1", "ka", "0"},
    {"met", "a>0>1 >1", "ma", "0"},
    {"met only where a strong one is left out", "ab>1 >0>1", "ma sb", ""},
    {"avoided, met, and fair to another", "ab>0a>1b >0", "-a ma wb", "01"},
};

START_TEST(good_parts_are_found) {
    struct fair_question question = read_question(rows[_i].question);
    struct fair_parts parts;
    ck_assert(read_graph(rows[_i].graph));
    ck_assert(fair_find(&graph, &question, &parts));
    ck_assert_msg(!strcmp(parts_text(&parts), rows[_i].parts), "%s: \"%s\"", rows[_i].name,
                  parts_text(&parts));
    ck_assert_int_eq(parts.has_any, *rows[_i].parts != 0);
    fair_parts_close(&graph, &parts);
}
END_TEST

/* The definitions */

static uint32_t roll(uint32_t below) {
    seed = seed * 1664525u + 1013904223u;
    return (seed >> 8) % below;
}

static uint64_t roll_set(void) { return roll(2) ? 0 : roll(1 << CONSTRAINTS); }

/* Each node leads to the next one, so that all are reached from the first. */
static void make_graph(uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        uint64_t enabled = roll_set();
        if (i + 1 < count) ck_assert(rows_add_step(&graph.rows, i + 1, 0));
        for (uint32_t k = roll(3); k > 0; k--) {
            uint64_t taken = roll_set();
            enabled |= taken;
            ck_assert(rows_add_step(&graph.rows, roll(count), fair_sets_add(&sets, taken)));
        }
        ck_assert(fair_graph_add_node(&graph, fair_sets_add(&sets, enabled)));
    }
}

static uint64_t enabled_in(uint32_t node) { return fair_set(&sets, graph.enabled[node]); }

/* What a run sees that goes round for ever. */
struct seen {
    uint64_t taken, all, some;
};

static bool is_answer(const struct fair_question *question, const struct seen *seen) {
    return !(question->weak & ~seen->taken & seen->all) &&
           !(question->strong & ~seen->taken & seen->some) && !(question->avoid & seen->taken) &&
           !(question->keep & ~seen->all) && !(question->meet & ~seen->some);
}

/* The nodes of a set that one of them leads to inside it, in one step or more. */
static uint32_t reached_from(uint32_t node, uint32_t inside, uint64_t avoid, struct seen *seen) {
    uint32_t reached = 0, queue[NODES * NODES + 1] = {node}, count = 1;
    for (uint32_t head = 0; head < count; head++)
        for (uint64_t k = graph.rows.first[queue[head]]; k < graph.rows.first[queue[head] + 1];
             k++) {
            struct fair_edge edge = fair_edge(&graph, k);
            uint64_t taken = fair_set(&sets, edge.tags);
            if (!(inside >> edge.target & 1) || taken & avoid) continue;
            seen->taken |= taken;
            if (reached >> edge.target & 1) continue;
            reached |= 1u << edge.target;
            queue[count++] = edge.target;
        }
    return reached;
}

/* Whether some set of nodes can be visited for ever, by all edges between them. */
static bool has_run(const struct fair_question *question) {
    for (uint32_t inside = 1; inside < 1u << graph.rows.count; inside++) {
        struct seen seen = {0, UINT64_MAX, 0};
        bool is_strong = true;
        for (uint32_t i = 0; i < graph.rows.count; i++) {
            if (!(inside >> i & 1)) continue;
            is_strong &= reached_from(i, inside, question->avoid, &seen) == inside;
            seen.all &= enabled_in(i);
            seen.some |= enabled_in(i);
        }
        if (is_strong && is_answer(question, &seen)) return true;
    }
    return false;
}

static void check_lasso(const struct fair_question *question, const struct fair_parts *parts) {
    struct fair_lasso lasso;
    struct seen seen = {0, UINT64_MAX, 0};
    ck_assert(fair_lasso(&graph, question, parts, &arena, &lasso));
    ck_assert_uint_eq(lasso.nodes[0], 0);
    ck_assert_uint_lt(lasso.loop + 1, lasso.count);
    ck_assert_uint_eq(lasso.nodes[lasso.loop], lasso.nodes[lasso.count - 1]);
    for (uint32_t i = 0; i + 1 < lasso.count; i++) {
        uint64_t edge = graph.rows.first[lasso.nodes[i]] + lasso.choices[i];
        ck_assert_uint_lt(edge, graph.rows.first[lasso.nodes[i] + 1]);
        ck_assert_uint_eq(graph.rows.targets[edge], lasso.nodes[i + 1]);
        if (i < lasso.loop) continue;
        seen.taken |= fair_set(&sets, graph.rows.labels[edge]);
        seen.all &= enabled_in(lasso.nodes[i]);
        seen.some |= enabled_in(lasso.nodes[i]);
    }
    ck_assert(is_answer(question, &seen));
    if (!question->meet) return;
    ck_assert_uint_ge(lasso.met, lasso.loop);
    ck_assert(enabled_in(lasso.nodes[lasso.met]) & question->meet);
}

START_TEST(runs_are_those_of_the_definitions) {
    uint32_t found = 0;
    for (seed = 1; seed <= ROUNDS; seed++) {
        uint32_t own = seed;
        start();
        make_graph(1 + roll(NODES));
        struct fair_question question = {roll_set(), roll_set(), roll_set(), 0, 0};
        *(roll(2) ? &question.keep : &question.meet) = roll_set();
        struct fair_parts parts;
        ck_assert(fair_find(&graph, &question, &parts));
        ck_assert_msg(parts.has_any == has_run(&question), "seed %u", own);
        if (parts.has_any) check_lasso(&question, &parts);
        found += parts.has_any;
        fair_parts_close(&graph, &parts);
        stop();
        seed = own;
    }
    ck_assert_uint_gt(found, ROUNDS / 10);
    ck_assert_uint_lt(found, ROUNDS - ROUNDS / 10);
}
END_TEST

START_TEST(limits_leave_nothing_behind) {
    uint32_t failed = 0;
    struct fair_question question = read_question("sa wb");
    for (size_t size = 1; size < 20000; size += 300) {
        struct fair_parts parts = {0};
        struct fair_lasso lasso;
        start();
        ledger.max_size = size;
        bool is_fine = read_graph("a>1 b>0>1b>2 >2") && fair_find(&graph, &question, &parts) &&
                       fair_lasso(&graph, &question, &parts, &arena, &lasso);
        failed += !is_fine;
        if (parts.of) fair_parts_close(&graph, &parts);
        stop();
    }
    ck_assert_uint_ge(failed, 5120 / 300); /* four arrays of the graph: 256 items each */
    ck_assert_uint_lt(failed, 10000 / 300);
}
END_TEST

/* Names */

#define COMMENTS(text) LABEL("comments", text)

static const char named[] =
    MODEL("broadcast chan a, c[2];",
          TEMPLATE("P", "const int[0,1] id", "broadcast chan d;",
                   LOCATION("s") INIT("s") EDGE("s", "s", COMMENTS("@t and @u(id, (1))")))
              TEMPLATE("Q", "", "", LOCATION("s") INIT("s") EDGE("s", "s", COMMENTS("see @a"))),
          "system P, Q;");

static const struct {
    const char *weak, *strong, *found;
} name_rows[] = {
    {"Q", NULL, "weak Q;"},
    {"P", NULL, "weak P(0); weak P(1);"},
    {"P(1)", NULL, "weak P(1);"},
    {"*", NULL, "weak P(0); weak P(1); weak Q;"},
    {"P(1)", "*", "weak P(1); strong P(0); strong P(1); strong Q;"},
    {"*", "Q", "weak P(0); weak P(1); weak Q; strong Q;"},
    {"c", NULL, "weak c channel;"},
    {"a", NULL, "weak a channel tag;"},
    {"@a", NULL, "weak @a tag;"},
    {"t", "@u", "weak t tag; strong @u tag;"},
    {"P(0).d", NULL, "weak P(0).d channel;"},
    {"@c", NULL, "there is no process, channel or tag '@c'; did you mean 'c'?"},
    {"P(2)", NULL, "there is no process, channel or tag 'P(2)'; did you mean 'P(0)'?"},
    {"d", NULL,
     "there is no process, channel or tag 'd'; `varabs info` lists the processes, and `varabs "
     "draw` shows the channels"},
    {"", NULL,
     "there is no process, channel or tag ''; `varabs info` lists the processes, and `varabs draw` "
     "shows the channels"},
    {"@", NULL,
     "there is no process, channel or tag '@'; `varabs info` lists the processes, and `varabs "
     "draw` shows the channels"},
};

static const char *constraints_text(const struct fair_constraints *constraints) {
    struct buffer text = {0};
    for (uint32_t i = 0; i < constraints->list.count; i++) {
        const struct fair_constraint *constraint = &constraints->list.items[i];
        buffer_printf(&text, "%s%s %s%s%s;", i ? " " : "",
                      constraint->is_strong ? "strong" : "weak", constraint->name,
                      constraint->channel ? " channel" : "", constraint->tag ? " tag" : "");
        uint64_t bit = UINT64_C(1) << i;
        ck_assert_int_eq((constraints->strong & bit) != 0, constraint->is_strong);
        ck_assert_int_eq((constraints->weak & bit) != 0, !constraint->is_strong);
        ck_assert_int_eq(constraint->process != NULL, !constraint->channel && !constraint->tag);
    }
    const char *result = text.size ? buffer_take(&text, &arena) : "";
    buffer_close(&text);
    return result;
}

START_TEST(names_are_processes_channels_and_tags) {
    struct sample sample;
    struct fair_constraints constraints;
    struct fair_names names = {.weak = &name_rows[_i].weak, .weak_count = 1};
    names.strong = &name_rows[_i].strong;
    names.strong_count = name_rows[_i].strong != NULL;
    sample_open(&sample, named);
    uint32_t used = 0;
    const char *problem = fair_resolve(&constraints, &arena, sample.network, &names, &used);
    ck_assert_str_eq(problem ? problem : constraints_text(&constraints), name_rows[_i].found);
    sample_close(&sample);
}
END_TEST

START_TEST(there_are_no_more_than_bits) {
    struct sample sample;
    struct fair_constraints constraints;
    const char *all[] = {"*"};
    struct fair_names names = {.weak = all, .weak_count = 1};
    for (uint32_t count = FAIR_MAX; count <= FAIR_MAX + 1; count++) {
        sample_open(
            &sample,
            arena_printf(&arena,
                         MODEL("", TEMPLATE("P", "const int[1,%u] id", "", LOCATION("s") INIT("s")),
                               "system P;"),
                         count));
        uint32_t used = 0;
        const char *problem = fair_resolve(&constraints, &arena, sample.network, &names, &used);
        ck_assert_int_eq(problem != NULL, count > FAIR_MAX);
        sample_close(&sample);
    }
}
END_TEST

/* Tags */

static const struct {
    const char *comment, *tags; /* "name" or "name(arguments)"; open: "name(" */
} tag_rows[] = {
    {"@t", "t"},
    {"free text", ""},
    {"@t @u_1\n@v", "t u_1 v"},
    {"see @t, @u.", "t u"},
    {"somebody@somewhere", ""},
    {"@@t", "t"},
    {"@1", ""},
    {"@", ""},
    {"text @", ""},
    {"@t(x, f(y))@u", "t(x, f(y)) u"},
    {"@t()", "t()"},
    {"@t (x)", "t"},
    {"@t((x)", "t("},
    {"@t(x @u", "t( u"},
};

START_TEST(tags_are_read_from_comments) {
    struct sample sample;
    struct buffer text = {0};
    struct tag tag;
    sample_open(
        &sample,
        arena_printf(
            &arena,
            MODEL("", TEMPLATE("P", "", "", LOCATION("s") INIT("s") EDGE("s", "s", COMMENTS("%s"))),
                  "system P;"),
            tag_rows[_i].comment));
    const struct edge *edge = &sample_template(&sample, "P")->edges[0];
    for (size_t at = 0; tag_next(edge, &at, &tag);) {
        buffer_printf(&text, "%s%.*s", text.size ? " " : "", (int)tag.name.size, tag.name.data);
        if (tag.is_open) buffer_add_text(&text, "(");
        if (tag.has_arguments)
            buffer_printf(&text, "(%.*s)", (int)tag.arguments.content.size,
                          tag.arguments.content.data);
        ck_assert(edge_has_tag(edge, tag.name));
    }
    ck_assert(!edge_has_tag(edge, str_of("none")));
    ck_assert_str_eq(text.size ? buffer_take(&text, &arena) : "", tag_rows[_i].tags);
    buffer_close(&text);
    sample_close(&sample);
}
END_TEST

#define COUNT(rows) (int)(sizeof(rows) / sizeof *(rows))

Suite *fair_suite(void) {
    Suite *suite = suite_create("fair");
    TCase *graphs = tcase_create("graphs"), *whole = tcase_create("runs"),
          *names = tcase_create("names");
    tcase_add_checked_fixture(graphs, start, stop);
    tcase_add_loop_test(graphs, good_parts_are_found, 0, COUNT(rows));
    tcase_set_timeout(whole, 60);
    tcase_add_test(whole, runs_are_those_of_the_definitions);
    tcase_add_test(whole, limits_leave_nothing_behind);
    tcase_add_checked_fixture(names, start, stop);
    tcase_add_loop_test(names, names_are_processes_channels_and_tags, 0, COUNT(name_rows));
    tcase_add_test(names, there_are_no_more_than_bits);
    tcase_add_loop_test(names, tags_are_read_from_comments, 0, COUNT(tag_rows));
    suite_add_tcase(suite, graphs);
    suite_add_tcase(suite, whole);
    suite_add_tcase(suite, names);
    return suite;
}
