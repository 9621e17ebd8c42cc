/* The texts of `varabs help`, and how it lays them out. */
#include "cli/help.h"

#include <assert.h>
#include <string.h>

static const struct command_text commands[COMMAND_COUNT] = {
    [COMMAND_ABSTRACT] =
        {"varabs",
         "varabs IN.xml --remove VAR[,VAR...][@LOC[,LOC...]]... --may|--must|--mixed "
         "[options]\n"
         "varabs IN.xml --merge VAR:TYPE=EXPR[@LOC[,LOC...]]... --may|--must|--mixed [options]\n"
         "varabs IN.xml --spec FILE.json... [--may|--must|--mixed] [--query Q]... [options]\n"
         "varabs IN.xml --auto --may|--must [--query Q]... [options]",
         "",
         "Removes variables from an Uppaal model. Writes the abstract model, for Uppaal "
         "or for `varabs check`, and a JSON report that says which verdicts carry over to the "
         "original. --remove, --merge and --spec go together.",
         "varabs asv.xml --remove mem_vt --may\n"
         "varabs postal_3_2.xml --auto --may\n"
         "varabs postal_3_2.xml --remove Voter.mem_dec@has,voted --may --stutter\n"
         "varabs asv.xml --merge 'Voter.has_voted:int[0,1]=mem_vt>0' --must -o voted.xml"},
    [COMMAND_INFO] =
        {"varabs info", "varabs info IN.xml [options]",
         "list templates and variables, and whether their removal is exact",
         "Lists the templates and variables of a model, and whether the removal of each variable, "
         "alone, would be exact.",
         "varabs info asv.xml\nvarabs info asv.xml --json -"},
    [COMMAND_SUGGEST] =
        {"varabs suggest", "varabs suggest IN.xml [--query Q]... [options]",
         "find variables whose removal is exact, or may save many states",
         "Finds removals that are exact because nothing reads the variables again, at "
         "least in some locations, and others that lose precision but may save many "
         "states. Variables that the queries name are kept.",
         "varabs suggest postal_3_2.xml\n"
         "varabs suggest postal_3_2.xml --measure --query 'A[] Authority.tally_1 <= 3'"},
    [COMMAND_DECIDE] =
        {"varabs decide", "varabs decide IN.xml [--query Q]... [options]",
         "decide queries, by abstractions that it finds",
         "Decides queries of a model by abstractions of it. It starts with everything removed that "
         "a query does not name, puts back the "
         "variables on which a spurious run depends, and stops with a verdict that "
         "carries over to the model. Writes no model.",
         "varabs decide asv.xml\n"
         "varabs decide asv.xml --query 'A[] Voter.obeyed imply Coercer.learned > 0'"},
    [COMMAND_CHECK] =
        {"varabs check", "varabs check IN.xml [--query Q]... [options]",
         "explore the states of a model and answer its queries",
         "Explores the states of a model until all its queries are decided. Without queries it "
         "explores everything, which counts states, deadlocks and runtime errors.",
         "varabs check asv.xml --trace\n"
         "varabs check postal_3_2.xml --full\n"
         "varabs check asv.xml --query 'E<> Coercer.informed' --json -"},
    [COMMAND_CERTIFY] =
        {"varabs certify",
         "varabs certify CONCRETE.xml ABSTRACT.xml --may|--must|--exact [options]",
         "compare any abstraction with the original",
         "Explores two models and decides whether the second is an abstraction of the first: as "
         "far as locations and the variables that both have are concerned, every step of one can "
         "be followed by the other. Shows a run that cannot be followed if there is one.",
         "varabs postal_3_2.xml --remove Voter.mem_sg,Voter.mem_vt --may\n"
         "varabs certify postal_3_2.xml postal_3_2.may.xml --exact"},
    [COMMAND_REFINES] =
        {"varabs refines", "varabs refines CONCRETE.xml ABSTRACT.xml [options]",
         "compare what two models do, by their actions",
         "Decides whether each sequence of actions of the first model is one of the "
         "second. A step over a visible channel is an action, with the indices of the "
         "channel; all other steps are hidden. If there is a run that the second model "
         "cannot follow, it is shown. The models need not be deterministic. With "
         "--abstract-weak and --abstract-strong, every fair run of the first model must "
         "also be fair in the second, which must be deterministic then; --weak and "
         "--strong say which runs of the first are fair.",
         "varabs refines mimpl_3.xml mspec_3.xml\n"
         "varabs refines mspec_3.xml spec_3.xml --visible move,clean --trace\n"
         "varabs refines spec_3.xml mspec_3.xml --hide clean --json -\n"
         "varabs refines mimpl_3.xml mspec_3.xml --strong @r1,@r2 --abstract-weak move"},
    [COMMAND_GRID] =
        {"varabs grid",
         "varabs grid IN.xml [--remove VAR[,VAR...]]... [--merge VAR:TYPE=EXPR]... "
         "[--spec FILE.json]... [--auto] [options]",
         "compare several abstractions of a model in one table",
         "Makes several abstractions of a model and explores each of them and the original: "
         "states, "
         "transitions and time, the verdict of each query, and whether it carries over to the "
         "original. Each --remove, --merge and --spec is an abstraction of its own. The table is "
         "text, CSV, LaTeX, JSON or a page.",
         "varabs grid postal_3_2.xml --remove mem_vt --remove mem_vt,mem_sg --auto\n"
         "varabs grid asv.xml --remove mem_vt --remove sh_vt --may --must --latex table.tex"},
    [COMMAND_DRAW] = {"varabs draw", "varabs draw IN.xml [AFTER.xml] [options]",
                      "draw a model, or what changed, as SVG or TikZ",
                      "Draws the templates of a model as SVG or for LaTeX, as Uppaal's editor "
                      "would; with a second model "
                      "what changed: new, removed and changed edges and locations are marked.",
                      "varabs draw asv.xml\n"
                      "varabs asv.xml --remove mem_vt --may\n"
                      "varabs draw asv.xml asv.may.xml -o changes.svg\n"
                      "varabs draw asv.xml -o asv.tex"},
    [COMMAND_EXPORT] =
        {"varabs export", "varabs export IN.xml --to promela|scalars [options]",
         "write a model for another model checker",
         "Writes the model for Spin. Its states are those that `varabs check` counts, and the "
         "queries A[] and E<> become claims: the head of the file says how to run them. What "
         "cannot be written is refused: priorities, channels with an index that depends on the "
         "state, meta variables that a step may read before it writes them, functions that are too "
         "large to be compiled. With --to scalars, writes the model for Uppaal, with integer types "
         "as scalar sets where that changes no verdict, so that Uppaal can use its symmetry "
         "reduction. For each other type it says why not, and where.",
         "varabs export postal_3_2.xml --to promela\n"
         "varabs export postal_3_2.xml --to scalars\n"
         "varabs export asv.xml --to promela -o - | head"},
};

