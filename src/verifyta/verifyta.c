#define _DEFAULT_SOURCE /* unsetenv, getrusage */

#include "verifyta/verifyta.h"

#include "base/interrupt.h"
#include "verifyta/deciding.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

enum { FAILURE = 1, NOT_FOUND = 127 };

struct verifyta {
    struct verifyta_arguments arguments;
    struct arena arena;
    struct asked_list asked;
    char *messages;
    size_t message_size;
};

void verifyta_help(FILE *file) {
    fputs("Usage: verifyta [OPTION]... MODEL QUERY\n"
          "where MODEL is a model in XML and QUERY is a query file; without one, the\n"
          "queries of the model. varabs takes the place of verifyta: `varabs verifyta`, or\n"
          "a link to varabs whose name ends in verifyta. `man varabs-gui` has more.\n"
          "\n"
          "  -h [ --help ]           show this text\n"
          "  -v [ --version ]        show the version\n"
          "  -q                      leave the options out of the output\n"
          "  -u                      show figures with each verdict\n"
          "  -t [ --diagnostic ] N   show runs: 0 some, 1 shortest, 2 fastest\n"
          "  -f PREFIX, -X PREFIX    traces in files are not written; a line says so\n"
          "  --embedded-queries      the queries of the model, not those in a file\n"
          "  -o [ --search-order ] N, -S N, -r [ --seed ] N, -C, -T, -b, -s, -y\n"
          "                          taken, without an effect on verdicts\n"
          "\n"
          "Options of varabs:\n"
          "  --engine PATH           the real verifyta, for all that is not answered here:\n"
          "                          clocks, statistics, sup, options that are not known;\n"
          "                          also in the environment, as VARABS_VERIFYTA\n"
          "  --timeout SECONDS, --max-memory SIZE, --jobs N\n"
          "                          limits and threads, as of `varabs decide`\n"
          "  --exit-varabs           the exit status of `varabs decide`, in place of 0 if\n"
          "                          every query has a verdict and 1 if not\n",
          file);
}

static int status_of(const struct verifyta *verifyta, enum status status) {
    if (verifyta->arguments.exits_as_varabs) return (int)status;
    return status > STATUS_VIOLATED ? FAILURE : 0;
}

static int say_refusal(const struct verifyta *verifyta, enum status status) {
    fputs("varabs verifyta: error: ", stderr);
    print_visible(stderr, verifyta->arguments.refusal);
    fputs(verifyta->arguments.is_refusal_usage
              ? "; see `varabs verifyta -h`\n"
              : ": name the real verifyta with --engine, or see `varabs verifyta -h`\n",
          stderr);
    return status_of(verifyta, status);
}

/* Becomes the real verifyta, which finds no other one. Returns where that fails. */
static int hand_over(const struct verifyta *verifyta) {
    const char *engine = verifyta->arguments.engine;
    unsetenv("VARABS_VERIFYTA");
    verifyta->arguments.passed[0] = (char *)engine;
    execv(engine, verifyta->arguments.passed);
    fputs("varabs verifyta: error: cannot start the real verifyta '", stderr);
    print_visible(stderr, engine);
    fprintf(stderr, "': %s\n", strerror(errno));
    return NOT_FOUND;
}

/* ---- output ---- */

static void print_options(const struct verifyta_arguments *arguments) {
    static const char *const traces[] = {"some", "shortest", "fastest"};
    static const char *const orders[] = {"breadth first", "depth first", "random depth first"};
    static const char *const spaces[] = {"no", "conservative", "aggressive"};
    enum { CONSERVATIVE = 1 };
    printf("Options for the verification:\n"
           "  Generating %s trace\n"
           "  Search order is %s\n"
           "  Using %s space optimisation\n"
           "  Seed is %s\n"
           "  State space representation uses minimal constraint systems\n",
           arguments->trace == NOT_GIVEN ? "no" : traces[arguments->trace],
           orders[arguments->order == NOT_GIVEN ? 0 : arguments->order],
           spaces[arguments->space == NOT_GIVEN ? CONSERVATIVE : arguments->space],
           arguments->seed ? arguments->seed : "0");
}

