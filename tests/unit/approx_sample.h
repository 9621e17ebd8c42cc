/* APPROX SAMPLE - small models written as C strings, and what the value analysis says of them. */
#pragma once

#include "approx/analysis.h"

#define MODEL(declarations, templates, system)                                                     \
    "<nta><declaration>" declarations "</declaration>" templates "<system>" system "</system></"   \
    "nta>"
#define TEMPLATE(name, parameters, declarations, body)                                             \
    "<template><name>" name "</name><parameter>" parameters                                        \
    "</parameter><declaration>" declarations "</declaration>" body "</template>"
/* Ids are unique in a template only; that is a warning. */
#define LOCATION(name) "<location id=\"" name "\"><name>" name "</name></location>"
#define COMMITTED(name) "<location id=\"" name "\"><name>" name "</name><committed/></location>"
#define INVARIANT(name, invariant)                                                                 \
    "<location id=\"" name "\"><name>" name "</name><label kind=\"invariant\">" invariant          \
    "</label></location>"
#define BRANCHPOINT(name) "<branchpoint id=\"" name "\"/>"
#define INIT(name) "<init ref=\"" name "\"/>"
#define LABEL(kind, text) "<label kind=\"" kind "\">" text "</label>"
#define EDGE(source, target, labels)                                                               \
    "<transition><source ref=\"" source "\"/><target ref=\"" target "\"/>" labels "</transition>"
#define SELECT(text) LABEL("select", text)
#define GUARD(text) LABEL("guard", text)
#define SYNC(text) LABEL("synchronisation", text)
#define UPDATE(text) LABEL("assignment", text)

struct sample {
    struct arena arena;
    struct interner names;
    struct diag diag;
    struct document document;
    struct model *model;
    struct network *network;
    bool *is_removed;
    bool is_must;
    struct analysis *analysis; /* NULL if it failed */
};

/* Parses and checks; NULL if the model has errors. */
struct model *sample_check(struct arena *arena, struct interner *names, struct document *document,
                           struct diag *diag);

/* Fails the test if the model is not valid. */
void sample_open(struct sample *sample, const char *text);
void sample_open_file(struct sample *sample, const char *path);
void sample_close(struct sample *sample);

/* Removes the variables with the names, separated by blanks: "x T.y". */
void sample_analyse(struct sample *sample, const char *removed, enum approximation approximation,
                    uint64_t budget);

const struct template *sample_template(const struct sample *sample, const char *name);
uint32_t sample_location(const struct template *template, const char *name);
/* A variable of a template, or of the model where the template has none. */
const struct symbol *sample_symbol(const struct sample *sample, const struct template *template,
                                   const char *name);

/* Sets as texts: "{0,1,2}", "0..7" for an interval. place: "T.location"; name: "x" or "x[2]", which
 * counts cells. */
const char *sample_values(struct sample *sample, const char *place, const char *name);
/* M of a variable of the model. */
const char *sample_shared(struct sample *sample, const char *name);
/* Joint values of two or more variables, separated by blanks: "(0,1)(1,0)", sorted. */
const char *sample_tuples(struct sample *sample, const char *place, const char *names);

bool sample_reaches(struct sample *sample, const char *template, const char *location);
const struct edge_fact *sample_fact(struct sample *sample, const char *template, uint32_t edge);

/* Fail the test if the text is another. */
void check_values(struct sample *sample, const char *place, const char *name, const char *expected);
void check_tuples(struct sample *sample, const char *place, const char *names,
                  const char *expected);

/* A receiver that sees another value in its update than in its guard. */
#define HANDSHAKE                                                                                  \
    MODEL("chan c; int[0,5] v;",                                                                   \
          TEMPLATE("S", "", "",                                                                    \
                   LOCATION("a") LOCATION("b") INIT("a")                                           \
                       EDGE("a", "b", SELECT("s : int[1,2]") SYNC("c!") UPDATE("v = s")))          \
              TEMPLATE("R", "", "int[0,5] x, y;",                                                  \
                       LOCATION("a") LOCATION("b") LOCATION("d") INIT("a")                         \
                           EDGE("a", "b", GUARD("v == 0") SYNC("c?") UPDATE("x = v, v = 0"))       \
                               EDGE("b", "d", GUARD("v &gt; 0") UPDATE("y = v"))),                 \
          "system S, R;")