/* What an option means to one command, where that is not what its table says. */
static const struct own_text {
    int option;
    const char *letters; /* of the commands */
    const char *help;
} own_texts[] = {
    {OPTION_QUERY, "A",
     "with --auto: keep the variables that this query names, in place of those of the model's "
     "queries; with a --spec that normalises: what this query asks; may be repeated"},
    {OPTION_REMOVE, "G",
     "variables to remove in one abstraction, named as in `varabs IN.xml --remove`; each --remove "
     "is "
     "an abstraction of its own"},
    {OPTION_MERGE, "G",
     "a variable that replaces others; each --merge is an abstraction of its own"},
    {OPTION_SPEC, "G",
     "an abstraction from a file, which gives the row its name; for removals in several scopes, or "
     "together with merges"},
    {OPTION_AUTO, "G",
     "one more abstraction, which removes all variables that `varabs suggest` finds "
     "to be exact"},
    {OPTION_MAY, "G", "may-abstractions (the default); with --must each abstraction of both kinds"},
    {OPTION_MUST, "G", "must-abstractions; with --may each abstraction of both kinds"},
    {OPTION_TIMEOUT, "G",
     "for each abstraction and each exploration: the row has - and the reason where it takes more "
     "than so many seconds"},
    {OPTION_MAX_MEMORY, "G",
     "for each row: it has - and the reason where more bytes than this are needed, such as 512M or "
     "1.5G (default: 90 % of the memory available)"},
    {OPTION_MAX_STATES, "G",
     "for each row: it has - and the reason past so many states, such as 1M"},
    {OPTION_QUERY, "S",
     "keep the variables that this query names, in place of those of the model's queries; may be "
     "repeated"},
    {OPTION_MAY, "E",
     "every step of the original is one of the abstract model, which simulates it"},
    {OPTION_MUST, "E",
     "every step of the abstract model is one of the original, which simulates it"},
    {OPTION_EXACT, "E", "both: each model follows every step of the other (a bisimulation)"},
    {OPTION_STUTTER, "E",
     "with --may and --must, a deadlock counts as a step to the same state: where one model is "
     "stuck, the other must be able to stay as it is, which a loop is enough for; --exact compares "
     "deadlocks in any case"},
    {OPTION_IGNORE, "C",
     "with --concretize: variables that are in both models and yet are not compared, named as for "
     "--remove; may be repeated"},
    {OPTION_REPORT, "E",
     "the report of the abstraction: variables that are removed in part (in some locations, cells "
     "or "
     "processes, or merged) are not compared, and processes are called what they were before "
     "(default: A.json beside A.xml, if it is about both models as they are)"},
    {OPTION_FULL, "R",
     "continue after an action that the abstract model cannot follow, to count "
     "everything"},
    {OPTION_TRACE, "R", "show hidden steps of the counterexample, too"},
    {OPTION_TRACE, "Q",
     "also show the runs of may-abstractions that are searched for in the original; "
     "a page always has them"},
    {OPTION_MAX_STATES, "R", "give up after so many states of a model, such as 1M"},
    {OPTION_OUTPUT, "D",
     "the drawing: SVG, or where the name ends in .tex a document for LaTeX with a picture of TikZ "
     "for "
     "each template (default: IN.svg, or AFTER.svg beside AFTER)"},
    {OPTION_OUTPUT, "X", "the model (default: IN.pml, or IN.scalars.xml)"},
    {OPTION_JSON, "I", "write JSON in place of the text"},
    {OPTION_JSON, "Q",
     "also write the rounds and verdicts of all queries as JSON; with - only that, "
     "to standard output"},
    {OPTION_MAX_STATES, "S", "with --measure: give up after so many states of a model"},
    {OPTION_TIMEOUT, "ADX",
     "write nothing, and end with status 5, if it takes more than so many seconds"},
    {OPTION_TIMEOUT, "IS", "end after so many seconds, with the results so far"},
    {OPTION_JOBS, "S", "with --measure: threads (default: the number of processors)"},
    {OPTION_BUDGET, "A",
     "evaluations per edge, past which the abstraction gets coarser, and location vectors of "
     "--approx combined, past which it ends with status 5 (default 20000)"},
};

