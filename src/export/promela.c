/* A loop of choices around C functions. */
#include "export/promela.h"

#include "explore/successor/assemble.h"
#include "export/program_c.h"
#include "export/unit_c.h"

#include <inttypes.h>

enum {
    MAX_CODE = 60000, /* bytes of C code that Spin takes in a model */
    SPIN_BYTES = 512  /* more than Spin adds to a state; by default it takes states of 1024 */
};

/* The state of Spin differs from a packed one by the initial state, so that it starts with zeros.
 */
static const char GLUE[] =
    "static uint64_t from[WORDS], to[WORDS];\n"
    "static void show(const unsigned long long *state) {\n"
    "    int i;\n"
    "    for (i = 0; i < STORED; i++) from[i] = state[i] ^ INITIAL[i];\n"
    "}\n"
    "static int can(const unsigned long long *state, int choice) {\n"
    "    show(state);\n"
    "    return try_step(from, to, choice);\n"
    "}\n"
    "static void go(unsigned long long *state, int choice) {\n"
    "    int i;\n"
    "    show(state);\n"
    "    try_step(from, to, choice);\n"
    "    for (i = 0; i < STORED; i++) state[i] = to[i] ^ INITIAL[i];\n"
    "}\n"
    "static int holds(const unsigned long long *state, int (*predicate)(uint64_t *)) {\n"
    "    int result;\n"
    "    show(state);\n"
    "    load(to, from);\n"
    "    result = predicate(to);\n"
    "    if (result == 2) {\n"
    "        fprintf(stderr, \"a query cannot be evaluated in some state\\n\");\n"
    "        exit(2);\n"
    "    }\n"
    "    return result == 1;\n"
    "}\n";

/* Comments end where a comment ends. */
static void write_comment(struct buffer *out, struct str text) {
    for (size_t i = 0; i < text.size; i++) {
        char c = text.data[i];
        bool is_end = c == '/' && i && text.data[i - 1] == '*';
        if (c == '\n' || c == '\r') c = ' ';
        buffer_add(out, is_end ? " /" : &c, is_end ? 2 : 1);
    }
}

/* What pan is compiled with: it ends at states that are larger than VECTORSZ bytes. */
static const char *options_of(const struct program *program, struct arena *arena) {
    uint64_t bytes = (uint64_t)program->layout->stored_words * sizeof(uint64_t);
    if (bytes <= SPIN_BYTES) return "-O2 -DNOREDUCE";
    return arena_printf(arena, "-O2 -DNOREDUCE -DVECTORSZ=%" PRIu64, bytes + SPIN_BYTES);
}

static void write_head(struct buffer *out, const char *name, const char *options) {
    buffer_add_text(out, "/* Made by varabs from ");
    write_comment(out, str_of(name));
    buffer_printf(out,
                  ", for Spin 6.\n"
                  " * All states, as many as `varabs check --full` counts:\n"
                  " *     spin -a FILE.pml; cc %s -DNOCLAIM -o pan pan.c; ./pan -E -m10000000\n"
                  " * Without -E it stops at a deadlock. A query, with its number:\n"
                  " *     cc %s -o pan pan.c; ./pan -a -N query_1 -m10000000\n"
                  " */\n",
                  options, options);
}

static bool is_exported(const struct query *query) {
    return query->quantifier == QUERY_ALWAYS || query->quantifier == QUERY_POSSIBLY;
}

/* C functions and claims of the queries. */
static void write_queries(struct buffer *out, struct buffer *claims, struct program *program) {
    const struct model *model = program->network->model;
    for (uint32_t i = 0; i < model->query_count; i++) {
        const struct query *query = &model->queries[i];
        bool is_always = query->quantifier == QUERY_ALWAYS, is_usable = is_exported(query);
        char name[40];
        struct unit unit;
        if (query->quantifier == QUERY_EMPTY) continue;
        snprintf(name, sizeof name, "holds_%" PRIu32, i + 1);
        if (is_usable) {
            unit_begin(program->compiler);
            unit_predicate(program->compiler, query->predicate, false);
            unit_end(program->compiler, &unit);
            is_usable = unit_is_writable(program, &unit);
            if (is_usable) unit_write(out, program, &unit, name);
        }
        buffer_printf(claims, "\n/* Query %" PRIu32 ": ", i + 1);
        write_comment(claims, query->xml->formula->text.content);
        if (is_usable)
            buffer_printf(claims,
                          "%s */\n#define p_%" PRIu32 " (c_expr { (holds(now.words, holds_%" PRIu32
                          ")) })\nltl query_%" PRIu32 " { [] %sp_%" PRIu32 " }\n",
                          is_always ? "" : "\n   Satisfied where the claim is violated.", i + 1,
                          i + 1, i + 1, is_always ? "" : "!", i + 1);
        else
            buffer_add_text(claims, "\n   Not exported: only A[] and E<> are, of predicates that "
                                    "can be compiled. */\n");
    }
}

static void write_process(struct buffer *out, uint32_t choices) {
    buffer_add_text(out, "\nactive proctype network() {\n    do\n");
    if (!choices) buffer_add_text(out, "    :: false\n");
    for (uint32_t i = 0; i < choices; i++)
        buffer_printf(out,
                      "    :: d_step { c_expr { (can(now.words, %" PRIu32
                      ")) } -> c_code { go(now.words, %" PRIu32 "); } }\n",
                      i, i);
    buffer_add_text(out, "    od\n}\n");
}

static void write_code(struct promela *promela, const struct buffer *code, const char *include) {
    struct buffer *out = &promela->model;
    buffer_add_text(out, "c_decl {\n\\#include <stdint.h>\n\\#include <stdio.h>\n\\#include "
                         "<stdlib.h>\n");
    if (code->size <= MAX_CODE) {
        buffer_add(out, code->data, code->size);
    } else {
        buffer_printf(out, "\\#include \"%s\"\n", include);
        buffer_add(&promela->code, code->data, code->size);
    }
    buffer_add_text(out, "}\n");
}

/* Everything that depends on the program. */
static bool write_all(struct promela *promela, struct program *program, const char *include) {
    struct buffer *out = &promela->model, claims = {0}, code = {0};
    uint32_t choices;
    bool is_fine = export_program(&code, program, &choices);
    if (is_fine) {
        write_queries(&code, &claims, program);
        buffer_add_text(&code, GLUE);
        write_code(promela, &code, include);
        buffer_printf(out, "c_state \"unsigned long long words[%" PRIu32 "]\" \"Global\"\n",
                      program->layout->stored_words);
        write_process(out, choices);
        if (claims.size) buffer_add(out, claims.data, claims.size);
    }
    buffer_close(&claims);
    buffer_close(&code);
    return is_fine;
}

bool export_promela(struct promela *promela, const struct network *network, const char *name,
                    const char *include) {
    struct arena arena;
    arena_init(&arena);
    *promela = (struct promela){0};
    struct program *program = export_prepare(&arena, network);
    if (program) write_head(&promela->model, name, options_of(program, &arena));
    bool is_fine = program && write_all(promela, program, include);
    if (program) program_close(program);
    arena_close(&arena);
    return is_fine;
}

/* Frees both texts. */
void promela_close(struct promela *promela) {
    buffer_close(&promela->model);
    buffer_close(&promela->code);
}
