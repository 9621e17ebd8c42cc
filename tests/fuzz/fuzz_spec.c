/* Reads any bytes as a file that says what to remove, to merge and to exchange in a model; what can
 * be read is done, and gives a model that is valid, or the messages say why not. */
#define _GNU_SOURCE /* memfd_create */
#include "load.h"

#include "command/abstracting.h"

#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

static const char model[] =
    "<nta><declaration>typedef int[0,3] id_t; id_t n; int[0,2] a[2]; bool f; chan c;\n"
    "struct { id_t x; bool y; } r;\nid_t next(id_t i) { return i &lt; 3 ? i + 1 : 0; }"
    "</declaration><template><name>P</name><parameter>const id_t i</parameter>"
    "<declaration>id_t m, k; int[0,1] h;</declaration>"
    "<location id=\"s\"><name>idle</name></location><location id=\"t\"><name>done</name></location>"
    "<init ref=\"s\"/>"
    "<transition><source ref=\"s\"/><target ref=\"t\"/><label kind=\"select\">v : id_t</label>"
    "<label kind=\"guard\">m &lt; 2 &amp;&amp; !f</label>"
    "<label kind=\"assignment\">m = v, n = next(n), a[h] = v / 2, r.x = m</label></transition>"
    "<transition><source ref=\"t\"/><target ref=\"s\"/><label kind=\"guard\">r.y || k == i</label>"
    "<label kind=\"synchronisation\">c!</label><label kind=\"assignment\">k = m, m = 0, h = 1 - h"
    "</label></transition></template>"
    "<template><name>Q</name><location id=\"u\"/><init ref=\"u\"/>"
    "<transition><source ref=\"u\"/><target ref=\"u\"/>"
    "<label kind=\"synchronisation\">c?</label><label kind=\"assignment\">f = n == 3</label>"
    "</transition></template><system>system P, Q;</system>"
    "<queries><query><formula>A[] n &lt; 3</formula></query></queries></nta>";

static void check_output(struct str output) {
    struct session after;
    bool is_valid = session_load_bytes(&after, "out", output) && session_build(&after);
    if (!is_valid) {
        diag_print(&after.diag, stderr);
        fprintf(stderr, "%.*s\n", (int)output.size, output.data);
    }
    require(is_valid);
    session_drop(&after);
}

static void make(struct job *job, struct session *session) {
    struct normal normal = {.output = {0}};
    struct exchanging exchanging = {.normal = &normal};
    bool is_fine = job_read(job, session) && job_make(job, session) &&
                   abstracting_exchange(&exchanging, job, session);
    require(is_fine == (session->diag.error_count == 0));
    if (is_fine) check_output(job->abstraction.output);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    char path[32];
    const char *const paths[] = {path};
    struct session session;
    struct analysis_memo memo = {.analysis = NULL};
    struct job job = {.specs = paths,
                      .spec_count = 1,
                      .has_mode = size % 2,
                      .options = {.analysis.budget = 2000, .memo = &memo}};
    int descriptor = memfd_create("spec", 0);
    require(descriptor >= 0 && write(descriptor, data, size) == (ssize_t)size);
    snprintf(path, sizeof path, "/proc/self/fd/%d", descriptor);
    arena_init(&memo.arena);
    require(session_load_bytes(&session, "model", str_of(model)) && session_build(&session));
    make(&job, &session);
    job_close(&job);
    arena_close(&memo.arena);
    diag_sort(&session.diag);
    session_drop(&session);
    close(descriptor);
    return 0;
}