const struct status_text status_texts[STATUS_TEXT_COUNT] = {
    {STATUS_DONE, "!CQER", "done"},
    {STATUS_DONE, "CQ", "done, and all queries are satisfied"},
    {STATUS_DONE, "E", "it is an abstraction"},
    {STATUS_DONE, "R", "the concrete model refines the abstract one"},
    {STATUS_VIOLATED, "CQ", "some query is violated"},
    {STATUS_VIOLATED, "E", "it is no such abstraction"},
    {STATUS_VIOLATED, "R", "it does not"},
    {STATUS_USAGE, NULL, "wrong usage"},
    {STATUS_INVALID, NULL, "the input cannot be read or is not valid Uppaal"},
    {STATUS_UNSUPPORTED, NULL,
     "valid, but not supported (clocks, doubles, dynamic templates, ...)"},
    {STATUS_LIMIT, "G", "some row is not complete"},
    {STATUS_LIMIT, "C", "of a mixed abstraction: some query is unknown"},
    {STATUS_LIMIT, NULL, "a budget, memory or time limit, a signal or a full disk ended the run"},
};

const struct word_text word_texts[WORD_TEXT_COUNT] = {
    {"A", "untimed", "without clocks, rates and doubles; clocks that nothing reads do not count"},
    {"AQEG", "may-abstraction",
     "an over-approximation, made by existential abstraction: it simulates the original, so it "
     "has all runs of the original, as far as they are visible, and perhaps more"},
    {"AQEG", "must-abstraction",
     "an under-approximation: the original simulates it, so its runs are runs of the original, "
     "as far as they are visible, and perhaps not all"},
    {"AC", "mixed abstraction",
     "a may-abstraction that marks the steps that are certain: queries on it are "
     "satisfied, violated or unknown, and the first two are verdicts of the original"},
    {"AIQESG", "exact",
     "both may and must: the two models are bisimilar on what is visible, and every "
     "verdict about states and runs carries over, both ways; verdicts about what a "
     "process knows do not, if it sees what is removed"},
    {"AQES", "visible", "locations, and the variables that are not removed"},
    {"A", "both",
     "in the table of verdicts: `satisfied` and `violated` carry over to the original"},
    {"A", "satisfied, violated", "in that table: only this verdict carries over"},
    {"A", "exact, upper bound, lower bound, encloses, is enclosed",
     "in that table, for sup, inf and bounds: how the values of the abstract model "
     "relate to those of the original"},
    {"A", "-", "in that table: nothing carries over; the note says why, and what would help"},
    {"G", "(satisfied)",
     "a verdict in parentheses is one of the abstraction, and does not carry over to the original"},
    {"G", "-", "no value: the query names what is removed, or a limit ended the row"},
    {"ACQG", "kripke, uppaal",
     "semantics of runs: they end in deadlocks only (kripke), or also where time may pass for ever "
     "(uppaal)"},
    {"I", "slot",
     "one number of a state: a plain variable has one slot, an array or struct one for each cell "
     "or "
     "field, and a variable of a template these in each process"},
    {"I", "readers, writers", "edges, locations and functions that name the variable"},
    {"I", "not exact, refused, unknown",
     "the removal loses something; it is not possible; there were too many variables to try"},
    {"S", "observed", "named by a query, and therefore kept"},
    {"S", "estimate",
     "the factor by which the number of value combinations shrinks, for one process "
     "and over its locations; --measure counts states instead"},
    {"R", "action", "a step over a visible channel, or one without channel that has a visible tag"},
    {"R", "tag", "@name in the comment of an edge, or @name(EXPRESSION, ...)"},
    {"R", "trace", "the actions of a run from the initial state, in their order"},
    {"R", "refuse", "what cannot be done next in a state without hidden steps"},
    {"R", "deterministic",
     "no hidden step, and no action that leads to two states: as far as the product was explored"},
    {"QC", "spurious", "a run of an abstraction that the original does not have"},
    {"Q", "CEGAR",
     "counterexample-guided abstraction refinement, which is what `varabs decide` does"},
};

