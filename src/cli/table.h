/* TABLE - options and commands as tables that feed parsing, help, manual page and completions.
 * Lifetime: everything is static. */
#pragma once

#include "command/command.h"

/* name, text, argument (NULL = none), commands by their letters (NULL = all), group, where it goes
 * in a request (options.c), help. What an option means to one command in particular is said in
 * help.c. */
#define OPTIONS(X)                                                                                 \
    X(REMOVE, "--remove", "VAR[,VAR...]", "AG", WHAT, LIST(REMOVE),                                \
      "variables to remove: Template.name, or name where that is unambiguous, or .name for a "     \
      "global one; name[2] is one cell, name.f one field; name@LOC,LOC removes a local variable "  \
      "in these locations only, where it rests at its initial value, or at 2 with LOC:=2; "        \
      "Process.name or Set(RANGES).name with 3, 2..4, 2.. or ..3, and ; between several, in "      \
      "these processes only; may be repeated")                                                     \
    X(MERGE, "--merge", "VAR:TYPE=EXPR", "AG", WHAT, LIST(MERGE),                                  \
      "a variable that replaces those that the expression reads, and has its value: "              \
      "'Voter.has_voted:int[0,1]=mem_vt>0'; with @LOC,LOC after it in these locations only; "      \
      "Process.name and Set(RANGES).name as for --remove; may "                                    \
      "be repeated")                                                                               \
    X(SPEC, "--spec", "FILE.json", "AG", WHAT, LIST(SPEC),                                         \
      "removals, merges, values to exchange and which kind of abstraction, from a file; may be "   \
      "repeated")                                                                                  \
    X(WITHOUT, "--without", "PROCESS[,PROCESS...]|*", "A", WHAT, TEXT(without),                    \
      "take out processes of the system line that no query, and no other process, depends on; "    \
      "* for all of them that can go without a query losing its verdict, as --auto does")          \
    X(AUTO, "--auto", NULL, "AG", WHAT, FLAG(is_auto),                                             \
      "all that `varabs suggest` finds to be exact; without --may or --must the same as "          \
      "`varabs decide`")                                                                           \
    X(INEXACT, "--inexact", NULL, "A", WHAT, FLAG(is_inexact),                                     \
      "with --auto --may: also make the merges that `varabs suggest` proposes although they are "  \
      "not exact, or lose some query; the report says why, and which verdicts carry over")         \
    X(MAY, "--may", NULL, "AEG", KIND, FLAG(has_mode),                                             \
      "may-abstraction (over-approximation): it has every step of the original")                   \
    X(MUST, "--must", NULL, "AEG", KIND, FLAG(has_mode),                                           \
      "must-abstraction (under-approximation): the original has every step of it")                 \
    X(MUST_LOWER, "--must=lower", NULL, "A", KIND, FLAG(has_mode),                                 \
      "the must-abstraction of the paper, for its figures; it guarantees nothing")                 \
    X(MIXED, "--mixed", NULL, "A", KIND, FLAG(has_mode),                                           \
      "mixed abstraction: a may-abstraction whose edges say which steps are certain, so that "     \
      "`varabs check` finds what holds in the original, what does not, and what is unknown")       \
    X(FAVOUR, "--favour", "AGENT[,AGENT...]", "A", KIND, TEXT(abstract.favour),                    \
      "with --mixed: write a model for <<AGENT, ...>> G, W and R alone, without marks that only "  \
      "varabs reads: these agents have the moves that are certain, the others all")                \
    X(EXACT, "--exact", NULL, "E", KIND, NOTHING,                                                  \
      "exact abstraction: each model follows every step of the other")                             \
    X(UNTIME, "--untime", NULL, "AQ", KIND, FLAG(abstract.untimes),                                \
      "with --may: every condition on a clock counts as true, so that the output has no "          \
      "time; with `decide`: decide on that output the queries that do not depend on time")         \
    X(STUTTER, "--stutter", NULL, "AEG", KIND, FLAG(abstract.stutters),                            \
      "with --may: add loops, so that the output can stay wherever a run of the original "         \
      "may end; then verdicts about liveness carry over")                                          \
    X(ASSUME_LIVE, "--assume-live", NULL, "A", KIND, FLAG(abstract.assumes_live),                  \
      "with --may: assume that the original never gets stuck, as verdicts about liveness need; "   \
      "each that rests on it says so")                                                             \
    X(EXPLORE, "--explore", NULL, "A", KIND, FLAG(explores),                                       \
      "with --may: explore the original and the output, and call the abstraction exact if both "   \
      "have the same steps")                                                                       \
    X(OBSERVE, "--observe", NULL, "E", KIND, FLAG(observes),                                       \
      "also compare what agents see, if one of the models declares observations: each agent "      \
      "has to see the same of both models")                                                        \
    X(DROP_PRIORITIES, "--drop-priorities", NULL, "AQG", KIND, FLAG(abstract.drops_priorities),    \
      "allow removals that are not exact in models with priorities")                               \
    X(CHECKED, "--checked", "RESULT.json", "A", KIND, LIST(CHECKED),                               \
      "the result of `varabs check --full --json` for the original, or for the abstract "          \
      "model that is written: if there are no deadlocks, more verdicts carry over; may be "        \
      "repeated")                                                                                  \
    X(QUERY, "--query", "Q", "ACSQG", QUERIES, NOTHING,                                            \
      "a query in place of those of the model; may be repeated")                                   \
    X(QUERIES, "--queries", "FILE", "ACSQG", QUERIES, NOTHING,                                     \
      "the same for all queries of a query file (.q)")                                             \
    X(SEMANTICS, "--semantics", "uppaal|kripke", "CQG", QUERIES, CHOICE,                           \
      "uppaal (the default): time may pass for ever where nothing is urgent, so that runs "        \
      "may end there; kripke: runs end in deadlocks only; matters for A<>, E[] and -->")           \
    X(IGNORE, "--ignore", "VAR[,VAR...]", "CE", COMPARE, NAMES(IGNORE),                            \
      "variables that are in both models and yet are not compared, named as for --remove; may be " \
      "repeated")                                                                                  \
    X(VISIBLE, "--visible", "NAME[,NAME...]", "R", COMPARE, NAMES(VISIBLE),                        \
      "channels whose steps are actions, and tags of edges without channel (@name: only a tag); "  \
      "default: all channels of the abstract model; may be repeated")                              \
    X(HIDE, "--hide", "NAME[,NAME...]", "R", COMPARE, NAMES(HIDE),                                 \
      "channels and tags (@name: only a tag) that are not actions, although --visible or the "     \
      "default says so; may be repeated")                                                          \
    X(ACTIONS, "--actions", "FILE.json", "R", COMPARE, TEXT(actions),                              \
      "actions from a file, in place of --visible: which channel or tag each is in each of the "   \
      "models, and which values it has")                                                           \
    X(MODEL, "--model", "traces|failures", "R", COMPARE, CHOICE,                                   \
      "compare the sequences of actions (traces, the default), or also what is refused "           \
      "after each of them (failures)")                                                             \
    X(WEAK, "--weak", "NAME[,NAME...]", "CR", FAIR, NAMES(WEAK),                                   \
      "steps that are taken again and again if they are possible for ever: of a process, over a "  \
      "channel or with a tag (@name: only a tag), or of each process for itself (*); NAME(*): of " \
      "each cell of a channel, or each value of a tag's arguments, for itself; may be repeated")   \
    X(STRONG, "--strong", "NAME[,NAME...]", "CR", FAIR, NAMES(STRONG),                             \
      "the same if they are possible again and again")                                             \
    X(ABSTRACT_WEAK, "--abstract-weak", "NAME[,NAME...]", "R", FAIR, NAMES(ABSTRACT_WEAK),         \
      "steps of the abstract model that fair runs of the concrete one have to be weakly fair to; " \
      "the abstract model has to be deterministic")                                                \
    X(ABSTRACT_STRONG, "--abstract-strong", "NAME[,NAME...]", "R", FAIR, NAMES(ABSTRACT_STRONG),   \
      "the same, strongly")                                                                        \
    X(FULL, "--full", NULL, "CR", SEARCH, FLAG(verify.search.is_full),                             \
      "explore everything, even if all queries are decided earlier")                               \
    X(ENGINE, "--engine", "auto|explicit|symbolic", "CEG", SEARCH, CHOICE,                         \
      "visit one state at a time (explicit), or work on sets of states (symbolic). "               \
      "Symbolic is much faster for many similar processes, and always explores "                   \
      "everything; it takes no priorities and no --max-states. By default (auto) both "            \
      "take turns until one is done")                                                              \
    X(SYMMETRY, "--symmetry", "auto|off|report", "CEGQS", SEARCH, CHOICE,                          \
      "store one state for all states that differ only by an exchange of names or processes: "     \
      "if the first states show that it pays (auto, the default), never (off), or wherever an "    \
      "exchange is possible, with the explicit engine (report); figures count all states")         \
    X(TRACE, "--trace", NULL, "CQR", SEARCH, FLAG(verify.wants_traces),                            \
      "show a witness or counterexample where there is one")                                       \
    X(CONCRETIZE, "--concretize", "CONCRETE.xml", "C", SEARCH, NOTHING,                            \
      "look for each witness and counterexample in the original, of which this model is "          \
      "an abstraction: it is a run of the original (--trace shows it), or spurious "               \
      "because of removed variables; the report beside this model says what of both is "           \
      "compared; the exit status is that of the verdicts, or 5 if a limit ends the search")                                                                     \
    X(MEASURE, "--measure", NULL, "S", SEARCH, FLAG(is_long),                                      \
      "explore the model with and without the removals, and count the states: each up to "         \
      "--max-states, or else with both engines for as long as 400000 states take, in place "       \
      "of 20000")                                                                                  \
    X(NO_LOOK, "--no-look", NULL, "Q", SEARCH, FLAG(has_no_look),                                  \
      "begin with abstractions at once, and do not explore the original first")                    \
    X(APPROX, "--approx", "template|combined", "AISQG", VALUES, CHOICE,                            \
      "value analysis: each process on its own (default), or the product of all")                  \
    X(BUDGET, "--budget", "N", "AISQG", VALUES, COUNT(abstract.analysis.budget, 1000000000),       \
      "evaluations per edge, and location vectors of --approx combined (default 20000)")           \
    X(OUTPUT, "-o", "OUT", "ADX", OUTPUT, NOTHING,                                                 \
      "the abstract model (default: IN.may.xml, .must.xml, .must-lower.xml, .mixed.xml or "        \
      ".favour.xml beside IN)")                                                                    \
    X(TO, "--to", "promela|scalars", "X", OUTPUT, CHOICE,                                          \
      "what to write: a model for Spin (promela), or for Uppaal with types as scalar sets")        \
    X(REPORT, "--report", "REPORT.json", "AE", OUTPUT, NOTHING,                                    \
      "the report (default: OUT.json beside OUT.xml; none for -o -)")                              \
    X(COMMENTS, "--comments", NULL, "A", OUTPUT, FLAG(abstract.explains),                          \
      "say in the comment of each edge and location that changed what it was made of")             \
    X(AGENTS, "--agents", NULL, "I", OUTPUT, FLAG(wants_agents),                                   \
      "list what each agent observes, and no variables; for queries about knowledge")              \
    X(TEMPLATE, "--template", "NAME", "D", OUTPUT, TEXT(template_name), "draw only this template") \
    X(JSON, "--json", "FILE", "ICERSQG", OUTPUT, NOTHING,                                          \
      "also write the result as JSON; with - only that, to standard output")                       \
    X(HTML, "--html", "FILE", "AICERSQG", OUTPUT, FLAG(wants_page),                                \
      "also write the result as a page for a browser: tables, drawings of the models with "        \
      "what is known of each edge, and runs to step through (check --trace)")                      \
    X(CSV, "--csv", "FILE.csv", "G", OUTPUT, NOTHING,                                              \
      "also write the table as comma-separated values")                                            \
    X(LATEX, "--latex", "FILE.tex", "G", OUTPUT, NOTHING,                                          \
      "also write the table for LaTeX; it needs the package booktabs")                             \
    X(MSC, "--msc", "FILE.svg", "C", OUTPUT, FLAG(wants_charts),                                   \
      "draw the witness or counterexample as a message sequence chart; for several queries each "  \
      "has the number of its query in the name")                                                   \
    X(RUN_MODEL, "--run-model", "FILE.xml", "C", OUTPUT, FLAG(wants_run_models),                   \
      "write the model in which only that run is possible, for the simulator of Uppaal; names as " \
      "for --msc")                                                                                 \
    X(MAX_STATES, "--max-states", "N", "ACERSQG", LIMITS,                                          \
      COUNT(verify.search.max_states, UINT64_MAX),                                                 \
      "give up after so many states of a model, such as 1M")                                       \
    X(MAX_MEMORY, "--max-memory", "SIZE", NULL, LIMITS, SIZE(verify.search.max_size),              \
      "give up when more bytes than this are needed, such as 512M or 1.5G (default: 90 % of the "  \
      "memory available)")                                                                         \
    X(TIMEOUT, "--timeout", "SECONDS", NULL, LIMITS, SECONDS(verify.search.max_seconds),           \
      "give up after so many seconds")                                                             \
    X(TRIES, "--tries", "N", "C", LIMITS, COUNT(verify.search.max_tries, UINT64_MAX / 2),          \
      "give up the search for a strategy after so many choices were tried (default 1M)")           \
    X(JOBS, "--jobs", "N", "CRSQG", LIMITS, NUMBER(verify.search.jobs, 1024),                      \
      "threads (default: the number of processors)")                                               \
    X(PROGRESS, "--progress", "auto|always|never", NULL, OUTPUT, CHOICE,                           \
      "show the progress of long work on standard error: on a terminal a line that is "            \
      "rewritten, elsewhere a line every 30 seconds (auto, the default) or every second "          \
      "(always)")                                                                                  \
    X(QUIET, "--quiet", NULL, NULL, OUTPUT, NOTHING,                                               \
      "print no text and no progress; the exit status gives the verdict, and all files that "      \
      "options name are written, also standard output as in --json -")                             \
    X(HELP, "--help", NULL, NULL, OTHER, NOTHING, "show this text")                                \
    X(VERSION, "--version", NULL, NULL, OTHER, NOTHING, "show the version")                        \
    X(MANUAL, "--manual", "man|queries|language|gui|bash|zsh|fish", NULL, OTHER, CHOICE,           \
      "print the manual page of the command (man) or of a topic, or what a shell needs to "        \
      "complete options")                                                                          \
    X(FIRST_LOOK, "--first-look", "N", "CE", HIDDEN, COUNT(verify.search.first_look, UINT64_MAX),  \
      "states after which their layout is chosen anew (default: 3000); a small number makes "      \
      "small models go the way of large ones")                                                     \
    X(LOOK, "--look", "N", "Q", HIDDEN, COUNT(look, UINT32_MAX),                                   \
      "states of the first look at the model without removals (default: 100000)")                  \
    X(SHUFFLE, "--shuffle", "SEED", "CE", HIDDEN, COUNT(verify.shuffle, UINT32_MAX),               \
      "of sets of states: take the variables in an order at random, in short turns, and "          \
      "collect what is not needed all the time")                                                   \
    X(INTERPRET, "--interpret", NULL, "C", HIDDEN, FLAG(verify.search.interprets),                 \
      "evaluate expressions without compiling them; slow")                                         \
    X(NAMES_FROM, "--names-from", "REPORT.json", "E", HIDDEN, NOTHING, "the same as --report")     \
    X(REWRITE, "--rewrite", "OUT.xml", "I", HIDDEN, TEXT(rewritten),                               \
      "write the model back unchanged")                                                            \
    X(WORDS, "--words", NULL, "I", HIDDEN, FLAG(wants_words),                                      \
      "list the names of the variables, for completions")

