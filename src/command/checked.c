/* See checked.h. */
#include "command/checked.h"

#include "base/digest.h"
#include "xml/byte_map.h"
#include "xml/input.h"

#include <assert.h>
#include <errno.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

/* A count that the result must have, or UINT64_MAX for more than that; false if it has none. */
static bool take_count(const json_t *result, const char *key, const char *text_key,
                       uint64_t *count) {
    const json_t *value = json_object_get(result, key);
    const char *digits = json_string_value(json_object_get(result, text_key));
    bool is_large = json_is_null(value) && digits && *digits >= '1' && *digits <= '9';
    if (!is_large && (!json_is_integer(value) || json_integer_value(value) < 0)) return false;
    *count = is_large ? strtoull(digits, NULL, 10) : (uint64_t)json_integer_value(value);
    return true;
}

static bool has_digest(const json_t *result, struct str bytes) {
    char digest[65];
    const char *own =
        json_string_value(json_object_get(json_object_get(result, "input"), "sha256"));
    digest_sha256(bytes, digest);
    return own && !strcmp(own, digest);
}

/* NULL, or what is wrong with the result. */
static const char *take(struct guarantees *guarantees, const json_t *result,
                        const struct document *document, struct str output) {
    struct explored explored = {.is_known = true};
    if (!take_count(result, "deadlocks", "deadlocks_text", &explored.deadlocks) ||
        !take_count(result, "errors", "errors_text", &explored.errors) ||
        !json_object_get(result, "input"))
        return "is no result of `varabs check --json`";
    if (!json_is_true(json_object_get(result, "is_complete")))
        return "is of a check that did not explore everything; use `varabs check --full`";
    if (has_digest(result, document_file_bytes(document)))
        guarantees->original = explored;
    else if (has_digest(result, output))
        guarantees->output = explored;
    else
        return "is about another model, neither the input nor the output of this run";
    return NULL;
}

bool read_checked(struct guarantees *guarantees, struct session *session, const char *const *paths,
                  uint32_t count, struct str output) {
    for (uint32_t i = 0; i < count; i++) {
        const char *path = paths[i], *problem;
        struct str bytes;
        if (!file_load(path, &session->arena, &bytes)) {
            diag_error(&session->diag, STATUS_INVALID, 0, "cannot read '%s': %s", path,
                       strerror(errno));
            return false;
        }
        json_t *result = json_loadb(bytes.data, bytes.size, 0, NULL);
        problem = take(guarantees, result, &session->document, output);
        json_decref(result);
        if (!problem) continue;
        diag_error(&session->diag, STATUS_INVALID, 0, "--checked: '%s' %s", path, problem);
        return false;
    }
    return true;
}
