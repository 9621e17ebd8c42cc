#include "engine/example.h"

#include "engine/object.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_SIZE = 64 * 1024 };

char example_letter(struct str object) {
    struct str status = object_member(object_member(object, "info"), "status");
    bool is_letter = status.size == 3 && status.data[0] == '"' && status.data[1] >= 'A' &&
                     status.data[1] <= 'Z' && status.data[2] == '"';
    return is_letter ? status.data[1] : 0;
}

enum decided_verdict example_verdict(char letter) {
    return letter == 'T' ? DECIDED_SATISFIED : letter == 'F' ? DECIDED_VIOLATED : DECIDED_NOTHING;
}

static void forget(struct example *example) {
    free(example->before);
    free(example->after);
    example->before = example->after = NULL;
    example->has_two = false;
}

void examples_close(struct examples *examples) {
    for (int i = 0; i <= DECIDED_VIOLATED; i++) forget(&examples->of[i]);
}

static char *copy(struct str text) {
    char *bytes = malloc(text.size + 1);
    if (bytes) memcpy(bytes, text.data, text.size);
    return bytes;
}

void examples_learn(struct examples *examples, enum decided_verdict verdict, struct str object) {
    struct example *example = &examples->of[verdict];
    struct str info = object_member(object, "info"), message = object_member(info, "message");
    struct str trace = object_member(info, "trace");
    bool is_text = message.size && *message.data == '"';
    assert(verdict != DECIDED_NOTHING);
    if (example->is_spoilt || !is_text || object.size > MOST_SIZE) return;
    if (trace.size != 4 || memcmp(trace.data, "null", 4) != 0) return;
    struct str before = {object.data, (size_t)(message.data - object.data)};
    struct str after = {message.data + message.size, object.size - before.size - message.size};
    if (!example->before) {
        example->before = copy(before);
        example->after = copy(after);
        example->before_size = before.size;
        example->after_size = after.size;
        if (!example->before || !example->after) forget(example);
        return;
    }
    bool is_same = str_equal(before, (struct str){example->before, example->before_size}) &&
                   str_equal(after, (struct str){example->after, example->after_size});
    example->has_two = is_same;
    example->is_spoilt = !is_same;
}

bool examples_have(const struct examples *examples, enum decided_verdict verdict) {
    return examples->of[verdict].has_two;
}

char *examples_make(const struct examples *examples, enum decided_verdict verdict,
                    const char *message, size_t *size) {
    const struct example *example = &examples->of[verdict];
    size_t message_size = strlen(message);
    assert(example->has_two && !strpbrk(message, "\"\\"));
    *size = example->before_size + message_size + 2 + example->after_size;
    char *answer = malloc(*size);
    if (!answer) return NULL;
    char *to = answer;
    memcpy(to, example->before, example->before_size);
    to += example->before_size;
    *to++ = '"';
    memcpy(to, message, message_size);
    to += message_size;
    *to++ = '"';
    memcpy(to, example->after, example->after_size);
    return answer;
}
