/* OPTIONS - the command line as one table that feeds parsing and --help. */
#ifndef VARABS_CLI_OPTIONS_H
#define VARABS_CLI_OPTIONS_H

#include "abstract/guarantee.h"
#include "explore/verdict/verify.h"
#include "session/session.h"

/* name, argument (NULL = none), commands by their letters, help */
#define OPTIONS(X)                                                                                 \
    X(REMOVE, "--remove", "VAR[,VAR...]", "A",                                                     \
      "variables to remove: Template.name, or name where that is unambiguous, or .name for a "     \
      "global one; also one cell, name[2], or one field, name.f; for some processes only, "        \
      "Process.name or Set(RANGES).name with 3, 2..4, 2.. or ..3, and ; between several; may be "  \
      "repeated")                                                                                  \
    X(AUTO, "--auto", NULL, "A",                                                                   \
      "choose what to remove: with --may or --must all that `varabs suggest` finds to be exact; "  \
      "without, decide the queries by abstractions that get finer as long as they decide nothing") \
    X(MERGE, "--merge", "VAR:TYPE=EXPR", "A",                                                      \
      "a variable that replaces those that the expression reads, and has its value: "              \
      "'Voter.voted:int[0,1]=mem_vt>0'; may be repeated")                                          \
    X(SPEC, "--spec", "FILE.json", "A",                                                            \
      "removals and merges from a file, and which kind of abstraction; may be repeated")           \
    X(MAY, "--may", NULL, "AE", "may-abstraction: it has every step of the original")              \
    X(MUST, "--must", NULL, "AE", "must-abstraction: the original has every step of it")           \
    X(EXACT, "--exact", NULL, "E",                                                                 \
      "exact abstraction: each model follows every step of the other")                             \
    X(MUST_LOWER, "--must=lower", NULL, "A",                                                       \
      "the must-abstraction of the paper, for its figures; it guarantees nothing")                 \
    X(APPROX, "--approx", "template|combined", "AIS",                                              \
      "value analysis: each process on its own (default), or the product of all")                  \
    X(BUDGET, "--budget", "N", "AIS",                                                              \
      "evaluations per edge, and location vectors of --approx combined (default 20000)")           \
    X(DROP_PRIORITIES, "--drop-priorities", NULL, "A",                                             \
      "allow removals that are not exact in models with priorities")                               \
    X(COMMENTS, "--comments", NULL, "A",                                                           \
      "say in the comment of each edge and location that changed what it was made of")             \
    X(CHECKED, "--checked", "RESULT.json", "A",                                                    \
      "what `varabs check --full --json` said of the original, or of the abstract model that is "  \
      "written: more carries over if there are no deadlocks; may be repeated")                     \
    X(OUTPUT, "-o", "OUT", "AD",                                                                   \
      "the abstract model (default: IN.may.xml, .must.xml or .must-lower.xml beside IN); of "      \
      "`varabs draw` the drawing (default: IN.svg, or AFTER.svg beside AFTER)")                    \
    X(TEMPLATE, "--template", "NAME", "D", "draw only this template")                              \
    X(REPORT, "--report", "OUT.json", "A",                                                         \
      "the report (default: OUT.json beside OUT.xml; none for -o -)")                              \
    X(STUTTER, "--stutter", NULL, "AE",                                                            \
      "with --may: add loops, so that the output can stay wherever a run of the original may end " \
      "and liveness carries over; of `varabs certify`: count a state without steps as one with a " \
      "step to itself, so that dead ends that are hidden or added are noticed")                    \
    X(IGNORE, "--ignore", "VAR[,VAR...]", "CE",                                                    \
      "variables that are in both models and yet are not compared, named as for --remove; may be " \
      "repeated")                                                                                  \
    X(NAMES_FROM, "--names-from", "REPORT.json", "E",                                              \
      "the report of the abstraction, which says how processes were called before variables were " \
      "removed in some of them only")                                                              \
    X(QUERY, "--query", "Q", "ACS",                                                                \
      "a query to check, or to keep variables for, in place of those of the model; may be "        \
      "repeated")                                                                                  \
    X(QUERIES, "--queries", "FILE", "ACS", "the same for all queries of a query file (.q)")        \
    X(SEMANTICS, "--semantics", "uppaal|kripke", "AC",                                             \
      "whether time may pass for ever where nothing is urgent (uppaal, the default), so that "     \
      "runs may end there, or runs end in deadlocks only (kripke); matters for A<>, E[] and -->")  \
    X(CONCRETIZE, "--concretize", "CONCRETE.xml", "C",                                             \
      "look for each witness and counterexample in the model that this one is an abstraction of: " \
      "it may be there, too (--trace shows how), or break off because of removed variables; the "  \
      "exit status stays that of the verdicts, but is 5 if a limit ends the look")                 \
    X(FULL, "--full", NULL, "C", "explore everything, even if all queries are decided earlier")    \
    X(TRACE, "--trace", NULL, "C", "show a witness or counterexample where there is one")          \
    X(MAX_STATES, "--max-states", "N", "ACES", "give up after so many states of a model")          \
    X(MAX_MEMORY, "--max-memory", "SIZE", "ACES",                                                  \
      "give up when states need more bytes than this, such as 512M or 20G (default: 80 % of the "  \
      "memory available)")                                                                         \
    X(TIMEOUT, "--timeout", "SECONDS", "ACES", "give up after so many seconds")                    \
    X(JOBS, "--jobs", "N", "ACS", "threads (default: the number of processors)")                   \
    X(FIRST_LOOK, "--first-look", "N", "C",                                                        \
      "states after which their layout is chosen anew (default: 3000); for tests: a small number " \
      "makes small models go the way of large ones")                                               \
    X(INTERPRET, "--interpret", NULL, "C",                                                         \
      "evaluate expressions without compiling them; slow, for tests")                              \
    X(JSON, "--json", "FILE", "AICES",                                                             \
      "write the result as JSON: info instead of text, the others besides, unless FILE is -; "     \
      "with "                                                                                      \
      "--auto what became of the queries, round by round")                                         \
    X(MEASURE, "--measure", NULL, "S",                                                             \
      "explore the model and what removals leave of it, each up to --max-states (default "         \
      "100000) and --timeout (default 2), and say how many states there are")                      \
    X(REWRITE, "--rewrite", "OUT.xml", "I", "write the model back unchanged")                      \
    X(HELP, "--help", NULL, "AICESD", "show this text, or that of a command")                      \
    X(VERSION, "--version", NULL, "AICESD", "show the version")                                    \
    X(MANUAL, "--manual", "man|bash|zsh|fish", "A",                                                \
      "print the manual page, or what a shell needs to complete options")

