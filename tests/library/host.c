/* Runs the library as it is told, for tests.
 *
 *   host RUN MODEL [KEY=VALUE...]
 *
 * RUN is abstract, check, concretize, decide, suggest, certify, refines, info, export, draw, or
 * again: abstract, and then certify what was made, or many: check several times at once, forks:
 * fork while runs begin, and run in the new processes, worker: many with a process forked
 * meanwhile, whose number it says, thousand: as many runs, one after the other, after which as many
 * descriptors are open as before, nothing: with texts that are NULL. Keys are the arguments of the library; `how` is the mode or
 * relation, `second` another model, `out` a file for what is made, and so `page`, `code`, and for
 * the first query `chart` and `model`, `set` SETTING:VALUE, `end` how the run ends early: progress,
 * thread, before (each cancels), or the number of a signal that its process gets, and
 * `children=ignored` leaves waiting for it to the system. Prints the status of the run and then its
 * JSON; messages go to standard error.
 */
#define _POSIX_C_SOURCE 200809L

#include <dirent.h>
#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <varabs.h>

static const char *path, *end = "", *out, *drawn, *page, *chart, *run_model, *code;
static int how, calls;
static varabs *job, *second;

/* Sends a signal to the process of the run. */
static void hit(int number) {
    char path[64];
    int process;
    snprintf(path, sizeof path, "/proc/self/task/%d/children", (int)getpid());
    FILE *file = fopen(path, "r");
    if (file && fscanf(file, "%d", &process) == 1) kill(process, number);
    if (file) fclose(file);
}

static int progress(void *context, const struct varabs_figures *figures) {
    (void)context;
    if (++calls < 3 || !figures->stage) return 0; /* it has begun by then */
    if (atoi(end)) hit(atoi(end));
    return !strcmp(end, "progress");
}

static void *cancel(void *unused) {
    struct timespec half = {.tv_nsec = 500000000};
    nanosleep(&half, NULL);
    varabs_cancel(job);
    return unused;
}

static void *check_one(void *start) {
    varabs *one = varabs_open(path);
    pthread_barrier_wait(start);
    varabs_check(one);
    varabs_close(one);
    return NULL;
}

static void fork_worker(void) {
    struct timespec half = {.tv_nsec = 500000000};
    nanosleep(&half, NULL); /* runs have begun by then */
    pid_t worker = fork();
    if (!worker) {
        pause();
        _exit(0);
    }
    printf("%d\n", (int)worker);
    fflush(stdout);
}

/* Checks the model several times at once. */
static int check_many(int has_worker) {
    enum { MANY = 8 };
    pthread_t threads[MANY];
    pthread_barrier_t start;
    pthread_barrier_init(&start, NULL, MANY);
    for (int i = 0; i < MANY; i++)
        if (pthread_create(&threads[i], NULL, check_one, &start)) exit(VARABS_LIMIT);
    if (has_worker) fork_worker();
    for (int i = 0; i < MANY; i++) pthread_join(threads[i], NULL);
    pthread_barrier_destroy(&start);
    return 0;
}

static int info_once(void) {
    varabs *one = varabs_open(path);
    int status = (int)varabs_info(one);
    varabs_close(one);
    return status;
}

static atomic_int has_forked;

static void *info_again(void *unused) {
    while (!has_forked) info_once();
    return unused;
}

/* As other libraries do. */
static pthread_mutex_t minded = PTHREAD_MUTEX_INITIALIZER;
static void lock(void) { pthread_mutex_lock(&minded); }
static void unlock(void) { pthread_mutex_unlock(&minded); }

static int fork_often(void) {
    enum { THREADS = 4, FORKS = 100 };
    pthread_t threads[THREADS];
    int worst = 0;
    pthread_atfork(lock, unlock, unlock);
    for (int i = 0; i < THREADS; i++)
        if (pthread_create(&threads[i], NULL, info_again, NULL)) exit(VARABS_LIMIT);
    for (int i = 0; i < FORKS && !worst; i++) {
        pid_t process = fork();
        if (!process) {
            alarm(60);
            _exit(info_once());
        }
        if (process < 0 || waitpid(process, &worst, 0) < 0) worst = VARABS_LIMIT;
    }
    has_forked = 1;
    for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
    return worst;
}