const struct file_text file_texts[FILE_TEXT_COUNT] = {
    {NULL, "share/doc/varabs/examples", "models, with those of the examples below"},
    {"A", "share/varabs/schemas/report.schema.json", "schema of the report"},
    {"A", "share/varabs/schemas/spec.schema.json", "schema of the files that --spec reads"},
    {"A", "share/varabs/schemas/check.schema.json", "schema of what `varabs check --json` writes"},
    {"G", "share/varabs/schemas/spec.schema.json", "schema of the files that --spec reads"},
    {"R", "share/varabs/schemas/actions.schema.json", "schema of the files that --actions reads"},
    {"I", "share/varabs/schemas/agents.schema.json", "schema of what --agents --json writes"},
};

/* Never NULL, for every command. */
const struct command_text *command_text(enum command command) { return &commands[command]; }

const char *option_help(int option, enum command command) {
    assert(option_belongs_to(option, command));
    for (size_t i = 0; i < sizeof own_texts / sizeof *own_texts; i++)
        if (own_texts[i].option == option && letters_include(own_texts[i].letters, command))
            return own_texts[i].help;
    return option_text(option)->help;
}

/* ---- printing ---- */

enum { LINE_WIDTH = 80 };

/* Words in lines that begin with so many blanks. */
static void print_wrapped(FILE *file, const char *text, int indent) {
    size_t column = 0, most = (size_t)(LINE_WIDTH - indent);
    for (const char *word = text; *word;) {
        size_t size = strcspn(word, " ");
        if (!column || column + 1 + size > most) {
            fprintf(file, "%s%*s", column ? "\n" : "", indent, "");
            column = 0;
        } else {
            fputc(' ', file);
            column++;
        }
        fwrite(word, 1, size, file);
        column += size;
        word += size + strspn(word + size, " ");
    }
    fputc('\n', file);
}

