#define _DEFAULT_SOURCE
#include "report/json.h"

#include "base/build_version.h"
#include "base/digest.h"
#include "xml/output.h"

#include <stdlib.h>
#include <sys/resource.h>

#define EXACT_IN_JSON ((uint64_t)1 << 53)

static json_t *valid(json_t *string) { return string ? string : json_string("(not UTF-8)"); }

json_t *text(const char *value) {
    assert(value);
    return valid(json_string(value));
}

json_t *texts(const char *const *values, uint32_t count) {
    json_t *list = json_array();
    for (uint32_t i = 0; i < count; i++) json_array_append_new(list, text(values[i]));
    return list;
}

json_t *trimmed(struct str value) {
    value = str_trim(value);
    return valid(json_stringn(value.data, value.size));
}

const char *engine_text(enum engine engine) {
    return engine == ENGINE_SYMBOLIC ? "symbolic" : "explicit";
}

void set_exact(json_t *object, const char *key, const char *text_key, const struct exact *exact) {
    bool is_small = exact->is_known && exact->value < EXACT_IN_JSON;
    set(object, key, is_small ? json_integer((json_int_t)exact->value) : json_null());
    set(object, text_key, exact->is_known ? text(exact->text) : json_null());
}

void set_place(json_t *object, struct source_location place) {
    set(object, "line", json_integer(place.line));
    set(object, "column", json_integer(place.column));
}

void set_header(json_t *object, const char *name) {
    enum { FORMAT = 1 };
    json_t *tool = json_object();
    set(object, "$schema", json_sprintf("urn:varabs:%s:%d", name, FORMAT));
    set(object, "format", json_integer(FORMAT));
    set(tool, "name", text("varabs"));
    set(tool, "version", text(VARABS_BUILD));
    set(object, "tool", tool);
}

json_t *file_entry(const char *name, struct str bytes) {
    char digest[65];
    digest_sha256(bytes, digest);
    json_t *entry = json_object();
    if (name) set(entry, "file", text(name));
    set(entry, "bytes", json_integer((json_int_t)bytes.size));
    set(entry, "sha256", text(digest));
    return entry;
}

json_t *json_timing(const struct timed_phase *phases, size_t count, double total_seconds) {
    struct rusage usage;
    json_t *entry = json_object();
    double other = total_seconds;
    getrusage(RUSAGE_SELF, &usage);
    for (size_t i = 0; i < count; i++) {
        set(entry, phases[i].name, json_real(phases[i].seconds));
        other -= phases[i].seconds;
    }
    set(entry, "other_seconds", json_real(other > 0 ? other : 0));
    set(entry, "total_seconds", json_real(total_seconds));
    set(entry, "peak_bytes", json_integer((json_int_t)usage.ru_maxrss * 1024));
    return entry;
}

char *report_dump(const json_t *report) {
    char *text = json_dumps(report, JSON_INDENT(2));
    if (!text) return NULL;
    struct buffer out = {0};
    buffer_add_text(&out, text);
    buffer_add_text(&out, "\n");
    free(text);
    return out.data;
}

bool report_write(json_t *report, const char *path, struct diag *diag) {
    char *text = report_dump(report);
    json_decref(report);
    if (!text) return diag_error(diag, STATUS_LIMIT, 0, "the result needs too much memory");
    bool ok = file_write(path, str_of(text), diag);
    free(text);
    return ok;
}