static int count_descriptors(void) {
    int count = 0;
    DIR *folder = opendir("/proc/self/fd");
    while (folder && readdir(folder)) count++;
    if (folder) closedir(folder);
    return count;
}

/* Runs that end well, by a mistake in an argument, and before they begin. */
static int run_often(void) {
    varabs *good = varabs_open(path), *bad = varabs_open(path), *none = varabs_open("");
    int before = count_descriptors();
    varabs_remove(bad, "no such variable");
    for (int i = 0; i < 1000; i += 4) {
        if (varabs_check(good) > VARABS_VIOLATED || varabs_info(none) != VARABS_INVALID ||
            varabs_abstract(bad, VARABS_MAY) != VARABS_USAGE)
            return VARABS_DEFECT;
        varabs_cancel(good);
        if (varabs_check(good) > VARABS_LIMIT) return VARABS_DEFECT;
    }
    varabs_close(good);
    varabs_close(bad);
    varabs_close(none);
    int after = count_descriptors();
    if (after != before) fprintf(stderr, "%d descriptors, then %d\n", before, after);
    return before > 3 && after == before ? 0 : VARABS_DEFECT;
}

/* Texts that are NULL are as empty ones. */
static int run_nothing(void) {
    varabs *none = varabs_open(NULL), *empty = varabs_open_made(NULL, NULL, 9, NULL);
    varabs *good = varabs_open(path);
    int found = varabs_info(none) == VARABS_INVALID && varabs_info(empty) == VARABS_INVALID &&
                varabs_export(good, NULL) == VARABS_USAGE;
    varabs_query(good, NULL);
    found = found && varabs_check(good) != VARABS_DEFECT;
    varabs_remove(good, NULL);
    varabs_fair(good, VARABS_WEAK, NULL);
    varabs_report(good, NULL);
    found = found && varabs_abstract(good, VARABS_MAY) == VARABS_USAGE;
    varabs_close(none);
    varabs_close(empty);
    varabs_close(good);
    return found ? 0 : VARABS_DEFECT;
}

/* A run that takes the job and nothing else, by its name; or NULL. */
static int (*plain_run(const char *name))(varabs *) {
    char symbol[64];
    union {
        void *symbol;
        int (*run)(varabs *);
    } found;
    snprintf(symbol, sizeof symbol, "varabs_%s", name);
    found.symbol = dlsym(dlopen(NULL, RTLD_LAZY), symbol);
    return found.run;
}

static int run(const char *name) {
    if (!strcmp(name, "nothing")) return run_nothing();
    if (!strcmp(name, "many") || !strcmp(name, "worker")) return check_many(*name == 'w');
    if (!strcmp(name, "forks")) return fork_often();
    if (!strcmp(name, "thousand")) return run_often();
    if (!strcmp(name, "abstract")) return (int)varabs_abstract(job, (enum varabs_mode)how);
    if (!strcmp(name, "concretize")) return (int)varabs_concretize(job, second);
    if (!strcmp(name, "export")) return (int)varabs_export(job, "code.h");
    if (!strcmp(name, "grid")) return (int)varabs_grid(job, (enum varabs_grid_modes)how);
    if (!strcmp(name, "certify"))
        return (int)varabs_certify(job, second, (enum varabs_relation)how);
    if (!strcmp(name, "refines")) return (int)varabs_refines(job, second);
    if (!strcmp(name, "draw")) return (int)varabs_draw(job, second, drawn);
    if (plain_run(name)) return plain_run(name)(job);
    int status = (int)varabs_abstract(job, VARABS_MAY);
    second = varabs_open_output(job);
    return status ? status : (int)varabs_certify(job, second, (enum varabs_relation)how);
}

