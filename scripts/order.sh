#!/bin/sh
# order.sh [ROOT] — is src/ in the order that src/ORDER says?
#
# A folder is a chapter and may include what stands above it in src/ORDER; NAME.c, NAME.h
# and NAME_internal.h are one room. It is a mistake
#   up      to include a header of a folder further down,
#   circle  if rooms include each other in a circle,
#   speaks  if a header declares a function that a .c file of another name defines, unless the header
#           ends in _internal.h,
#   own     if a header declares a function that no other file calls, a test neither: make it static,
#   tag     if a struct, union or enum has the tag of one in a header,
#   wide    if a folder has more than 18 .c files,
#   folder  if a folder does not stand in src/ORDER, or stands there and does not exist.
# src/ORDER has the name of a folder on each line. What is allowed all the same stands there as
#   up FILE FOLDER        FILE may include headers of FOLDER
#   circle PATTERN...     rooms of these names may include each other
#   speaks FILE           FILE may declare functions of others
#   wide FOLDER           FOLDER may have more files
# and is a mistake itself where it is not needed. PATTERN is a regular expression. Prints a line for
# each mistake; the exit status is 1 if there are any.
set -u
cd "${1:-$(dirname "$0")/..}/src" || exit 1

# shellcheck disable=SC2016 # awk's dollars
find . ../tests -name '*.[ch]' 2>/dev/null | sed 's|^\./||' | sort | xargs awk '
function wrong(text) { print "order: " text; failed = 1 }
function folder_of(path) { sub(/\/[^\/]*$/, "", path); return path }
function room_of(path) { sub(/(_internal|_report|_json|_text|_csv|_latex)?\.[ch]$/, "", path); return path }

# Whether an exception of a kind names this; it is needed then.
function is_allowed(kind, what) {
    if (!((kind, what) in allowed)) return 0
    needed[kind, what] = 1
    return 1
}
function name_of_function(line) {
    sub(/\(.*/, "", line)
    return match(line, /[A-Za-z_0-9]+$/) ? substr(line, RSTART) : ""
}

# Where names stand; those of a header, outside of declarations, are in macros and inline functions.
function use(line, is_header, list, i, n) {
    n = split(line, list, /[^A-Za-z_0-9]+/)
    for (i = 1; i <= n; i++)
        if (!(list[i] in used_in) && !is_header) used_in[list[i]] = FILENAME
        else if (is_header || used_in[list[i]] != FILENAME) is_shared[list[i]] = 1
}

# Everything that a room reaches, itself only by a circle.
function reach(room, from, list, i, n) {
    n = split(uses[room], list, " ")
    for (i = 1; i <= n; i++)
        if (!((from, list[i]) in reached)) {
            reached[from, list[i]] = 1
            reach(list[i], from)
        }
}
function circle_is_allowed(names, list, i, n, k) {
    n = split(names, list, " ")
    for (k = 1; k <= circles; k++) {
        for (i = 1; i <= n && list[i] ~ ("^(" pattern[k] ")$"); i++) ;
        if (i > n) return circle_needed[k] = 1
    }
    return 0
}

FILENAME == "ORDER" {
    sub(/#.*/, "")
    if (NF == 1) place[$1] = ++places
    else if ($1 == "circle") {
        gsub(/^ *circle +| +$/, "")
        gsub(/ +/, "|")
        pattern[++circles] = $0
    } else if (NF) allowed[$1, $1 == "up" ? $2 " " $3 : $2] = $0
    next
}
FILENAME ~ /^\.\.\/tests/ {
    use($0, 0)
    next
}
FNR == 1 {
    folder = folder_of(FILENAME)
    room = room_of(FILENAME)
    if (!(room in number)) room_at[number[room] = ++rooms] = room
    if (FILENAME ~ /\.c$/) wide[folder]++
    if (!(folder in place) && !is_unknown[folder]++) wrong(folder ": this folder is not in src/ORDER")
    present[folder] = 1
}
/^#include "/ {
    split($0, part, "\"")
    target = folder_of(part[2])
    other = room_of(part[2])
    if (target == part[2]) wrong(FILENAME ":" FNR ": says no folder: " part[2])
    else if (place[target] > place[folder] && !is_allowed("up", FILENAME " " target))
        wrong(FILENAME ":" FNR ": " part[2] " is further down")
    if (other != room && !((room, other) in direct)) {
        direct[room, other] = 1
        uses[room] = uses[room] " " other
    }
}
# In the style of clang-format only what is declared or defined outside of functions begins a line.
/^[a-z].*\(/ && !/^(static|typedef|extern|_Static_assert)/ {
    name = name_of_function($0)
    if (name == "") next
    if (FILENAME ~ /\.c$/) home[name] = FILENAME
    else {
        exported[name] = FILENAME
        if (FILENAME !~ /_internal\.h$/) declared[FILENAME] = declared[FILENAME] " " name
        next
    }
}
/^ *(struct|union|enum) [a-z_0-9]+ \{/ {
    if (!($2 in tag_at)) tag_at[$2] = FILENAME
    else if (FILENAME ~ /\.h$/ || tag_at[$2] ~ /\.h$/)
        wrong(FILENAME ": " $1 " " $2 " has the tag of another in " tag_at[$2])
}
!/^ *(\/\*|\* |\*\/)/ { use($0, FILENAME ~ /\.h$/) }
END {
    for (folder in place)
        if (!(folder in present)) wrong(folder ": src/ORDER names it, and it is not there")
    for (folder in wide)
        if (wide[folder] > 18 && !is_allowed("wide", folder))
            wrong(folder ": has " wide[folder] " .c files; 18 are a chapter")
    for (file in declared) {
        n = split(declared[file], list, " ")
        for (i = 1; i <= n; i++)
            if (list[i] in home && room_of(home[list[i]]) != room_of(file) &&
                !is_allowed("speaks", file))
                wrong(file ": " list[i] " is defined in " home[list[i]])
    }
    for (name in exported)
        if (name in home && !(name in is_shared))
            wrong(exported[name] ": " name " is called in its own file only")
    for (room in number) reach(room, room)
    for (i = 1; i <= rooms; i++) {
        room = names = room_at[i]
        if (!((room, room) in reached) || is_told[room]) continue
        for (k = i + 1; k <= rooms; k++) {
            other = room_at[k]
            if (((room, other) in reached) && ((other, room) in reached)) {
                names = names " " other
                is_told[other] = 1
            }
        }
        if (!circle_is_allowed(names)) wrong("these include each other in a circle: " names)
    }
    for (key in allowed) if (!(key in needed)) wrong("not needed in src/ORDER: " allowed[key])
    for (k = 1; k <= circles; k++)
        if (!circle_needed[k]) wrong("not needed in src/ORDER: circle " pattern[k])
    exit failed
}' ORDER