enum option {
#define X(name, text, argument, commands, help) OPTION_##name,
    OPTIONS(X)
#undef X
        OPTION_COUNT
};

enum command {
    COMMAND_ABSTRACT,
    COMMAND_INFO,
    COMMAND_CHECK,
    COMMAND_CERTIFY,
    COMMAND_DRAW,
    COMMAND_SUGGEST,
    COMMAND_COUNT
};

struct option_text {
    const char *text, *argument, *commands, *help; /* commands: letters */
};
struct command_text {
    char letter;
    const char *name, *usage, *purpose;
};
struct status_text {
    enum status status;
    enum command command; /* 0 = any */
    const char *text;
};

enum { STATUS_TEXT_COUNT = 7 };

/* What --help, the manual page and completions are made of; all static. */
extern const struct status_text status_texts[STATUS_TEXT_COUNT];
const struct option_text *option_text(int option);
const struct command_text *command_text(enum command command);
const char *command_word(enum command command); /* "check"; NULL for abstracting */
bool option_belongs_to(int option, enum command command);

struct options {
    enum command command;
    const char *input, *second;       /* second: of certify and draw */
    const char *values[OPTION_COUNT]; /* the last given; "" for options without argument */
    const char **removals;            /* of certify: what is ignored */
    uint32_t removal_count;
    const char **checked;
    uint32_t checked_count;
    const char **merges, **specs;
    uint32_t merge_count, spec_count;
    struct query_source *queries;
    uint32_t query_count;
    struct abstract_options abstract;
    struct verify_options verify; /* limits that were not given are 0 */
};

/* False after an error, which is printed. */
bool options_parse(struct options *options, int argc, char **argv, struct arena *arena);
/* Help on a command; on all of them for COMMAND_ABSTRACT. */
void options_help(FILE *file, enum command command);

/* manual.c: prints the tables above as a manual page (mdoc) or completions. */
enum { MANUAL_COUNT = 4 };
extern const struct manual_format {
    const char *name;
    void (*print)(FILE *file);
} manual_formats[MANUAL_COUNT];

int command_abstract(const struct options *options);
int command_info(const struct options *options);
int command_check(const struct options *options);
int command_certify(const struct options *options);
int command_draw(const struct options *options);
int command_suggest(const struct options *options);

/* output.c: false (reported) if the file to write, if any, is one that is read or cannot be
 * written.
 */
bool output_is_usable(struct diag *diag, const struct options *options, const char *path,
                      const char *what);
/* output.c: where a result goes as text: NULL if standard output is for the JSON, standard error if
 * that could not be written, so that no verdict is lost. */
FILE *text_stream(const struct options *options, bool is_written);
/* decide_command.c: --auto without --may or --must. */
int command_decide(const struct options *options);
/* auto.c: for --auto, what is exact becomes the removals of the options; the queries are those that
 * the variables are kept for. Prints what they are. */
void auto_choose(struct session *session, struct options *options, const struct query *queries,
                 uint32_t count);
void auto_print(const struct session *session, const struct options *options);

/* Calls the processes of an abstract model what they were before, as its report says. False
 * (reported) if the file is no such report. */
bool rename_from(struct session *session, const char *path);
/* The names of all --ignore. */
const char **options_ignored(const struct options *options, struct arena *arena, uint32_t *count);
/* checked.c: takes over what the files of --checked say; output is the abstract model. */
bool read_checked(struct guarantees *guarantees, struct session *session,
                  const struct options *options, struct str output);

#endif
