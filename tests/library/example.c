/* Removes variables from a model, and counts the states before and after.
 *
 *   cc example.c $(pkg-config --cflags --libs varabs)
 *   ./a.out model.xml VARIABLE...
 *
 * Without variables, asks whether the model refines itself, seen by its channel "step".
 */
#include <stdio.h>
#include <varabs.h>

/* A model with a channel of its own does what it does. */
static int refines_itself(const char *path) {
    varabs *one = varabs_open(path), *other = varabs_open(path);
    varabs_visible(one, "step");
    enum varabs_status status = varabs_refines(one, other);
    printf("refines: %d %s%s", (int)status, varabs_json(one) ? varabs_json(one) : "",
           varabs_messages(other));
    varabs_close(one);
    varabs_close(other);
    return (int)status;
}

static int check(varabs *job, const char *title) {
    enum varabs_status status = varabs_check(job);
    fputs(varabs_messages(job), stderr);
    if (varabs_json(job)) printf("%s: %s", title, varabs_json(job));
    return status == VARABS_DONE || status == VARABS_VIOLATED;
}

int main(int argc, char **argv) {
    size_t size;
    if (argc == 2) return refines_itself(argv[1]);
    if (argc < 3) return VARABS_USAGE;
    varabs *model = varabs_open(argv[1]), *abstract = NULL;
    for (int i = 2; i < argc; i++) varabs_remove(model, argv[i]);
    enum varabs_status status = varabs_abstract(model, VARABS_MAY);
    fputs(varabs_messages(model), stderr);
    if (status == VARABS_DONE) {
        printf("exact: %s\n", varabs_is_exact(model) ? "yes" : "no");
        const char *bytes = varabs_output(model, &size);
        abstract = varabs_open_bytes("abstract.xml", bytes, size);
        if (!check(model, "before") || !check(abstract, "after")) status = VARABS_INVALID;
    }
    varabs_close(abstract);
    varabs_close(model);
    return (int)status;
}