static void take(const char *key, const char *value) {
    int setting, number;
    if (!strcmp(key, "remove")) varabs_remove(job, value);
    if (!strcmp(key, "merge")) varabs_merge(job, value);
    if (!strcmp(key, "spec")) varabs_spec(job, value);
    if (!strcmp(key, "query")) varabs_query(job, value);
    if (!strcmp(key, "queries")) varabs_queries(job, value);
    if (!strcmp(key, "ignore")) varabs_ignore(job, value);
    if (!strcmp(key, "visible")) varabs_visible(job, value);
    if (!strcmp(key, "hide")) varabs_hide(job, value);
    if (!strcmp(key, "actions")) varabs_actions(job, value);
    if (!strcmp(key, "checked")) varabs_checked(job, value);
    if (!strcmp(key, "favour")) varabs_favour(job, value);
    if (!strcmp(key, "without")) varabs_without(job, value);
    if (!strcmp(key, "report")) varabs_report(second, value);
    if (!strcmp(key, "page")) page = value;
    if (!strcmp(key, "chart")) chart = value;
    if (!strcmp(key, "model")) run_model = value;
    if (!strcmp(key, "code")) code = value;
    if (!strcmp(key, "fair") && sscanf(value, "%d:", &number) == 1)
        printf("%s", varabs_fair(job, (enum varabs_fairness)number, strchr(value, ':') + 1)
                         ? "refused\n"
                         : "");
    if (!strcmp(key, "states")) varabs_limit(job, strtoull(value, NULL, 10), 0, 0);
    if (!strcmp(key, "seconds")) varabs_limit(job, 0, 0, atof(value));
    if (!strcmp(key, "second")) second = varabs_open(value);
    if (!strcmp(key, "how")) how = atoi(value);
    if (!strcmp(key, "out")) out = value;
    if (!strcmp(key, "draw")) drawn = value;
    if (!strcmp(key, "end")) end = value;
    if (!strcmp(key, "children")) signal(SIGCHLD, SIG_IGN);
    if (!strcmp(key, "set") && sscanf(value, "%d:%d", &setting, &number) == 2)
        printf("%s", varabs_set(job, (enum varabs_setting)setting, number) ? "refused\n" : "");
}

static void write_part(const char *path, const char *bytes, size_t size) {
    FILE *file = path && bytes ? fopen(path, "w") : NULL;
    if (!file) return;
    fwrite(bytes, 1, size, file);
    fclose(file);
}

static void write_parts(void) {
    size_t size;
    const char *bytes = varabs_output(job, &size);
    write_part(out, bytes, size);
    bytes = varabs_page(job, &size);
    write_part(page, bytes, size);
    bytes = varabs_chart(job, 0, &size);
    write_part(chart, bytes, size);
    bytes = varabs_run_model(job, 0, &size);
    write_part(run_model, bytes, size);
    bytes = varabs_code(job, &size);
    write_part(code, bytes, size);
}

int main(int argc, char **argv) {
    pthread_t thread;
    if (argc < 3) return VARABS_USAGE;
    path = argv[2];
    job = varabs_open(path);
    if (!job) fputs("no memory for a job\n", stderr);
    for (int i = 3; i < argc; i++) {
        char *value = strchr(argv[i], '=');
        if (!value) return VARABS_USAGE;
        *value = 0;
        take(argv[i], value + 1);
    }
    if (*end) varabs_on_progress(job, progress, NULL);
    if (!strcmp(end, "before")) varabs_cancel(job);
    int is_threaded = !strcmp(end, "thread") && !pthread_create(&thread, NULL, cancel, NULL);
    int status = run(argv[1]);
    if (is_threaded) pthread_join(thread, NULL);
    printf("status %d%s\n", status, varabs_is_exact(job) ? " exact" : "");
    if (varabs_json(job)) fputs(varabs_json(job), stdout);
    fputs(varabs_messages(job), stderr);
    if (second) fputs(varabs_messages(second), stderr);
    write_parts();
    varabs_close(second);
    varabs_close(job);
    return 0;
}