/* Lines, each after what the first or the others begin with. */
static void print_lines(FILE *file, const char *lines, const char *first, const char *others) {
    for (const char *line = lines; *line;) {
        size_t size = strcspn(line, "\n");
        fprintf(file, "%s%.*s\n", line == lines ? first : others, (int)size, line);
        line += size + (line[size] == '\n');
    }
}

static void print_group(FILE *file, enum command command, enum option_group group) {
    bool is_first = true;
    for (int i = 0; i < OPTION_COUNT; i++) {
        const struct option_text *option = option_text(i);
        if (!option_is_shown(i, command) || option->group != group) continue;
        if (is_first) fprintf(file, "\n%s:\n", group_title(group));
        is_first = false;
        fprintf(file, "    %s%s%s\n", option->text, option->argument ? " " : "",
                option->argument ? option->argument : "");
        print_wrapped(file, option_help(i, command), 8);
    }
}

static void print_words(FILE *file, enum command command) {
    bool is_first = true;
    for (size_t i = 0; i < WORD_TEXT_COUNT; i++) {
        if (!letters_include(word_texts[i].commands, command)) continue;
        if (is_first) fputs("\nwords:\n", file);
        is_first = false;
        fprintf(file, "    %s\n", word_texts[i].word);
        print_wrapped(file, word_texts[i].meaning, 8);
    }
}

void help_command(FILE *file, enum command command) {
    print_lines(file, commands[command].usage, "usage: ", "       ");
    fputc('\n', file);
    print_wrapped(file, commands[command].purpose, 0);
    fputs("\nexamples:\n", file);
    print_lines(file, commands[command].examples, "    ", "    ");
    for (int i = 0; i < GROUP_COUNT; i++) print_group(file, command, (enum option_group)i);
    fputs("\n`-` stands for standard input or output.\n", file);
    print_words(file, command);
    fputs("\nexit status:\n", file);
    for (size_t i = 0; i < STATUS_TEXT_COUNT; i++)
        if (letters_include(status_texts[i].commands, command))
            fprintf(file, "    %d  %s\n", status_texts[i].status, status_texts[i].text);
}

void help_overview(FILE *file) {
    fputs("usage: varabs IN.xml --remove VAR[,VAR...] --may|--must [options]\n"
          "       varabs COMMAND IN.xml [options]\n\n"
          "Makes Uppaal models smaller, by removing variables, and checks them. Commands:\n",
          file);
    for (int i = COMMAND_ABSTRACT + 1; i < COMMAND_COUNT; i++)
        fprintf(file, "    %-8s %s\n", command_word((enum command)i), commands[i].brief);
    fputs("\nexamples:\n"
          "    varabs suggest model.xml\n"
          "    varabs model.xml --remove Voter.mem_vt,Voter.mem_sg --may\n"
          "    varabs decide model.xml --query 'A[] x < 3'\n\n"
          "`varabs help COMMAND` (`abstract` is the first form) and `man varabs` say more.\n",
          file);
}
