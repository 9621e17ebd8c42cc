/* Reads any bytes as what goes between GUI and engine. Objects are the same wherever the stream is
 * cut; their members lie in them; strings are no longer decoded than they are; and the conversation
 * never counts what it has not seen.
 *
 * With PIECES=N in the environment the objects are printed instead, as they are found in pieces of
 * N bytes, for tests/engine/streams.py: where each ends, its size, and its members. */
#include "load.h"

#include "engine/capture.h"
#include "engine/conversation.h"
#include "engine/example.h"
#include "engine/object.h"

#include <stdio.h>

enum { OBJECT_MOST = 1 << 16 };

static void check_string(struct str value) {
    bool is_plain;
    char *text = malloc(value.size ? value.size : 1);
    size_t size = value_decode(value, text, &is_plain);
    require(size == SIZE_MAX || size + 2 <= value.size);
    free(text);
}

static void check_members(struct str object) {
    struct member_walk members = members_of(object);
    const char *end = object.data + object.size;
    while (members_next(&members)) {
        require(members.name.data > object.data && members.value.size &&
                members.value.data + members.value.size <= end);
        check_string(members.value);
        if (*members.value.data == '{') object_member(members.value, "trace");
    }
    require(members.is_broken != members.is_over || members.is_broken);
}

/* The objects of both directions in turns, as a hash; step: of how many bytes the pieces are. */
static uint64_t talk_through(struct str bytes, size_t step) {
    static const char *const harmless[] = {"a", NULL};
    static struct conversation talk;
    struct object_capture capture = {.most = OBJECT_MOST};
    struct examples examples = {0};
    uint64_t hash = 1;
    bool from_gui = true;
    conversation_open(&talk, harmless);
    while (bytes.size) {
        bool is_whole;
        struct str piece = {bytes.data, step < bytes.size ? step : bytes.size};
        size_t size = capture_feed(&capture, piece, &is_whole);
        bytes = (struct str){bytes.data + size, bytes.size - size};
        if (!is_whole) continue;
        struct str object = capture_object(&capture);
        check_members(object);
        hash = hash_mix(hash, hash_bytes(object.data, object.size));
        if (from_gui)
            conversation_gui(&talk, object);
        else if (conversation_engine(&talk, object) == ENGINE_CHECKED)
            examples_learn(&examples, DECIDED_SATISFIED, object);
        require(!talk.model == !(talk.state != TALK_NONE));
        if (conversation_is_alone(&talk) && talk.state == TALK_PASSED && talk.has_query)
            conversation_take_back(&talk);
        from_gui = !from_gui;
    }
    examples_close(&examples);
    conversation_close(&talk);
    capture_close(&capture);
    return hash_mix(hash, from_gui);
}

static void print_bytes(struct str bytes) {
    for (size_t i = 0; i < bytes.size; i++) printf("%02x", (unsigned)(unsigned char)bytes.data[i]);
}

/* " NAME VALUE DECODED", in hexadecimal digits; DECODED is `-` for what is no string that can be
 * decoded. */
static void print_member(const struct member_walk *members) {
    bool is_plain;
    char *text = malloc(members->value.size);
    if (!text) abort();
    size_t size = value_decode(members->value, text, &is_plain);
    printf(" .");
    print_bytes(members->name);
    putchar(' ');
    print_bytes(members->value);
    printf(size == SIZE_MAX ? " -" : " .");
    if (size != SIZE_MAX) print_bytes((struct str){text, size});
    free(text);
}

static void print_objects(struct str bytes, size_t step) {
    struct object_capture capture = {.most = OBJECT_MOST};
    size_t at = 0;
    while (bytes.size) {
        bool is_whole;
        struct str piece = {bytes.data, step < bytes.size ? step : bytes.size};
        size_t size = capture_feed(&capture, piece, &is_whole);
        bytes = (struct str){bytes.data + size, bytes.size - size};
        at += size;
        if (!is_whole) continue;
        struct member_walk members = members_of(capture_object(&capture));
        printf("%zu %zu", at, capture_object(&capture).size);
        while (members_next(&members)) print_member(&members);
        puts(members.is_broken ? " broken" : " whole");
    }
    capture_close(&capture);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct str bytes = {(const char *)data, size};
    const char *pieces = getenv("PIECES");
    if (pieces) {
        print_objects(bytes, (size_t)strtoul(pieces, NULL, 10));
        return 0;
    }
    uint64_t whole = talk_through(bytes, SIZE_MAX);
    for (size_t step = 1; step < 8; step += 3) require(talk_through(bytes, step) == whole);
    return 0;
}
