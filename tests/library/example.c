/* Removes variables from a model, and counts the states before and after.
 *
 *   cc example.c $(pkg-config --cflags --libs varabs)
 *   ./a.out model.xml VARIABLE...
 */
#include <stdio.h>
#include <varabs.h>

static int check(varabs *job, const char *title) {
    enum varabs_status status = varabs_check(job);
    fputs(varabs_messages(job), stderr);
    if (varabs_json(job)) printf("%s: %s", title, varabs_json(job));
    return status == VARABS_DONE || status == VARABS_VIOLATED;
}

int main(int argc, char **argv) {
    size_t size;
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
