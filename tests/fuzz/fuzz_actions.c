/* Reads any bytes as a file of actions for two models; what can be read names the steps of both, or
 * the messages say why not. */
#define _GNU_SOURCE /* memfd_create */
#include "load.h"

#include "session/actions.h"

#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

static const char concrete[] =
    "<nta><declaration>typedef int[0,2] id_t; chan c[id_t], d; broadcast chan b; id_t n; bool f;"
    "</declaration><template><name>P</name><parameter>const id_t i</parameter>"
    "<declaration>int[0,3] m; chan e;</declaration>"
    "<location id=\"a\"><name>s</name></location><init ref=\"a\"/>"
    "<transition><source ref=\"a\"/><target ref=\"a\"/>"
    "<label kind=\"synchronisation\">c[i]!</label>"
    "<label kind=\"assignment\">m = i</label></transition>"
    "<transition><source ref=\"a\"/><target ref=\"a\"/><label kind=\"select\">k : id_t</label>"
    "<label kind=\"assignment\">n = k</label><label kind=\"comments\">@go(k, n)</label>"
    "</transition></template>"
    "<template><name>Q</name><location id=\"b\"/><init ref=\"b\"/>"
    "<transition><source ref=\"b\"/><target ref=\"b\"/><label kind=\"select\">k : id_t</label>"
    "<label kind=\"synchronisation\">c[k]?</label></transition>"
    "<transition><source ref=\"b\"/><target ref=\"b\"/>"
    "<label kind=\"synchronisation\">b!</label></transition></template>"
    "<system>system P, Q;</system></nta>";

static const char abstract[] =
    "<nta><declaration>int[0,2] n; broadcast chan c[3]; chan go;</declaration>"
    "<template><name>P</name><location id=\"a\"><name>s</name></location><init ref=\"a\"/>"
    "<transition><source ref=\"a\"/><target ref=\"a\"/><label kind=\"select\">k : int[0,2]</label>"
    "<label kind=\"synchronisation\">c[k]!</label><label kind=\"assignment\">n = k</label>"
    "</transition><transition><source ref=\"a\"/><target ref=\"a\"/>"
    "<label kind=\"comments\">@skip(n)</label></transition></template>"
    "<system>system P;</system></nta>";

static bool name_steps(struct actions_file *file, struct session *sessions, const char *path) {
    struct alphabet alphabet;
    if (!actions_read(file, &sessions[SIDE_CONCRETE], path)) return false;
    const struct alphabet_request request = {.actions = file->actions.items,
                                             .action_count = file->actions.count};
    return actions_build(file, &sessions[SIDE_CONCRETE], SIDE_CONCRETE, path) &&
           actions_build(file, &sessions[SIDE_ABSTRACT], SIDE_ABSTRACT, path) &&
           actions_name(&alphabet, &sessions[SIDE_CONCRETE], &sessions[SIDE_ABSTRACT], &request);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    char path[32];
    struct session sessions[SIDE_COUNT];
    struct actions_file file;
    int descriptor = memfd_create("actions", 0);
    require(descriptor >= 0 && write(descriptor, data, size) == (ssize_t)size);
    snprintf(path, sizeof path, "/proc/self/fd/%d", descriptor);
    require(session_load_bytes(&sessions[SIDE_CONCRETE], "concrete", str_of(concrete)));
    require(session_load_bytes(&sessions[SIDE_ABSTRACT], "abstract", str_of(abstract)));
    bool is_fine = name_steps(&file, sessions, path);
    uint32_t errors =
        sessions[SIDE_CONCRETE].diag.error_count + sessions[SIDE_ABSTRACT].diag.error_count;
    require(is_fine == !errors);
    for (int side = 0; side < SIDE_COUNT; side++) {
        diag_sort(&sessions[side].diag);
        session_drop(&sessions[side]);
    }
    close(descriptor);
    return 0;
}