/* What options are about, in the order in which help lists them. */
#define OPTION_GROUPS(X)                                                                           \
    X(WHAT, "what to remove")                                                                      \
    X(KIND, "which kind of abstraction")                                                           \
    X(QUERIES, "queries")                                                                          \
    X(COMPARE, "what to compare")                                                                  \
    X(FAIR, "fairness")                                                                            \
    X(SEARCH, "search")                                                                            \
    X(VALUES, "value analysis")                                                                    \
    X(OUTPUT, "output")                                                                            \
    X(LIMITS, "limits")                                                                            \
    X(OTHER, "other")                                                                              \
    X(HIDDEN, "for tests and completions") /* in no help, manual page or completion */

enum option {
#define X(name, text, argument, commands, group, meaning, help) OPTION_##name,
    OPTIONS(X)
#undef X
        OPTION_COUNT
};

enum option_group {
#define X(name, title) GROUP_##name,
    OPTION_GROUPS(X)
#undef X
        GROUP_COUNT
};

struct option_text {
    const char *text, *argument, *commands; /* commands: letters */
    enum option_group group;
    const char *help;
};

const struct option_text *option_text(int option);
/* "queries" */
const char *group_title(enum option_group group);
/* "check" */
const char *command_word(enum command command);
/* Whether letters are for the command; NULL is for all, and "!AB" for all but A and B. */
bool letters_include(const char *letters, enum command command);
/* Whether an option may be given, and whether help says so. */
bool option_belongs_to(int option, enum command command);
bool option_is_shown(int option, enum command command);