/* In KiB; 0 if it is not known. */
static unsigned long virtual_memory(void) {
    unsigned long pages = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    if (!file) return 0;
    if (fscanf(file, "%lu", &pages) != 1) pages = 0;
    fclose(file);
    return pages * (unsigned long)(sysconf(_SC_PAGESIZE) / 1024);
}

static void print_figures(const struct asked_query *query) {
    struct rusage usage = {0};
    getrusage(RUSAGE_SELF, &usage);
    printf(" -- States stored : %llu states\n"
           " -- States explored : %llu states\n"
           " -- CPU user time used : %lld ms\n"
           " -- Virtual memory used : %lu KiB\n"
           " -- Resident memory used : %ld KiB\n",
           (unsigned long long)query->states, (unsigned long long)query->states,
           (long long)usage.ru_utime.tv_sec * 1000 + usage.ru_utime.tv_usec / 1000,
           virtual_memory(), usage.ru_maxrss);
}

/* Whether a trace was wanted that is not there. */
static bool lacks_run(const struct verifyta_arguments *arguments, const struct asked_query *query) {
    return arguments->trace != NOT_GIVEN && asked_has_run(query) && !query->run;
}

/* Programs that read the file look for its first words. Without them pyuppaal would say that there
 * is no trace; with them it fails at the file. */
static void print_missing_file(const char *prefix, uint32_t number) {
    fputs(" -- varabs: Writing witness trace to ", stdout);
    print_visible(stdout, prefix);
    printf("-%u is left out; `varabs check --run-model` makes a model of it for the simulator\n",
           number);
}

/* What scripts do not look for stands after what they do. */
static void print_query(const struct verifyta *verifyta, const struct asked_query *query,
                        uint32_t number) {
    const struct verifyta_arguments *arguments = &verifyta->arguments;
    bool is_satisfied = query->verdict == VERDICT_SATISFIED;
    printf("\nVerifying formula %u at %s\n", number, query->place);
    if (query->problem) return;
    printf(" -- Formula is %s.\n", is_satisfied ? "satisfied" : "NOT satisfied");
    if (arguments->has_figures) print_figures(query);
    if (query->run) printf("Showing %s.\n", is_satisfied ? "example trace" : "counter example");
    if (query->rest) printf(" -- varabs: %s\n", query->rest);
    if (arguments->has_figures || verifyta->asked.may_have_errors)
        printf(" -- varabs: %s%s\n", query->how,
               verifyta->asked.may_have_errors ? "; if the model has no runtime errors" : "");
    if (!lacks_run(arguments, query)) return;
    if (arguments->trace_file)
        print_missing_file(arguments->trace_file, number);
    else
        puts(" -- varabs: no trace was found within the limits");
}

static void print_error(const char *model, uint32_t query, const char *text) {
    print_visible(stderr, model);
    fprintf(stderr, "::%u: [error] %s.\n", query, text);
}

/* Prints all, first what goes to standard output. Whether nothing is missing. */
static bool print_all(const struct verifyta *verifyta) {
    const struct asked_list *asked = &verifyta->asked;
    const struct verifyta_arguments *arguments = &verifyta->arguments;
    bool is_whole = true;
    if (!arguments->is_quiet) print_options(arguments);
    for (uint32_t i = 0; i < asked->count; i++) {
        const struct asked_query *query = &asked->items[i];
        print_query(verifyta, query, i + 1);
        fflush(stdout);
        if (query->run) fputs(query->run, stderr);
        if (query->problem) print_error(arguments->model, i + 1, query->problem);
        if (lacks_run(arguments, query) && !arguments->trace_file)
            print_error(arguments->model, i + 1, "no trace was found within the limits");
        is_whole &= !query->problem && !lacks_run(arguments, query);
    }
    return is_whole;
}

/* ---- the way through ---- */

