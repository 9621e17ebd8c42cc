/* main — runs every unit test suite.
 *
 * suites.h is written by make and holds one line SUITE(NAME) for each tests/unit/NAME_test.c,
 * which exports `Suite *NAME_suite(void)`. An argument runs that suite alone.
 */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SUITE(name) Suite *name##_suite(void);
#include "suites.h"
#undef SUITE

static const struct {
    const char *name;
    Suite *(*make)(void);
} suites[] = {
#define SUITE(name) {#name, name##_suite},
#include "suites.h"
#undef SUITE
    {NULL, NULL},
};

/* Check writes to a file at each assertion that holds, to know the last one before a crash: that
 * took half the time of all tests. The linker puts this in its place. */
void __wrap__mark_point(const char *file, int line);

void __wrap__mark_point(const char *file, int line) { (void)file, (void)line; }

int main(int argc, char **argv) {
    int run = 0, failed = 0;
    for (size_t i = 0; suites[i].name != NULL; i++) {
        if (argc > 1 && strcmp(argv[1], suites[i].name) != 0) continue;
        SRunner *runner = srunner_create(suites[i].make());
        srunner_run_all(runner, CK_ENV);
        run += srunner_ntests_run(runner);
        failed += srunner_ntests_failed(runner);
        srunner_free(runner);
    }
    printf("%d passed, %d failed\n", run - failed, failed);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