/* Whether there is something that the real verifyta would do, and varabs does not. */
static bool is_open(const struct verifyta *verifyta) {
    const struct asked_list *asked = &verifyta->asked;
    bool is_open = asked->problem || asked->has_warnings;
    for (uint32_t i = 0; i < asked->count; i++) {
        const struct asked_query *query = &asked->items[i];
        is_open |= query->problem ||
                   (verifyta->arguments.trace_file && lacks_run(&verifyta->arguments, query));
    }
    return is_open;
}

/* When all were looked for. */
static bool lacks_any_run(const struct verifyta *verifyta) {
    bool lacks = false;
    for (uint32_t i = 0; i < verifyta->asked.count; i++)
        lacks |= lacks_run(&verifyta->arguments, &verifyta->asked.items[i]);
    return lacks;
}

static void look(struct verifyta *verifyta, void (*defer)(void), FILE *messages) {
    const struct verifyta_arguments *arguments = &verifyta->arguments;
    struct asked_list *asked = &verifyta->asked;
    if (arguments->max_seconds > 0) interrupt_after(arguments->max_seconds);
    memory_limit(arguments->max_size);
    asked_read(asked, arguments, &verifyta->arena, messages);
    if (asked->problem || (arguments->engine && is_open(verifyta))) return;
    asked_decide(asked, arguments, defer, &verifyta->arena, messages);
    if (asked->problem || (arguments->engine && is_open(verifyta))) return;
    if (arguments->trace != NOT_GIVEN && !arguments->trace_file)
        asked_find_runs(asked, arguments, defer, &verifyta->arena, messages);
}

/* What varabs itself would end with. */
static enum status own_status(const struct asked_list *asked) {
    enum status status = asked->status;
    for (uint32_t i = 0; i < asked->count && status == STATUS_DONE; i++)
        if (asked->items[i].verdict == VERDICT_VIOLATED) status = STATUS_VIOLATED;
    return status;
}

static int answer(struct verifyta *verifyta, void (*defer)(void)) {
    const struct asked_list *asked = &verifyta->asked;
    FILE *messages = open_memstream(&verifyta->messages, &verifyta->message_size);
    if (!messages) memory_is_over();
    look(verifyta, defer, messages);
    if (fclose(messages) || !verifyta->messages) memory_is_over();
    if (verifyta->arguments.engine && (is_open(verifyta) || lacks_any_run(verifyta)))
        return hand_over(verifyta);
    fwrite(verifyta->messages, 1, verifyta->message_size, stderr);
    if (asked->problem && *asked->problem) {
        print_visible(stderr, verifyta->arguments.model);
        fputs(": [error] ", stderr);
        print_visible(stderr, asked->problem);
        fputs(".\n", stderr);
    }
    if (asked->problem) return status_of(verifyta, asked->status);
    bool is_whole = print_all(verifyta);
    if (!is_whole && !verifyta->arguments.exits_as_varabs) return FAILURE;
    return status_of(verifyta, own_status(asked));
}

int verifyta_run(int argc, char **argv, void (*defer)(void)) {
    struct verifyta verifyta = {0};
    int status = 0;
    arena_init(&verifyta.arena);
    if (!verifyta_arguments_read(&verifyta.arguments, argc, argv, &verifyta.arena)) {
        verifyta.arguments.is_refusal_usage = true;
        status = say_refusal(&verifyta, STATUS_USAGE);
    } else if (verifyta.arguments.refusal && verifyta.arguments.engine) {
        status = hand_over(&verifyta);
    } else if (verifyta.arguments.refusal) {
        status = say_refusal(&verifyta, STATUS_USAGE);
    } else if (verifyta.arguments.wants_help) {
        verifyta_help(stdout);
    } else if (verifyta.arguments.wants_version) {
        puts("varabs " VARABS_VERSION ", with the command line of UPPAAL 5.0.0");
    } else {
        status = answer(&verifyta, defer);
    }
    free(verifyta.messages);
    arena_close(&verifyta.arena);
    return status;
}
