#!/bin/sh
# planted.sh [NAME...] — do the random tests find bugs? Plants them one by one and looks.
# planted.sh --dry [NAME...] — only plants them, and looks for nothing: is the code still there?
#
# Each bug below is a small textual change of a copy of src/ in build/planted/NAME. Seeds for which
# the changed program writes something else than the right one are given to run.py, in order, until
# one fails in an expected way, which it must not with the right program. A text to change that is
# no longer there is a failure too, so that the bugs follow the code. Prints for each bug its name,
# the seed, how many seeds were judged, and the kind of failure.
# A seed that is noted in planted.seeds is tried first. Seeds that were found are in ROOT/seeds
# afterwards, to be noted.
# Bugs of the explorer (KINDS is check) are looked for with run.py --mode check instead, those of
# the deciding loop (KINDS is decide) with --mode decide, and kinds of failures are any; those of sets of states (KINDS is engines) with engines.py, those of
# formulas and agents (KINDS is knowledge) with knowledge.py, those of claims about knowledge
# (KINDS is knowledge_claims) with knowledge_claims.py, those of claims about operators in
# each other (KINDS is nested) with nested.py, those of coalitions (KINDS is strategies) with
# strategies.py, those of claims about coalitions (KINDS is strategy_claims) with strategy_claims.py,
# those of agents of processes that are told apart (KINDS is renamed) with renamed.py,
# those of certification by sets (KINDS is certified) with certified.py,
# those of actions of two models (KINDS is refinement) with refinement.py, those of fair runs (KINDS is
# fairness) with fairness.py, and those of options and files (KINDS is cli:GROUP) with that group of
# tests/cli/run.sh.
# Environment: JOBS programs at a time, LAST the last seed to try, ROOT where to work.
set -u
cd "$(dirname "$0")/../.." || exit 1
JOBS=${JOBS:-2}
LAST=${LAST:-3000}
dry=
[ "${1:-}" = --dry ] && dry=$(mktemp) && shift
only=" $* "
root=${ROOT:-build/planted}
passed=0
failed=0

# Applies the changes on standard input, blocks of
#     --- FOLDER / text / +++ / text instead
# Blanks are free in the text that is looked for; it must be there exactly once in all the .c files
# below the FOLDER (or in the FILE), so that the bugs stay where they are when functions move.
change='
import functools, glob, re, sys
@functools.cache
def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()
def change(blocks, is_trial):
    """What is wrong, or None."""
    for block in re.split(r"^--- ", blocks, flags=re.M)[1:]:
        folder, rest = block.split("\n", 1)
        old, new = re.split(r"^\+\+\+\n", rest, flags=re.M)
        words, places = old.split(), []
        pattern, longest = r"\s+".join(map(re.escape, words)), max(words, key=len)
        for path in glob.glob(f"{sys.argv[1]}/{folder}/**/*.c", recursive=True) or \
                [f"{sys.argv[1]}/{folder}"]:
            if longest in read(path):
                places += [(path, found.span()) for found in re.finditer(pattern, read(path))]
        if len(places) != 1:
            return f"{folder}: there are {len(places)} places to change: {words}"
        path, (begin, end) = places[0]
        text = read(path)
        if not is_trial:
            with open(path, "w", encoding="utf-8") as file:
                file.write(text[:begin] + new.strip() + text[end:])
            read.cache_clear()
if len(sys.argv) == 2:
    sys.exit(change(sys.stdin.read(), False))
passed = failed = 0
for bug in re.split(r"^=== ", sys.stdin.read(), flags=re.M)[1:]:
    name, blocks = bug.split("\n", 1)
    problem = change(blocks, True)
    passed, failed = passed + (not problem), failed + bool(problem)
    if problem:
        print(f"FAIL {name}: {problem}")
print(f"{passed} passed, {failed} failed")
sys.exit(failed > 0)
'

# ROOT PROGRAM KINDS SEED: writes "SEED NUMBER-JUDGED KIND" of the first failure. Where KINDS is no
# mode, models and removals of all seeds are made as run.py does, and the answers of the right program.
search='
import hashlib, json, os, random, re, subprocess, sys, types
from multiprocessing.pool import ThreadPool
sys.path.insert(0, "tests/random")
from generate import generate
from run import Case, choose_removals, command_of
root, jobs, most_judged, most_checked = sys.argv[1], int(os.environ["JOBS"]), 250, 1000

def answer(program, case):
    seed, number, names, approx = case
    out = f"{root}/out/{seed}-{number}"
    options = types.SimpleNamespace(varabs=program, explore=False)
    command = command_of(options, f"{root}/models/{seed}.xml", out + ".xml", out + ".json",
                         Case(seed, 0, names, "may", approx))
    try:
        # By `timeout`, which also ends what the end of this program leaves behind.
        status = subprocess.run(["timeout", "20", *command], capture_output=True).returncode
        text = open(out + ".xml", "rb").read() if status == 0 else b""
        exact = json.load(open(out + ".json"))["exact"] if status == 0 else None
    except (OSError, ValueError, KeyError) as error:
        return type(error).__name__
    finally:
        for end in (".xml", ".json"):
            if os.path.exists(out + end):
                os.remove(out + end)
    return f"{status} {exact} {hashlib.sha256(text).hexdigest()}"

def failure(program, seed, kinds):
    text = subprocess.run([sys.executable, f"{root}/oracle/run.py", "--varabs", program,
                           "--seeds", f"{seed}..{seed}", "--keep", f"{root}/kept"],
                          capture_output=True, text=True).stdout
    if not re.search(r"^\d+ passed, ", text, flags=re.M):
        sys.exit(f"run.py cannot judge seed {seed}")
    found = re.search(rf"^seed \d+: ({kinds}): ", text, flags=re.M)
    return found and found[1]

def cases(last):
    for folder in ("models", "out"):
        os.makedirs(f"{root}/{folder}", exist_ok=True)
    found = []
    for seed in range(1, last + 1):
        text, candidates = generate(seed, ())
        with open(f"{root}/models/{seed}.xml", "w", encoding="utf-8") as file:
            file.write(text)
        rng = random.Random(seed * 7919 + 17)
        if not candidates:
            continue
        for number, names in enumerate(choose_removals(rng, candidates, rng.randint(1, 3))):
            approx = "combined" if rng.random() < 0.15 else None
            rng.choice(["may"])
            found.append((seed, number, names, approx))
    with ThreadPool(jobs) as pool:
        right = pool.map(lambda case: answer(f"{root}/base/build/varabs", case), found)
    with open(f"{root}/cases.json", "w", encoding="utf-8") as file:
        json.dump([[case, text] for case, text in zip(found, right)], file)

def find(program, kinds):
    if not os.path.exists(f"{root}/cases.json"):
        cases(int(os.environ["LAST"]))
    with open(f"{root}/cases.json", encoding="utf-8") as file:
        known = json.load(file)
    judged = 0
    last = kind = None
    with ThreadPool(jobs) as pool:
        answers = pool.imap(lambda entry: answer(program, entry[0]), known, chunksize=16)
        for (case, right), text in zip(known, answers):
            if text == right or case[0] == last:
                continue
            last = case[0]
            judged += 1
            kind = failure(program, last, kinds)
            if kind and failure(f"{root}/base/build/varabs", last, kinds):
                kind = None  # it fails without the bug, too
            if kind or judged == most_judged:
                pool.terminate()
                break
    print(f"{last} {judged} {kind}" if kind else f"not found, {judged} judged")

modes = {"check": (["--mode", "check"], "check: [^:]*"),
         "decide": (["--mode", "decide"], "decide: [^:]*"),
         "must": (["--mode", "must"], "must|exact|unusable output"),
         "combined": (["--mode", "must", "--approx", "combined"], "must|exact"),
         "explored": (["--explore", "--mode", "may"], "exact|auto"),
         "auto": (["--counting", "--mode", "auto"], "exact|auto"),
         "claims": (["--claims", "--scopes", "--mode", "may", "--mode", "must"], "claim"),
         "waiting": (["--waiting", "--claims", *["--mode", "may"] * 3, "--mode", "must"],
                     "claim|may|must|exact|unusable output"),
         "counting": (["--counting", "--mode", "may", "--mode", "must"],
                      "may|must|exact|initial|unusable output"),
         "waiting-merges": (["--waiting", "--claims", "--merges"], "claim"),
         "processes": (["--processes", "--scopes", "--mode", "may", "--mode", "must"],
                       "may|must|exact|initial|query|unusable output|status 3"),
         "engines": (None, "[^w].*"),
         "certified": (None, "[^w].*"),
         "knowledge": (None, "[^w].*"),
         "knowledge_claims": (None, "[^w].*"),
         "nested": (None, "claim"),
         "refinement": (None, "[^w].*"),
         "fairness": (None, "[^w].*"),
         "strategies": (None, "[^w].*"),
         "strategy_claims": (None, "claim|it is"),
         "renamed": (None, "[^w].*"),
         "references": (["--references", "--mode", "may", "--mode", "must"],
                        "may|must|exact|initial|query|unusable output|status 3"),
         "merges": (["--merges", "--mode", "may", "--mode", "must"], "may|must|exact|initial"),
         "scopes": (["--scopes", "--mode", "may", "--mode", "must"], "may|must|exact|rest"),
         "named": (["--together", "--strict-errors", "--mode", "may", "--mode", "must"],
                   "may|must|exact|new-error|signal 6|unusable output"),
         "normal": (["--together", "--mode", "auto"],
                    "may|exact|auto|initial|unusable output|signal 6"),
         "failing": (["--together", "--strict-errors", "--mode", "auto"], "new-error"),
         "together": (["--together", "--scopes", "--mode", "may", "--mode", "must"],
                      "may|must|exact|unusable output")}

first_seed = {"merges": 2001}  # seeds of which some hand over within a step

def checked(mode, program, first, last):
    arguments, kinds = modes[mode]
    script = "run.py" if arguments else f"{mode}.py"
    text = subprocess.run([sys.executable, f"{root}/oracle/{script}", "--varabs", program,
                           *(arguments or []), "--seeds", f"{first}..{last}",
                           "--jobs", str(jobs), "--timeout", "5", "--keep", f"{root}/kept"],
                          capture_output=True, text=True).stdout
    if not re.search(r"^\d+ passed, ", text, flags=re.M):
        sys.exit(f"{script} cannot judge seeds {first} to {last}")
    # seed 0 is no model: too few say something, of one or twenty
    return re.search(rf"^seed ([1-9]\d*): ({kinds})", text, flags=re.M)

def check(mode, program):
    start = first_seed.get(mode, 1)
    end = start + most_checked
    while start < end:
        found = checked(mode, program, start, min(start + 19, end))
        if not found:
            start += 20
        elif not checked(mode, f"{root}/base/build/varabs", found[1], found[1]):
            print(found[1], found[1], found[2])
            return
        else:
            start = int(found[1]) + 1  # it fails without the bug, too
    print(f"not found, {most_checked} judged")

def noted(program, kinds, seed):
    def kind_of(one):
        found = kinds in modes and checked(kinds, one, seed, seed)
        return found and found[2] if kinds in modes else failure(one, seed, kinds)
    kind = kind_of(program)
    return kind and not kind_of(f"{root}/base/build/varabs") and f"{seed} 1 {kind}"

program, kinds, seed = sys.argv[2:]
found = seed and noted(program, kinds, seed)
if found:
    print(found)
elif kinds in modes:
    check(kinds, program)
else:
    find(program, kinds)
'

prepare() { # make the program without a bug
    [ -z "$dry" ] || return 0
    rm -rf "$root"
    mkdir -p "$root/base"
    cp -R src scripts Makefile "$root/base" || return 1
    make -s -C "$root/base" MODE=release all >"$root/base.log" 2>&1 || return 1
    cp -R tests/random "$root/oracle" || return 1
}

# Plants the bug on standard input and looks for it.
bug() { # NAME KINDS
    name=$1
    folder=$root/$name
    text=$(cat)
    case $only in
    *" $name "* | "  ") ;;
    *) return ;;
    esac
    if [ -n "$dry" ]; then
        printf '=== %s\n%s\n' "$name" "$text" >>"$dry"
        return
    fi
    failed=$((failed + 1))
    cp -R -p "$root/base" "$folder"
    if ! printf '%s\n' "$text" | python3 -c "$change" "$folder" 2>"$folder.log" ||
        ! make -s -C "$folder" MODE=release all >>"$folder.log" 2>&1; then
        printf 'FAIL %-24s not planted, see %s\n' "$name" "$folder.log"
        return
    fi
    seed=$(sed -n "s/^$name //p" tests/random/planted.seeds)
    case $2 in
    cli:*) # without seeds: the first test that fails
        found=$(VARABS=$(realpath "$folder/build/varabs") tests/cli/run.sh "${2#cli:}" |
            sed -n 's/^FAIL /0 1 /p' | head -n 1)
        ;;
    *) found=$(JOBS=$JOBS LAST=$LAST python3 -c "$search" "$root" "$folder/build/varabs" "$2" "$seed") ;;
    esac
    case $found in
    [0-9]*)
        seed=${found%% *}
        found=${found#* }
        printf '%-24s seed %4d (%s judged): %.100s\n' "$name" "$seed" "${found%% *}" "${found#* }"
        [ "$seed" -eq 0 ] || echo "$name $seed" >>"$root/seeds"
        failed=$((failed - 1))
        passed=$((passed + 1))
        rm -rf "$folder" "$folder.log"
        ;;
    *) printf 'FAIL %-24s %s\n' "$name" "$found" ;;
    esac
}

if ! prepare; then
    tail -n 5 "$root/base.log"
    echo "0 passed, 1 failed"
    exit 1
fi

# The value analysis.

# A2: the receiver's update reads shared slots as its guard did.
bug A2-guard-and-update may <<'END'
--- src/approx
worker->leg.plan->is_within_step ? FORGET_SHARED : FORGET_HOOKED
+++
FORGET_HOOKED
END

# A2: M holds what a step leaves behind, not what is written within it.
bug A2-written 'may|exact' <<'END'
--- src/approx
        write_value(run, slot, value);
+++
        (void)value;
--- src/approx
        uint32_t item = slot == NO_SLOT ? NO_SLOT : run->item_of[slot];
+++
        if (slot != NO_SLOT && slot_is_shared(network, slot) &&
            run->analysis->is_tracked[slot])
            write_value(run, slot, run->environment.cells[address]);
        uint32_t item = slot == NO_SLOT ? NO_SLOT : run->item_of[slot];
END

# A3: of each tuple only one is combined with the rest.
bug A3-first-tuple 'may|exact' <<'END'
--- src/approx
    for (uint32_t i = 0; i < tuples->count && ok; i++) {
+++
    for (uint32_t i = 0; i < tuples->count && ok && i < 1; i++) {
END

# A3: two tuples are one if they agree in all but the last value.
bug A3-same-tuple 'may|exact' <<'END'
--- src/values
    size_t size = tuples->dimension * sizeof *row;
+++
    size_t size = (tuples->dimension > 1 ? tuples->dimension - 1 : 1) * sizeof *row;
--- src/values
    for (uint32_t k = 0; k < tuples->dimension; k++) hash = hash_mix(hash, (uint32_t)row[k]);
    uint32_t i = (uint32_t)hash & mask;
+++
    for (size_t k = 0; k < size / sizeof *row; k++) hash = hash_mix(hash, (uint32_t)row[k]);
    uint32_t i = (uint32_t)hash & mask;
END

# A3: a tuple is written down in the wrong order.
bug A3-order 'may|exact' <<'END'
--- src/approx
    for (uint32_t i = 0; i < group->dimension; i++) row[i] = cells[group->addresses[i]];
+++
    for (uint32_t i = 0; i < group->dimension; i++)
        row[i] = cells[group->addresses[group->dimension - 1 - i]];
END

# What an edge leaves alone is not carried on to its target.
bug join-untouched 'may|exact' <<'END'
--- src/approx
        if (edge->target != edge->source && keeps[g]) join_kept(worker, g);
+++
        if (edge->target != edge->source && keeps[g] && !was_reached) join_kept(worker, g);
--- src/approx
    if (!target->is_reached) reach(worker, worker->leg.process, edge->target);
+++
    bool was_reached = target->is_reached;
    if (!target->is_reached) reach(worker, worker->leg.process, edge->target);
END

# Who read a shared slot is not run again when its set grows.
bug join-dependents 'may|exact' <<'END'
--- src/approx
        for (uint32_t k = 0; k < dependents->list.count; k++)
+++
        for (uint32_t k = 0; k < dependents->list.count / 2; k++)
END

# Who comes to a channel later is no partner for those who wait there.
bug partner-later 'may|exact' <<'END'
--- src/approx
    for (uint32_t i = 0; i < uses->list[!sends].count; i++)
+++
    for (uint32_t i = uses->list[!sends].count; i < 0; i++)
END

# Nor is one for whom a process of its own side has come first.
bug partner-second 'may|exact' <<'END'
--- src/approx
    return count > 1 || (count == 1 && uses->list[by_sender].items[0].process != process);
+++
    return count && uses->list[by_sender].items[0].process != process;
END

# What has no partner is left out of classes, whether its guard fails or not.
bug partner-guard failing <<'END'
--- src/classes
        add_function(solver, FUNCTION_ERRORS, process, edge, edge->source);
+++
        (void)0;
END

# A2: what a receiver of a broadcast writes is not what the next one finds.
bug A2-other-receivers normal <<'END'
--- src/approx
    if (use->edge->is_send || others->is_broadcast[use->channel])
+++
    if (use->edge->is_send)
END

# A2: senders write nothing that a receiver finds.
bug A2-senders normal <<'END'
--- src/approx
        use->is_disturbed |= is_written_by_another(use, &use->others->writers[0], binding) ||
                             is_written_by_another(use, &use->others->writers[1], binding);
+++
        use->is_disturbed |= is_written_by_another(use, &use->others->writers[0], binding);
END

# A2: what a sender writes behind a branchpoint comes too late.
bug A2-branching normal <<'END'
--- src/approx
    use->is_disturbed |= others->is_branching[use->channel];
+++
    (void)0;
END

# A2: a channel that is a parameter is another one.
bug A2-channel-parameter normal <<'END'
--- src/approx
    return !root || root->is_reference || root->scope == SCOPE_TEMPLATE;
}

/* Whether the processes
+++
    return !root;
}

/* Whether the processes
END

# A2: what another process of the same template writes does not count.
bug A2-twin normal <<'END'
--- src/approx
           (use->is_several || writers->are_several || writers->process != use->process);
+++
           (writers->are_several || writers->process != use->process);
END

# V2: an update finds what its guard has found, though a hook has run.
bug V2-hooks normal <<'END'
--- src/classes
    return network->before_update.list.count ||
           (receives &&
+++
    return (receives &&
END

# V14: an else that goes takes all of it along, so that the next one dangles.
bug V14-dangling-else normal <<'END'
--- src/abstract
    bool has_else = other && (!other_goes || may_dangle);
+++
    bool has_else = other && !other_goes;
END

# X1: an edge is called unchanged at whose end values are exchanged.
bug X1-exchanged-is-unchanged auto <<'END'
--- src/normal
    if (normal->edges.items[i].index == index &&
+++
    if (normal->edges.items[i].index == index && i > 1000 &&
END

# X7: what fails in an update is not noted.
bug X7-update-never-fails auto <<'END'
--- src/abstract/claim
    doubts->items[i] = is_taken && !never_fails(&hull, edge->updates.items[i]);
+++
    doubts->items[i] = false;
END

# V14: locals stay where only what they rest on goes.
bug V14-locals-alone normal <<'END'
--- src/abstract
    walk_initialiser(symbol->initialiser, find_source, &source);
    if (!source.goes) return false;
+++
    (void)find_source;
    if (!source.goes) return false;
END

# Whether its labels may fail is not learned.
bug partner-unlearned named <<'END'
--- src/approx
            run_alone(worker, i);
+++
            (void)run_alone;
END

# A sender needs a receiver for a broadcast, too.
bug partner-broadcast together <<'END'
--- src/approx
    return (edge->is_send && uses->is_broadcast) || is_met(uses, process->index, !edge->is_send);
+++
    return is_met(uses, process->index, !edge->is_send);
END

# A set that grows does not bring its location back to the worklist.
bug join-worklist 'may|exact' <<'END'
--- src/approx
    add_pending(worker, process, location);
}
+++
    if (!domain->locations[location].groups->set.widenings &&
        location != worker->leg.edge->source)
        add_pending(worker, process, location);
}
END

# An edge that has read a shared slot is not analysed again when its set grows.
bug again-shared 'may|exact' <<'END'
--- src/approx
        worker->slot_grown[slot] = ++worker->clock;
+++
END

# Of two new values only the greater one is tried.
bug again-new-values 'may|exact' <<'END'
--- src/approx
    if (!count) return value_set_empty();
+++
    if (!count) return value_set_empty();
    values += count - 1;
    count = 1;
END

# What an edge does not look at is not carried on where the edge is not tried again.
bug again-kept 'may|exact' <<'END'
--- src/approx
    if (!visit->is_passed || edge->target == edge->source) return;
+++
    return;
END

# A set is replaced, not joined, where it becomes an interval.
bug widening-upper 'may|exact' <<'END'
--- src/values
        set->upper = upper;
        int32_t above
+++
        int32_t above
END

# An evaluation goes on where it ended the last time, whatever it reads now.
bug again-answer 'may|exact|must' <<'END'
--- src/lang/eval
        if (event->is_open || answer != event->value)
+++
        if (event->is_open)
END

# It goes on with the registers of the last evaluation, not with those in front of the read.
bug again-registers 'may|exact|must' <<'END'
--- src/lang/eval
        memcpy(registers, memory->snapshots.items + event->snapshot, at->height * sizeof(int32_t));
    registers[at->a] = answer;
+++
        (void)registers;
    registers[at->a] = answer;
END

# A run does as the one before up to the choice that is advanced, and that one as well.
bug again-alike 'may|exact|must' <<'END'
--- src/lang/eval
                     memory->events.items[count - 1].behind.choices > start.alike))
+++
                     memory->events.items[count - 1].behind.choices > start.alike + 1))
--- src/values
    assert(enumerator->touched.count <= to->touched && to->choices <= enumerator->alike);
+++
    assert(enumerator->touched.count <= to->touched);
END

# A5: a comparison bounds its left side by the least value of its right side.
bug A5-narrow-side counting <<'END'
--- src/approx
(struct interval){INT32_MIN, b.upper - distance}
+++
(struct interval){INT32_MIN, b.lower - distance}
END

# A5: of two conditions, what the first one leaves is forgotten.
bug A5-narrow-either counting <<'END'
--- src/approx
        if (other->upper > cell.upper) cell.upper = other->upper;
+++
END

# A7: an invariant over shared variables refines what others may still change.
bug A7-shared 'may|exact' <<'END'
--- src/approx
            if (is_alone && slot_is_shared(network, slot)) return false;
+++
            (void)is_alone;
END

# What update hooks write is forgotten.
bug M9-hooks 'may|exact' <<'END'
--- src/approx
        bool is_any = !analysis->is_tracked[i] || slot_is_hooked(network, i);
+++
        bool is_any = !analysis->is_tracked[i];
END

# M1: the other end of the values is put in for one that only has to make a guard hold.
bug M1-wrong-end counting <<'END'
--- src/abstract/facts
    return (struct tendency){slope == RISING, slope == FALLING};
+++
    return (struct tendency){slope == FALLING, slope == RISING};
END

# Updates.

# M1: an assignment goes together with the side effects of its value.
bug M1-side-effect 'may|exact|unusable output' <<'END'
--- src/abstract
            keep_item(updater, NULL, rewrite_read(&updater->rewriter, rest));
+++
            (void)rest;
END

# M1: a removed variable keeps its value when it is assigned (no shadow).
bug M1-old-value 'may|exact' <<'END'
--- src/abstract
    store_value(updater, symbol, is_cell ? now : NULL, is_cell ? to_source(updater, now) : NULL);
+++
    (void)now, (void)is_cell;
END

# M2: a function that writes the variable keeps it to itself although the update reads it later.
bug M2-local 'may|exact' <<'END'
--- src/abstract
                            !is_read_in_updates(network, removal->symbol)};
+++
                            (is_read_in_updates(network, removal->symbol) || true)};
END

# M2: in a generated function the variable starts with 0.
bug M2-initial 'may|exact' <<'END'
--- src/abstract
    is_read = is_read && !frame_sets_first(context, open, removal);
+++
    is_read = is_read && !frame_sets_first(context, open, removal) && !is_cell;
END

# M6: guard and update of a receiver share one unknown.
bug M6-shared-unknown 'may|exact' <<'END'
--- src/abstract
                          .is_within_step = label_run_is_within_step(context->analysis, open->template, edge)};
+++
                          .is_within_step = edge->leaves_branchpoint};
END

# A dropped assignment leaves no range condition behind.
bug range-condition exact <<'END'
--- src/abstract
    condition = build_and(context->arena, condition, range_condition(context, NULL, value, type));
    const struct expr *place = rewrite_indices(&updater->rewriter, target);
+++
    const struct expr *place = rewrite_indices(&updater->rewriter, target);
END

# A condition that cannot be said is taken for exact.
bug range-unsaid exact <<'END'
--- src/abstract
    if ((!source || why_not) && subject == SUBJECT_DROPPED)
+++
    if (why_not && !source && subject == SUBJECT_DROPPED)
END

# What a function writes through a reference parameter is not noticed.
bug aliasing-function 'may|exact|unusable output' <<'END'
--- src/model
            bool writes = effects_writes(inner, parameter);
+++
            bool writes = false;
END

# A write through one name leaves what is known by another.
bug aliasing-update 'may|exact' <<'END'
--- src/expr
    return (left->is_reference || right->is_reference) && left_shared && right_shared;
+++
    return false && left_shared && right_shared;
END

# A variable of a template that hides a global one is taken for it.
bug hidden-names named <<'END'
--- src/abstract
                      !template_hides(open->template, own) &&
+++
END

# Guards, folds, exactness.

# M3: no declining.
bug M3-decline may <<'END'
--- src/abstract
            decline(folder, open);
        if (open->has_condition_of_receiver)
+++
            (void)decline;
        if (open->has_condition_of_receiver)
END

# X1: the cell that a removed index means is taken for a visible one.
bug X1-hidden-index 'exact|unusable output|invalid output' <<'END'
--- src/abstract
        if (!unknown->is_chosen && unknown->class_count > 1 &&
            !expr_has_unknown(unknown->access->child[1]))
+++
        if (!unknown->is_chosen && unknown->class_count > 1)
END

# M3: a location declines only where all its tuples do.
bug M3-all-tuples may <<'END'
--- src/abstract
emit_decline(folder, open, sync, partition_differing(partition));
+++
emit_decline(folder, open, sync, partition_must(partition));
END

# A channel that is a reference parameter is taken for a binary one.
bug broadcast-reference 'may|exact' <<'END'
--- src/abstract
            if (type_prefixes(model->symbols[i]->type) & PREFIX_BROADCAST) return true;
+++
            if (type_prefixes(model->symbols[i]->type) & PREFIX_BROADCAST) return false;
END

# A broadcast receiver whose update may fail is as certain as others.
bug broadcast-condition exact <<'END'
--- src/abstract
        if (open->has_condition_of_receiver)
+++
        if (open->has_condition_of_receiver && open->inexact.count)
END

# M4: the invariant for one value only.
bug M4-one-value may <<'END'
--- src/abstract
        block->some = fold_or(arena, block->some, holds);
+++

END

# The may-fold is of the first residual only.
bug fold-first may <<'END'
--- src/abstract
        guard = fold_or(arena, guard, build_and(arena, member->side, member->guard));
+++
        if (!k) guard = fold_or(arena, guard, build_and(arena, member->side, member->guard));
END

# A receiver's condition speaks of what was there before the sender wrote.
bug receiver-condition may <<'END'
--- src/abstract
        const struct expr *sent = changes ? sent_by(context, open, template, edge, symbol) : name;
+++
        const struct expr *sent = name;
END

# M2: an array is not looked at from its first cell on.
bug unrolled-rounds may <<'END'
--- src/abstract
is_known && i >= shape->lower; i--) {
+++
is_known && i > shape->lower; i--) {
END

# M2: behind a branch, a local holds what the other one gave it.
bug unrolled-branches 'may|exact' <<'END'
--- src/abstract
            const struct expr *value = choose(unroller->context->arena, condition, left, right);
+++
            const struct expr *value = choose(unroller->context->arena, condition, left, left);
END

# M2: what one way to the end of a function does counts on the other one, too.
bug unrolled-returns 'may|exact' <<'END'
--- src/abstract
    const struct expr *no = unroller->gave_up ? NULL : run(unroller, other, &right);
+++
    const struct expr *no = unroller->gave_up ? NULL : run(unroller, other, &left);
END

# What fails in one run may come to its end in another one.
bug failing-once may <<'END'
--- src/abstract
    } while (!found && enumerator_next(enumerator));
+++
    } while (!found && !failures->was_enabled && enumerator_next(enumerator));
END

# Behind the guard another process has written: the receiver finds other values.
bug failing-behind may <<'END'
--- src/abstract/fold/failing.c
        label_run_forget(run, leg->plan->is_within_step ? FORGET_SHARED : FORGET_HOOKED);
+++
        label_run_forget(run, FORGET_HOOKED);
END

# Residuals are alike although their updates are not.
bug alike-updates 'may|exact' <<'END'
--- src/abstract
        if (!expr_equal(left->items[i], right->items[i])) return false;
    if (a->edge
+++
        if (!left->items[i] != !right->items[i]) return false;
    if (a->edge
--- src/abstract
        hash = hash_mix(hash, expr_hash(residual->items[i]));
+++
        hash = hash_mix(hash, residual->items[i] != NULL);
END

# A3: classes of cells that say nothing about indices outside the array.
bug A3-outside may <<'END'
--- src/abstract
    if (index_fits(context, index, lower, upper)) return;
+++
    if (index_fits(context, index, lower, upper) || true) return;
END

# X1: exact although must and may guard differ.
bug X1-guards exact <<'END'
--- src/abstract
    if (!run->count || run->partition.is_same) return true;
+++
    if (!run->count || run->partition.is_same || true) return true;
END

# X1: guards are compared by meaning for the first values only.
bug X1-meaning-values exact <<'END'
--- src/abstract/fold/meaning.c
    } while (enumerator_next(enumerator));
+++
    } while (enumerator_next(enumerator) && false);
END

# X1: the must guard is the same where the may guard holds whenever it does.
bug X1-meaning-one-way exact <<'END'
--- src/abstract/fold/meaning.c
        if (!enumerator->is_empty && one != other) return false;
+++
        if (!enumerator->is_empty && one < other) return false;
END

# X1: an invariant that keeps steps out by a removed value is exact.
bug X1-invariant exact <<'END'
--- src/abstract
        if (is_blocking)
+++
        if (is_blocking && !invariant)
END

# A value that is chosen misses the last of its range.
bug select-range 'may|exact' <<'END'
--- src/abstract
    out->selects[out->select_count++] = (struct chosen_select){unknown, set->lower, set->upper};
+++
    out->selects[out->select_count++] = (struct chosen_select){
        unknown, set->lower, set->upper - (set->upper > set->lower)};
END

# What a select stands for is chosen with the guard of the first value.
bug select-values 'may|exact' <<'END'
--- src/abstract
        const struct expr *both = build_and(folder->arena, test, classes[c]->guard);
+++
        const struct expr *both = build_and(folder->arena, test, classes[0]->guard);
END

# A quantifier is written out without its last value.
bug quantifier 'may|exact' <<'END'
--- src/abstract
    for (int64_t i = shape->lower; i <= shape->upper; i++) {
        const struct expr *value = build_int(arena, i);
+++
    for (int64_t i = shape->lower; i <= shape->upper - (shape->upper > shape->lower); i++) {
        const struct expr *value = build_int(arena, i);
END

# The test for the cells of one class knows only the first.
bug index-class 'may|exact' <<'END'
--- src/abstract
            if (reaches[i] && class_of[i] == c)
+++
            if (reaches[i] && class_of[i] == c && !members_count)
END

# The value of a named constant is wrong.
bug named-constant 'may|exact' <<'END'
--- src/expr
        *value = expr->symbol->value;
+++
        *value = expr->symbol->value != 0;
END

# not (a <= b) becomes a >= b.
bug negation 'may|exact' <<'END'
--- src/expr
        return build_binary(arena, op_negated(inner->op), inner->child[0], inner->child[1]);
+++
        return build_binary(arena, inner->op == OP_LE ? OP_GE : op_negated(inner->op),
                            inner->child[0], inner->child[1]);
END

# A guard that fails for a value is not protected, so that the other values are lost.
bug guard-error 'may|exact|new-error' <<'END'
--- src/abstract
    return condition ? build_binary(arena, OP_AND, condition, guard) : guard;
+++
    return condition ? guard : build_bool(arena, true);
END

# The explorer.

# Must-abstractions and scopes.

# S1: what is related to a variable that goes is still taken to keep another one at rest.
bug S1-rest-of-original scopes <<'END'
--- src/abstract
           (context->request->removals.count == 1 && !context->analysis->is_combined);
+++
           context->request->removals.count > 0;
END

# U1: an edge stays if some value enables it.
bug U1-exists must <<'END'
--- src/abstract
        if (!expr_is_false(block->every.expr)) chain_add(&block->every, holds);
+++
        if (!expr_is_false(holds)) chain_add(&block->every, holds);
END

# U2: whoever receives, the sends stay.
bug U2-sends must <<'END'
--- src/abstract
    if (rules->blocks_sends) fold_blocks(&folder);
+++
    (void)fold_blocks;
END

# U3: an invariant stays if some value meets it.
bug U3-exists must <<'END'
--- src/abstract
    return is_must ? partition_must(&partition) : partition_may(&partition);
+++
    return partition_may(&partition);
END

# A7: an invariant over removed values refines them in a must-abstraction, too.
bug A7-must must <<'END'
--- src/approx
            if (analysis->options.is_must && analysis->is_removed[slot]) return false;
+++
END

# U4: what the update of a receiver finds is what stable states hold.
bug U4-stable combined <<'END'
--- src/abstract
    is_within_step = is_within_step && !removal->template;
+++
    is_within_step = is_within_step && !removal->template && !context->rules->is_universal;
END

# Dead ends are said to be the same whatever they are.
bug stutter-claimed claims <<'END'
--- src/abstract
    return help == NULL;
+++
    return true;
END

# Liveness is claimed of a must-abstraction as of a may-abstraction.
bug guarantee-direction claims <<'END'
--- src/abstract
    bool is_satisfied = carries_satisfied(guarantee->query, abstraction->context.rules->is_universal);
+++
    bool is_satisfied = carries_satisfied(guarantee->query, false);
END

# A process that waits for a partner counts as one that can always move.
bug stutter-partner claims <<'END'
--- src/abstract
    if (edge_is_sure(&looper->sure, template, open->edge_index) && is_plain_edge) {
+++
    if (is_plain_edge) {
END

# --stutter forgets the initial location.
bug stutter-initial waiting <<'END'
--- src/abstract
            if (needs_loop(&places, network->model->templates[t], l))
+++
            if (l != network->model->templates[t]->initial &&
                needs_loop(&places, network->model->templates[t], l))
END

# --stutter forgets the committed partner of a process that may have to wait.
bug stutter-committed waiting <<'END'
--- src/abstract
bool is_partner = places->has_partner && template->locations[location].is_committed;
+++
bool is_partner = false && places->has_partner;
END

# An edge to a branchpoint is taken for one that needs no partner.
bug stutter-partner-branch waiting <<'END'
--- src/abstract
return edge->sync || edge->target >= template->location_count;
+++
(void)template;
    return edge->sync;
END

# A branchpoint that is not exact is no matter of the locations before it.
bug stutter-branch waiting <<'END'
--- src/abstract
        spread_back(template, places->is_inexact[t]);
+++
        (void)spread_back;
END

# All that receives is taken for a listener that nobody waits for.
bug stutter-listener waiting <<'END'
--- src/abstract
type_prefixes(root->type) & PREFIX_BROADCAST;
+++
true;
END

# A committed listener is taken for one that lets nobody in.
bug stutter-committed-listener waiting <<'END'
--- src/abstract
!template->locations[edge->source].is_committed && !edge->leaves_branchpoint &&
+++
(template || true) &&
END

# A guard that depends on what is removed keeps no step out.
bug stutter-guard waiting <<'END'
--- src/abstract
bool depends = open->inexact.count || expr_has_unknown(open->guard) || expr_has_unknown(open->sync);
+++
bool depends = open->inexact.count || expr_has_unknown(open->sync);
END

# A channel that depends on what is removed keeps no step out.
bug stutter-channel waiting <<'END'
--- src/abstract
bool depends = open->inexact.count || expr_has_unknown(open->guard) || expr_has_unknown(open->sync);
+++
bool depends = open->inexact.count || expr_has_unknown(open->guard);
END

# What is written to a removed variable keeps no step out, whatever invariants say.
bug stutter-invariants waiting <<'END'
--- src/abstract
if (!fold->fold.inexact.count || has_invariants) return
+++
(void)has_invariants;
    if (!fold->fold.inexact.count) return
END

# An invariant over what is removed is no reason for loops.
bug stutter-invariant waiting <<'END'
--- src/abstract
places->is_anywhere = abstraction->has_inexact_invariant;
+++
places->is_anywhere = false;
END

# Loops are not needed for steps on urgent channels.
bug stutter-urgent waiting <<'END'
--- src/abstract
if (!looper->has_urgent || !(is_branching
+++
if (looper->has_urgent || !(is_branching
END

# A loop is enabled only where no urgent step is certain.
bug stutter-urgent-guard waiting <<'END'
--- src/abstract
guard = fold_or(arena, guard, fold_not(arena, fold_guard_here(joint, open, arena)));
+++
guard = build_and(arena, guard, fold_not(arena, fold_guard_here(joint, open, arena)));
END

# What an urgent step depends on besides its guard is forgotten.
bug stutter-urgent-always waiting <<'END'
--- src/abstract
    if (looper->is_always) return NULL;
+++
    (void)looper->is_always;
END

# The guard of a loop is that for the first values.
bug stutter-first-value waiting <<'END'
--- src/abstract
    do partition_say(partition, guard_here(looper));
    while (joint_next(&partition->joint));
+++
    partition_say(partition, guard_here(looper));
END

# A loop is enabled where a process can move.
bug stutter-other-way waiting <<'END'
--- src/abstract
fold_not(arena, moves);
+++
moves;
END

# A guard over a select says when a process can move.
bug stutter-select waiting <<'END'
--- src/abstract
if (expr_mentions(open->edge->written_guard, open->edge->selects[i])) return false;
+++
(void)i;
END

# The guard of a loop is read whatever values the ghosts have.
bug stutter-ghost waiting-merges <<'END'
--- src/abstract/claim
    return partition_may(partition);
+++
    partition->gave_up = true;
    return partition_may(partition);
END

# An internal step counts as possible although an invariant may keep it out.
bug stutter-mover waiting <<'END'
--- src/model
if (edge->target != edge->source && template->locations[edge->target].written_invariant)
        return true;
+++

END

# An internal step counts as possible although what it writes may break an invariant.
bug stutter-mover-write waiting <<'END'
--- src/model
    return hindrance->is_by_hooks ||
           writes_any(&hindrance->network->labels.edges[template->index][index].update_effects,
                      &hindrance->invariants);
+++
    return hindrance->is_by_hooks;
END

# Time is said to pass alike although guards of an urgent channel's edges have changed.
bug urgency-changed waiting <<'END'
--- src/abstract
    if (!model_has_urgent_channel(abstraction->network->model)) return false;
+++
    if (model_has_urgent_channel(abstraction->network->model)) return false;
END

# Edges to and from branchpoints are taken not to change what is urgent.
bug urgency-branch waiting <<'END'
--- src/abstract
(is_branch || edge->target >= fold->template->location_count ||
                 sync_may_be_urgent(edge->sync)))
+++
((void)is_branch, sync_may_be_urgent(edge->sync)))
END

# A step on an urgent channel is taken to be possible where guards hold.
bug urgency-forbidden waiting <<'END'
--- src/abstract
    if (model_has_urgent_channel(network->model) &&
        !(urgent_pairs_can_go(&sure) && initial_state_is_valid(network)))
        return false;
+++
    (void)sure;
END

# The same for a model that never gets stuck otherwise.
bug stuck-forbidden waiting <<'END'
--- src/abstract
        (!is_uppaal || !all_move_in(&sure, LOCATION_URGENT) || !urgent_pairs_can_go(&sure)))
+++
        (!is_uppaal || !all_move_in(&sure, LOCATION_URGENT)))
END

# Urgent locations do not count.
bug urgency-location waiting <<'END'
--- src/abstract
if (location->is_urgent || location->is_committed) return false;
+++
if (location->is_committed) return false;
END

# A process that can always move is taken to do so while others are committed.
bug stuck-committed waiting <<'END'
--- src/abstract
    if (!all_move_in(&sure, LOCATION_COMMITTED)) return false;
+++

END

# Whoever is at an urgent location is taken to be able to move.
bug stuck-urgent waiting <<'END'
--- src/abstract
(!is_uppaal || !all_move_in(&sure, LOCATION_URGENT) || !urgent_pairs_can_go(&sure))
+++
(!is_uppaal || !urgent_pairs_can_go(&sure))
END

# S1: edges that enter a scope leave the variable as it is.
bug S1-enter scopes <<'END'
--- src/abstract
        if (is_crossing && removal->scope[open->edge->target]) enter_scope(&frame, removal);
+++
        (void)enter_scope;
END

# S1: edges that leave a scope do not choose a value.
bug S1-leave scopes <<'END'
--- src/abstract
        if (is_crossing && removal->scope[open->edge->source]) leave_scope(&frame, removal);
+++
        (void)leave_scope;
END

# What is easily mistaken.

# M1: an assignment goes together with the side effects of its index.
bug M1-index-effect 'may|exact' <<'END'
--- src/abstract
    if (expr_has_effect(target)) {
        updater->rewriter.why_not = "its index has side effects";
+++
    if (false) {
        updater->rewriter.why_not = "its index has side effects";
END

# M1: what stands before something false goes with its side effects.
bug M1-conjunct-effect 'may|exact' <<'END'
--- src/expr
        if (expr_is_false(right) && !expr_has_effect(left)) return build_bool(arena, false);
+++
        if (expr_is_false(right)) return build_bool(arena, false);
END

# M2: an index that an item changes is tested as it was before.
bug M2-changing-index 'may|exact' <<'END'
--- src/abstract
    } else if (item_reads_what_it_changes(updater, item)) {
+++
    } else if ((void)item_reads_what_it_changes, false) {
END

# M2: the value of a removed variable is what has changed since.
bug M2-changing-value named <<'END'
--- src/abstract
            (may_write(changes, effects.list.items[i].symbol) ||
             value_may_change(updater, effects.list.items[i].symbol, changes)))
+++
            ((void)value_may_change, may_write(changes, effects.list.items[i].symbol)))
END

# M2: the variable of a quantifier is taken for a removed one of the same name.
bug M2-capture 'may|exact' <<'END'
--- src/abstract
    walk_list(&edge->updates, find_capture, &capture);
+++
    (void)find_capture;
END

# M2: a type is written where a name in it means something else: in an update,
bug M2-type-in-update 'may|exact|status 3|unusable output' <<'END'
--- src/abstract
    if (hidden)
        return
+++
    if (false)
        return
END

# as that of a parameter of a function,
bug M2-type-in-function 'may|exact|status 3|unusable output' <<'END'
--- src/abstract
    if (hidden) {
+++
    if (false) {
END

# and as that of a select.
bug M2-type-in-select 'may|exact|status 3|unusable output' <<'END'
--- src/abstract
        if (hidden_in_type(rewriter->open->template, rewriter->open->edge, unknown->placeholder->type)) break;
+++
END

# Bounds in conditions have other names there.
bug hidden-bounds 'may|exact|status 3|unusable output' <<'END'
--- src/abstract
    return constant_value(context, bound, &value) ? build_int(context->arena, value) : bound;
+++
    return (void)context, (void)value, bound;
--- src/abstract
    if (names_hidden(open->template, open->edge, source)) source = NULL;
+++
END

# M6: behind an update that a branch follows, nobody else writes.
bug M6-branch-receives 'may|exact' <<'END'
--- src/abstract
    .is_within_step = label_run_is_within_step(context->analysis, open->template, edge)};
+++
    .is_within_step = (edge->sync && !edge->is_send) || edge->leaves_branchpoint};
--- src/abstract
    bool is_within_step = label_run_is_within_step(context->analysis, open->template, edge);
+++
    bool is_within_step = (edge->sync && !edge->is_send) || edge->leaves_branchpoint;
END

# A condition behind a branchpoint stands in a guard, which is read before the edge in front writes.
bug branch-condition 'may|exact' <<'END'
--- src/abstract
    bool is_expressible = !why_not && condition && !open_edge_is_branch(open);
+++
    bool is_expressible = !why_not && condition;
END

# So do the cells that an index behind a branchpoint may mean.
bug branch-index 'may|exact' <<'END'
--- src/abstract
    (!open_edge_is_branch(open) || expr_has_unknown(unknown->access->child[1])) &&
+++

END

# M3: what stands behind the test of a removed variable is still kept from failing.
bug M3-behind-test named <<'END'
--- src/abstract
        bool is_right_behind =
            is_behind || expr_reads_removed(context, guard->child[0], open_edge_before(open));
+++
        bool is_right_behind = is_behind;
END

# Of the indices of a partly removed variable the first is that of a removed cell.
bug partial-index 'may|exact' <<'END'
--- src/abstract
    for (int64_t i = first; i <= last && (search->cells || !found); i++)
+++
    for (int64_t i = first; i <= first && (search->cells || !found); i++)
END

# What is behind an index of a partly removed variable is there for all indices.
bug partial-condition 'may|exact' <<'END'
--- src/abstract
        const struct expr *value = build_name(context->arena, unknown->placeholder);
        result = here ? build_cond(context->arena, here, value, result) : value;
+++
        const struct expr *value = build_name(context->arena, unknown->placeholder);
        result = here && removal_is_plain_array(removal)
                     ? build_cond(context->arena, here, value, result)
                     : value;
END

# Sets are cut at a scalar parameter.
bug scalar-cut processes <<'END'
--- src/abstract
        return refuse_scalar(splitter, set, set->parameters[k]);
+++
        (void)refuse_scalar;
END

# Some processes only.

# The processes of a set are listed group by group.
bug split-order processes <<'END'
--- src/abstract
        for (uint32_t r = 0; r < set->run_count; r++) {
            buffer_printf(&entries, "%s%s", r ? ", " : "", set->runs[r].name);
+++
        for (uint32_t r = set->run_count; r-- > 0;) {
            buffer_printf(&entries, "%s%s", r + 1 < set->run_count ? ", " : "", set->runs[r].name);
END

# References.

# M7: what the first process passes stands in the template, whatever others pass.
bug M7-element references <<'END'
--- src/abstract
(change->text && strcmp(change->text, path.text) != 0)
+++
false
END

# M7: a parameter keeps its name, which hides what stands in place of another.
bug M7-hidden references <<'END'
--- src/abstract
        rename_symbol(replacer, hiding);
+++
        (void)replacer;
END

# Merges.

# S2: an edge whose update writes in a step with others does not set the variable.
bug S2-update merges <<'END'
--- src/abstract
    if (!writes) return true;
+++
    if (!writes || edge->sync) return true;
END

# S2: the variable starts at 0.
bug S2-initial merges <<'END'
--- src/abstract
    if (!is_same || first || shape->lower > 0) set_initialiser(adder, initial);
+++
    if (!is_same) set_initialiser(adder, initial);
END

# S2: the guard of a block holds whatever value the ghost has.
bug S2-block merges <<'END'
--- src/abstract
        const struct expr *test = partition->gave_up ? NULL : block_test(partition, 0, &rows);
+++
        (void)block_test;
        const struct expr *test = NULL;
END

# S2: for must, one tuple answers for all of its block.
bug S2-must-block merges <<'END'
--- src/abstract
    return what == SAID_OF_EVERY ? block->every.expr : block->some;
+++
    return what == SAID_OF_EVERY ? block->first : block->some;
END

# S2: a value that the variable does not determine is taken for one that it does.
bug S2-table merges <<'END'
--- src/abstract
    if (at < table->count && table->keys[at] == key) return table->values[at] == value;
+++
    if (at < table->count && table->keys[at] == key) return true;
END

# S2: a condition on what arrives within the step is asked of the source state.
bug S2-mid-condition merges <<'END'
--- src/abstract
        (closure.is_within_step && expresser->is_in_source))
+++
        false)
END

# S2: variables get their values in any order, though one is computed from another.
bug S2-order merges <<'END'
--- src/abstract
    if (first < last)
        order_ghosts(expresser, open->items.items + first, plain + first, last - first);
+++
    (void)order_ghosts;
END

# S2: a select loses a value that the variable can have.
bug S2-clip merges <<'END'
--- src/abstract
            if (to - from < *last - *first) *first = from, *last = to;
+++
            if (to - from < *last - *first) *first = from, *last = to - (to > from);
END

# An addition overtakes what is put into the same field.
bug quick-add check <<'END'
--- src/explore
        if (put->word == field->word && ~put->keep & field->mask << field->shift) return false;
+++
        (void)put;
END

# A subtraction runs over the lower end of its field.
bug quick-end check <<'END'
--- src/explore
field_bits(field, add->b > 0 ? (int32_t)upper : field->lower);
+++
field_bits(field, (int32_t)upper);
END

# A sender on an urgent broadcast channel lets time pass until somebody receives.
bug urgent-broadcast check <<'END'
--- src/explore
is_broadcast ? offer.is_send : rounds
+++
is_broadcast && !offer.is_send ? false : rounds
END

# Time passes where the target of a pair on an urgent channel has an invariant.
bug urgent-forbidden check <<'END'
--- src/explore
        if (!program->channels[channel]->is_urgent) continue;
+++
        if (!program->channels[channel]->is_urgent ||
            !unit_is_trivial(
                &program->invariants[process][program->instances.items[instance].target]))
            continue;
END

# A variable with an index is not part of the key.
bug memo-key check <<'END'
--- src/explore
        if (traits & LOOKS_AT) add_variable(layout, (uint32_t)at->b, mask);
+++
END

# The first bit of each word that an action leaves as it is becomes 0.
bug memo-keep check <<'END'
--- src/explore
        memo->results[memo->result_count + i] = one[i] ^ other[i];
+++
        memo->results[memo->result_count + i] = (one[i] ^ other[i]) & ~(uint64_t)1;
END

# A failing action is no reason to run the others in their order.
bug memo-errors check <<'END'
--- src/explore
            if (outcome == RUN_FAULT || outcome == RUN_OVERFLOW) entry.count |= MEMO_ROWS;
+++
            if (outcome == RUN_OVERFLOW) entry.count |= MEMO_ROWS;
END

# A receiver in a committed location does not count.
bug committed-receiver check <<'END'
--- src/explore
    action.is_committed = is_committed(first) || (second && is_committed(second));
+++
    action.is_committed = is_committed(first);
END

# The priority of a receiver's process does not count.
bug process-priority check <<'END'
--- src/explore
    if (second && second->process->priority > process) process = second->process->priority;
+++
END

# The last of several receivers of a broadcast is forgotten.
bug broadcast-receiver check <<'END'
--- src/explore
    uint32_t count = loose->groups.count + 1;
+++
    uint32_t count = loose->groups.count + (loose->groups.count < 2);
END

# A broadcast goes on without the receiver whose guard fails.
bug broadcast-undecided check <<'END'
--- src/explore
    if (is_undecided(expander, sender)) return true;
+++
    (void)is_undecided;
END

# A slot that was back at its initial value after every step is taken to be always.
bug transient-action check <<'END'
--- src/explore
            if (FIELD(at->a) != at->b) {
+++
            if (FIELD(at->a) < at->b) {
END

# The same, in a step that is put together while the search runs.
bug transient-loose check <<'END'
--- src/explore
        if (program->network->slots[slot].is_meta || value == program->network->slots[slot].initial)
            continue;
+++
        if (program->network->slots[slot].is_meta || value >= program->network->slots[slot].initial)
            continue;
END

# What a guard reads of a meta variable is forgotten with the step.
bug meta-carried check <<'END'
--- src/model
        read_all(reads, edge->written_guard);
+++
        if (!edge->written_guard) read_all(reads, edge->sync);
END

# States that differ in meta variables alone are taken to go on alike.
bug meta-alike check <<'END'
--- src/explore/verdict
    equal->have_same_ends = is_same(&sorted, &other->classes);
+++
    equal->have_same_ends |= is_same(&sorted, &other->classes);
END

# What one of several senders writes is taken to be written by all.
bug meta-handed check <<'END'
--- src/model
            sent &= pass_edge(finder, edge, before, &exposed);
+++
            sent |= pass_edge(finder, edge, before, &exposed);
END

# Recent states are told apart by all words but the last.
bug recent-words check <<'END'
--- src/explore
    for (uint32_t i = 0; i < words; i++) difference |= recent[i] ^ state[i];
+++
    for (uint32_t i = 0; i + (words > 1) < words; i++) difference |= recent[i] ^ state[i];
END

# A field that ends in the first bits of a byte is cut off.
bug stored-bytes check <<'END'
--- src/explore
WORD_SIZE + (last + 7) / 8 + !last;
+++
WORD_SIZE + (last + 4) / 8 + !last;
END

# Whether a state is stuck depends on those before it.
bug stuck-list check <<'END'
--- src/explore
    machine->is_stuck = !expander_degree(&worker->expander);
+++
    machine->is_stuck = !worker->expander.count;
END

# What a query says of a state that is stuck is what it said of another one with the same values.
bug known-stuck check <<'END'
--- src/explore/code/reads.c
        if (at->op == OP_CODE_STUCK) *asks_stuck = true;
+++
        (void)asks_stuck;
END

# A query does not look at cells with a computed index.
bug known-cells check <<'END'
--- src/explore/code/reads.c
        if (traits & LOOKS_AT) add_variable(code->layout, (uint32_t)at->b, bits);
+++
        (void)add_variable;
END

# A lower value that comes later is no bound.
bug bounds-lower check <<'END'
--- src/explore
        if (!bounds->is_found || value < bounds->lower) bounds->lower = value;
+++
        if (!bounds->is_found) bounds->lower = value;
END

# A step back to where the run came from closes no loop.
bug back-edge check <<'END'
--- src/explore
        if (colour == OPEN || colour == BAD) return true;
+++
        if (colour == BAD) return true;
END

# Time passes although a step on an urgent channel is possible.
bug urgent-channel check <<'END'
--- src/explore
    return !program->urgent.count || !has_urgent_pair(expander);
+++
    (void)has_urgent_pair;
    return true;
END

# Certification by sets of states: what is compared is the other engine.

# Initial states are not compared.
bug follow-initial certified <<'END'
--- src/explore/compare/by_sets.c
    return shown_starts_alike(&comparison->shown) ? SET_HOLDS : fail(comparison);
+++
    return SET_HOLDS;
END

# The steps of the first group of the concrete model need not be followed.
bug follow-groups certified <<'END'
--- src/explore/compare/follow.c
    for (uint32_t i = 0; i < moves->count && is_fine && !ldd_is_over(ldd); i++) {
+++
    for (uint32_t i = 1; i < moves->count && is_fine && !ldd_is_over(ldd); i++) {
END

# Values stand for others wherever the process is.
bug follow-exchange-anywhere certified <<'END'
--- src/explore/compare/shown.c
        if ((at->process == NO_PROCESS || at->code == code) &&
            (!at->exchange->key || exchange_counts(at->exchange, key)))
+++
        if (!at->exchange->key || exchange_counts(at->exchange, key))
END

# Values that stand for others are compared as they are.
bug follow-exchange-none certified <<'END'
--- src/explore/compare/shown.c
        int32_t value = exchanged_at(list, code, key_value(shown, key, codes[PART_KEY]),
                                     concrete_value(shown, field, codes[PART_VALUE]));
+++
        int32_t value = concrete_value(shown, field, codes[PART_VALUE]);
END

# What both write is not compared.
bug follow-written certified <<'END'
--- src/explore/compare/follow.c
    if (is_written && touch->writes) return touch->written == follow->written[level];
+++
    if (is_written && touch->writes) return true;
END

# What only one of them writes is not compared with what was there.
bug follow-kept certified <<'END'
--- src/explore/compare/follow.c
    if (touch->reads) return touch->read == kept;
+++
    if (touch->reads) return true;
END

# What is written where nothing is read may have been anything.
bug follow-needed certified <<'END'
--- src/explore/compare/follow.c
    *is_needed = true;
    *needed = kept;
    return true;
+++
    return true;
END

# Must is taken for may, and exact as well.
bug follow-must certified <<'END'
--- src/explore/compare/by_sets.c
    if (!is_must) return SET_HOLDS;
+++
    return SET_HOLDS;
END

# Steps to what no concrete state looks like count as followed.
bug follow-lost certified <<'END'
--- src/explore/compare/by_sets.c
    if (!has_lost && follow_all(follow, abstract, concrete)) return SET_HOLDS;
+++
    if (follow_all(follow, abstract, concrete)) return SET_HOLDS;
--- src/explore/compare/by_sets.c
    if (has_lost && !is_may) return leave_open(certifier, "values do not fit");
+++
END

# A state that is stuck stutters to any other one.
bug follow-stuck-same certified <<'END'
--- src/explore/compare/follow.c
    uint32_t still = set_match(ldd, follow->marks, set_intersect(ldd, set, stuck), same, chain);
+++
    uint32_t still = same == chain ? set : set_intersect(ldd, set, stuck);
END

# Stuttering need not be followed.
bug follow-stuck certified <<'END'
--- src/explore/compare/follow.c
    if (is_fine && !ldd_is_over(ldd)) is_fine = is_followed(follow, follows, moves->stuck);
+++
END

# Steps of the abstract model are those that are possible where nobody is committed.
bug follow-committed certified <<'END'
--- src/explore/compare/steps_abstract.c
    if (!step_group_run(group, expander, steps->state, steps->point.committed > 0)) {
+++
    if (!step_group_run(group, expander, steps->state, false)) {
END

# Locations may be urgent or committed in one model only.
bug follow-hurry certified <<'END'
--- src/explore/compare/by_sets.c
    if (looks_same && (one->is_committed != other->is_committed ||
                       one->is_urgent != other->is_urgent))
+++
    if (looks_same && one->is_committed != one->is_committed)
END

# Where channels keep time from passing is taken for the same in both.
bug follow-urgent-channels certified <<'END'
--- src/explore/compare/by_sets.c
    if (comparison->reaches[side]->program->urgent.count) return "there are urgent channels";
+++
    if (comparison->reaches[side]->program->has_priorities) return "there are urgent channels";
END

# Initial states need not be shown as what is derived.
bug derived-initial certified <<'END'
--- src/explore/compare/shown.c
    if (shown->fields[i].derived != NOWHERE) is_alike &= derives_initial(shown, i);
+++
END

# What is derived is not compared.
bug derived-visible certified <<'END'
--- src/explore/compare/shown.c
    shown->is_visible[shown->level_count] = origin == NOWHERE;
+++
    shown->is_visible[shown->level_count] = false;
END

# What is derived stays as it is when the variable changes.
bug derived-touched certified <<'END'
--- src/explore/compare/steps_concrete.c
            maker->touched[maker->touched_count++] = i;
+++
            maker->touched[0] = i;
END

# What is derived is the same after a step, whatever the step did not read.
bug derived-known certified <<'END'
--- src/explore/compare/steps_concrete.c
        change.is_known &= change.value == NOWHERE || change.value == value;
+++
END

# What is derived stays as it is, if a step writes what it depends on.
bug derived-same certified <<'END'
--- src/explore/compare/steps_concrete.c
        change.is_same &= value == derived->shown[before];
+++
END

# What a guess does not show counts as wrong.
bug derived-guess certified <<'END'
--- src/explore/compare/by_sets.c
    if (!comparison->shown.has_guesses) return SET_FAILS;
+++
    if (comparison->ldd) return SET_FAILS;
END

# Sets of states: what is compared is the other engine.

# A step with several outcomes has only one of them.
bug sets-relation engines <<'END'
--- src/explore/symbolic/reach.c
    for (uint32_t i = 0; i < expander->count; i++) {
+++
    for (uint32_t i = 0; i < expander->count && i < 1; i++) {
END

# Vectors count as known although a limit was in the way of their steps.
bug sets-known engines <<'END'
--- src/explore/symbolic/close.c
    if (!ldd_is_over(ldd) && !closer->is_ended) event->known = known;
+++
    if (!closer->is_ended) event->known = known;
--- src/explore/symbolic/close.c
    uint32_t known = set_union(ldd, event->known, fresh);
+++
    enum ldd_end end = ldd->end;
    ldd->end = LDD_GOES_ON;
    uint32_t known = set_union(ldd, event->known, fresh);
    ldd->end = end;
END

# What an action tests is not what it reads, if it must not hold.
bug sets-reads-test engines <<'END'
--- src/explore/symbolic/walk.c
        struct walk_value value = get(walk, view, i);
+++
        struct walk_value value = test->is_negated ? initial_value(walk, i) : get(walk, view, i);
END

# Of the cells that a computed index may mean, only the first is read.
bug sets-reads-cells engines <<'END'
--- src/explore/symbolic/walk.c
        if (is_cell(walk, first, i)) get(walk, view, i);
+++
        if (i == first) get(walk, view, i);
END

# A computed index writes all cells.
bug sets-writes-cells engines <<'END'
--- src/explore/symbolic/walk.c
        at->may_be_written = true;
        at->value = MIXED;
+++
        at->is_written = at->may_be_written = true;
        at->value = MIXED;
END

# What is written on some ways only counts as written on all.
bug sets-writes-some engines <<'END'
--- src/explore/symbolic/walk.c
                 at->is_written ? FOOTPRINT_WRITES : FOOTPRINT_READS | FOOTPRINT_WRITES);
+++
                 FOOTPRINT_WRITES);
END

# What one way has written is known on all.
bug sets-joined engines <<'END'
--- src/explore/symbolic/walk.c
    if (left.is_known && right.is_known && left.value == right.value) return left;
+++
    if (left.is_known && right.is_known) return left;
END

# What may have been written before is not read.
bug sets-read-later engines <<'END'
--- src/explore/symbolic/walk.c
    if (!at->is_written) mark(walk, field, FOOTPRINT_READS);
+++
    if (!at->may_be_written) mark(walk, field, FOOTPRINT_READS);
END

# A part for one value of an index runs for all.
bug sets-assumed engines <<'END'
--- src/explore/symbolic/groups.c
        if (is_met(part, expander->program->layout, state) &&
            !expander_run_part(expander, &part->part))
+++
        (void)is_met;
        if (!expander_run_part(expander, &part->part))
END

# The initial state is collected.
bug sets-initial-root engines <<'END'
--- src/explore/symbolic/reach.c
    ldd_add_root(&reach->ldd, &reach->initial);
+++
END

# Receivers of a broadcast are taken apart although their guards look at what the sender writes.
bug sets-stage-guards engines <<'END'
--- src/explore/symbolic/footprint.c
        if (footprint->marks[i] && written[i]) return false;
+++
        if (footprint->marks[i] && written[i]) return true;
END

# A process that can receive in two ways does both in stages, which no longer are one step.
bug sets-stage-forks engines <<'END'
--- src/explore/symbolic/reach.c
    reach->is_forked |= deed->is_stage && (expander->count > 1 || expander->error_count);
+++
    reach->is_forked |= deed->is_stage && expander->error_count;
END

# A stage that fails is no step, and no error either.
bug sets-stage-errors engines <<'END'
--- src/explore/symbolic/reach.c
    reach->is_forked |= deed->is_stage && (expander->count > 1 || expander->error_count);
+++
    reach->is_forked |= deed->is_stage && expander->count > 1;
END

# What a stage before has written counts as not read in the next.
bug sets-stage-reads engines <<'END'
--- src/explore/symbolic/walk.c
        walk->now.fields.items[i].is_written = walk->now.fields.items[i].may_be_written = false;
+++
        walk->now.fields.items[i].may_be_written = false;
END

# What is passed on within a step is lost between its stages.
bug sets-stage-scratch engines <<'END'
--- src/explore/symbolic/footprint.c
    return is_fine && !footprint->walk->has_scratch && found > 1 ? found : 0;
+++
    return is_fine && found > 1 ? found : 0;
END

# A receiver that leaves a committed location lets no sender go that does not.
bug sets-stage-leaves engines <<'END'
--- src/explore/symbolic/footprint.c
        if (leaves_committed(instance) && !leaves_committed(sender)) return false;
+++
END

# What is between stages is found for the last one only.
bug sets-stage-before engines <<'END'
--- src/explore/symbolic/close.c
        target =
            set_preimage(ldd, marks, ldd->held[held + i], target, stage->relation, stage->whole);
+++
        target = set_preimage(ldd, marks, set, target, stage->relation, stage->whole);
END

# What several stages lead to is not closed.
bug sets-stage-closed engines <<'END'
--- src/explore/symbolic/close.c
        ldd_push(ldd, node.value, close_from(closer, node.down, event->top + 1));
    }
    after
+++
        ldd_push(ldd, node.value, node.down);
    }
    after
END

# Every process that may receive a broadcast does.
bug sets-receivers engines <<'END'
--- src/explore/symbolic/footprint.c
            add_participant(footprint, instance, false);
+++
            add_participant(footprint, instance, true);
END

# A step does not look at invariants of others.
bug sets-invariants engines <<'END'
--- src/explore/symbolic/footprint.c
    if (action->rechecks) add_invariants(footprint);
+++
END

# A step is possible whatever locations are committed.
bug sets-committed engines <<'END'
--- src/explore/symbolic/footprint.c
    if (!action->is_committed) add_committed(footprint, FOOTPRINT_READS);
+++
END

# The committed processes of the state that a vector is put into are counted, too.
bug sets-committed-shown engines <<'END'
--- src/explore/symbolic/reach.c
            reach->point.committed + count_committed(reach->program, reach->after.words) - shown;
+++
            reach->point.committed + count_committed(reach->program, reach->after.words);
    (void)shown;
END

# Steps of several senders are one group, of which the last pair is lost.
bug sets-pair engines <<'END'
--- src/explore/symbolic/groups.c
    VEC_PUSH(builder->arena, &group->parts, added);
+++
    if (part->kind != PART_PAIR || !group->parts.count)
        VEC_PUSH(builder->arena, &group->parts, added);
END

# Errors of guards of those who wait are forgotten.
bug sets-guard-errors engines <<'END'
--- src/explore/symbolic/groups.c
        if (instance->guard.can_fault || instance->channel == ANY_CHANNEL)
+++
        if (instance->channel == ANY_CHANNEL)
END

# What an image has made so far may be collected.
bug sets-image-held engines <<'END'
--- src/explore/symbolic/sets.c
        size_t held = ldd_hold(ldd, result);
+++
        size_t held = ldd_hold(ldd, LDD_NONE);
END

# Lists that are being made are collected.
bug sets-list-held engines <<'END'
--- src/explore/symbolic/ldd.c
    for (size_t i = 0; i < ldd->item_count; i++) mark_below(ldd, marks, ldd->items[i].down);
+++
END

# Results are remembered for sets that were collected.
bug sets-collected-key engines <<'END'
--- src/explore/symbolic/ldd.c
        if (!has_marked_arguments(entry, marks) || !is_marked(marks, entry->result))
+++
        if (!is_marked(marks, entry->result))
END

# What was remembered of one operation is taken for another.
bug sets-operation engines <<'END'
--- src/explore/symbolic/ldd.c
    if (entry->a != a || entry->b != b || entry->c != c || entry->operation != operation)
+++
    if (entry->a != a || entry->b != b || entry->c != c)
--- src/explore/symbolic/ldd.c
    uint64_t hash =
        mix((uint64_t)a << 32 | b) ^ ((uint64_t)c << 32 | operation) * UINT64_C(0xBF58476D1CE4E5B9);
+++
    uint64_t hash = mix((uint64_t)a << 32 | b) ^ (uint64_t)c * UINT64_C(0xBF58476D1CE4E5B9);
    (void)operation;
END

# Plain images and closed ones are remembered as one.
bug sets-image-closed engines <<'END'
--- src/explore/symbolic/sets.c
    if (ldd_recall(ldd, LDD_IMAGE, set, relation, chain, &result)) return result;
+++
    if (ldd_recall(ldd, LDD_IMAGE_CLOSED, set, relation, chain, &result)) return result;
END

# A step that changes what is below is not followed there.
bug sets-below engines <<'END'
--- src/explore/symbolic/close.c
    result = close_level(closer, result, image->marks->items.items[chain].level);
+++
END

# One quiet event ends the turns.
bug sets-quiet engines <<'END'
--- src/explore/symbolic/close.c
quiet < count && !is_over(closer);
+++
quiet < (count > 1 ? count - 1 : 1) && !is_over(closer);
END

# What has been seen of a relation is what it has for its next part.
bug sets-image-part engines <<'END'
--- src/explore/symbolic/sets.c
            written = has_value ? ldd->nodes[relation].down : LDD_NONE;
+++
            written = relation ? ldd->nodes[relation].down : LDD_NONE;
    (void)has_value;
END

# What is left of a list after the other's end is lost.
bug sets-union-rest engines <<'END'
--- src/explore/symbolic/sets.c
    uint32_t rest = a && keeps_a ? a : b && keeps_b ? b : LDD_NONE;
+++
    uint32_t rest = a && keeps_a ? a : LDD_NONE;
END

# A vector that was looked at has a step.
bug sets-enabled engines <<'END'
--- src/explore/symbolic/reach.c
    if (expander->count) add_number(&reach->steps, expander->count, vector);
+++
    add_number(&reach->steps, expander->count, vector);
END

# Deadlocks are what the last group can do nothing about.
bug sets-deadlocks engines <<'END'
--- src/explore/symbolic/facts.c
        left = set_unmatch(&reach->ldd, &reach->marks, left, reach->events[i].enabled,
+++
        left = set_unmatch(&reach->ldd, &reach->marks, reach->states, reach->events[i].enabled,
END

# A group's errors count once.
bug sets-errors engines <<'END'
--- src/explore/symbolic/reach.c
    if (expander->error_count) add_number(&reach->errors, expander->error_count, vector);
+++
    if (expander->error_count) add_number(&reach->errors, 1, vector);
END

# The least state is that of the first levels.
bug sets-least engines <<'END'
--- src/explore/symbolic/facts.c
        set = keep_least(reach, set, levels->first[field] + i);
+++
        if (field % 2) set = keep_least(reach, set, levels->first[field] + i);
END

# States before another one are remembered as those before the last.
bug sets-before engines <<'END'
--- src/explore/symbolic/sets.c
    struct before before = {ldd, marks, vector, count, LDD_BEFORE | serial << 8};
+++
    struct before before = {ldd, marks, vector, count, LDD_BEFORE};
    (void)serial;
END

# A query holds in stuck states as it does elsewhere.
bug sets-stuck engines <<'END'
--- src/explore/symbolic/decide.c
        !decide_part(decider, unit, set_intersect(ldd, set, decider->deadlocks), true, is_value,
+++
        !decide_part(decider, unit, set_intersect(ldd, set, decider->deadlocks), false, is_value,
END

# Where a predicate fails it is false.
bug sets-fails engines <<'END'
--- src/explore/verdict/verify_sets.c
    finding->failed.set = sets_hold(sets, verdicts.fails);
+++
    finding->failed.set = LDD_NONE;
END

# A sum keeps the level's lowest bits only.
bug sets-wide engines <<'END'
--- src/explore/symbolic/unroll.c
        sum = term_add(unroller->terms, sum, 1, part, (int64_t)1 << level->shift, 0);
+++
        sum = term_add(unroller->terms, sum, 1, part, 1, 0);
END

# A comparison of a sum forgets its known part.
bug sets-sum engines <<'END'
--- src/explore/symbolic/term.c
        limit -= term.a;
+++
        limit -= term.a > 0 ? term.a : 0;
END

# What was substituted before is remembered for all values.
bug sets-substituted engines <<'END'
--- src/explore/symbolic/term.c
    if (step->term == term && step->level == level && step->value == value) return step->result;
+++
    if (step->term == term && step->level == level) return step->result;
--- src/explore/symbolic/term.c
    uint64_t place = mix(mix(term, level), value) >> 32 & (STEPS - 1);
+++
    uint64_t place = mix(term, level) >> 32 & (STEPS - 1);
END

# Bounds come from the last value of a level.
bug sets-bounds engines <<'END'
--- src/explore/symbolic/select.c
    if (!into->is_found || other.lower < into->lower) into->lower = other.lower;
+++
    if (!into->is_found || other.lower > into->lower) into->lower = other.lower;
END

# Where a unit is too complex for terms, failures of its evaluation are lost.
bug sets-support engines <<'END'
--- src/explore/symbolic/support.c
    if (outcome == RUN_FAULT) verdicts->fails = set_union(&reach->ldd, verdicts->fails, one);
+++
END

# A run may end wherever time may pass, urgent locations or not.
bug sets-urgent engines <<'END'
--- src/explore/symbolic/rest.c
        left = set_minus(&reach->ldd, left, in_urgent(reach, &arena, p, left));
+++
        left = p ? set_minus(&reach->ldd, left, in_urgent(reach, &arena, p, left)) : left;
END

# A process is its own partner on an urgent channel.
bug sets-own-partner engines <<'END'
--- src/explore/symbolic/rest.c
        if (instance->process != process) {
+++
        if (true) {
END

# What loses its last successor later still has a run.
bug sets-runs engines <<'END'
--- src/explore/symbolic/runs.c
        ldd->held[next] = runs_before(reach, doubtful, lost);
+++
        ldd->held[next] = LDD_NONE;
END

# States before a step that writes what it has not read are lost.
bug sets-preimage engines <<'END'
--- src/explore/symbolic/sets.c
        uint32_t with = mark_reads(mark.kind) ? below_value(ldd, relation, node.value) : relation;
        uint32_t found =
+++
        uint32_t with = mark.kind ? below_value(ldd, relation, node.value) : relation;
        uint32_t found =
END

# A run stays inside what is searched from.
bug sets-leads-to engines <<'END'
--- src/explore/verdict/verify_sets.c
    finding->found.set = sets_hold(sets, set_intersect(ldd, from.holds, finding->runs));
+++
    finding->found.set = sets_hold(sets, finding->runs);
END

# Sets are done, and yet the engine that has stopped half-way answers.
bug sets-left engines <<'END'
--- src/explore/verdict/verify_race.c
    if (!race.is_won) {
+++
    if (!race.is_won || verification->answer_count % 2) {
END

# Values that make no difference together.

# V3: a value that matters later may be another one before.
bug V3-carried together <<'END'
--- src/classes
        solver->is_crossed = true;
    else
        carry(solver, crossing);
+++
        solver->is_crossed = true;
END

# V3: what only some runs of an update write is taken as always written.
bug V3-some-runs together <<'END'
--- src/classes
    bool is_known =
        crossing.key != NO_SLOT || outcomes_always_write(&solver->outcomes, crossing.slot);
+++
    bool is_known = solver->is_complete;
END

# V4: what a receiver does with what the sender has just written is not looked at.
bug V4-handed-over together <<'END'
--- src/classes
        add_function(solver, FUNCTION_READINESS, process, edge, edge->source);
        add_function(solver, FUNCTION_UPDATE, process, edge, edge->source);
+++
        add_function(solver, FUNCTION_READINESS, process, edge, edge->source);
END

# V2: an edge that is enabled for some values only is like one that always is.
bug V2-enabled together <<'END'
--- src/classes
        (is_broken || (other->kind == own->kind && writes_are_alike(comparison, other, own)));
+++
        (is_broken || other->kind == OUTCOME_NONE ||
         (other->kind == own->kind && writes_are_alike(comparison, other, own)));
END

# V7: a value that makes a guard fail is like one with which it succeeds.
bug V7-errors together <<'END'
--- src/classes
    return is_alike ? ALIKE : DIFFERENT;
+++
    bool is_failing = other->kind == OUTCOME_ERROR || own->kind == OUTCOME_ERROR;
    return is_alike || is_failing ? ALIKE : DIFFERENT;
END

# V14: what only updates name is never seen, whatever else they change.
bug V14-seen-by-items together <<'END'
--- src/abstract/facts
        if (effects.list.items[i].reads) see(finder, effects.list.items[i].symbol);
+++
        (void)0;
END

# V14: what stays does not see what it depends on.
bug V14-record-condition together <<'END'
--- src/abstract/prepare
    see_list(record, &statement->condition);
+++
    (void)0;
END

# V14: what a function does to its parameter is not seen where what is passed is.
bug V14-record-reference together <<'END'
--- src/abstract/prepare
    if (parameter->is_reference) see_copied(record, &part, &own);
+++
    (void)0;
END

# V14: a function that ends early for the record ends all the same.
bug V14-record-return together <<'END'
--- src/abstract/prepare
    if (statement->kind == STATEMENT_RETURN || statement->kind == STATEMENT_ASSERT)
+++
    if (statement->kind == STATEMENT_ASSERT)
END

# V14: the first field of a copy is not seen in what is copied.
bug V14-record-copy together <<'END'
--- src/abstract/prepare
    see_copied(record, &target, &value);
+++
    target.first++, target.count--, value.first++;
    see_copied(record, &target, &value);
END

# V14: an update may fail with the representative only.
bug V14-representative together <<'END'
--- src/classes
    bool is_broken = other->kind == OUTCOME_BROKEN && own->kind == OUTCOME_DONE &&
                     !comparison->is_strict && !comparison->outcomes->network->has_priorities;
+++
    bool is_broken = other->kind == OUTCOME_BROKEN || own->kind == OUTCOME_BROKEN;
END

# V14: nobody hears of the condition if the original was not explored.
bug V14-condition-forgotten together <<'END'
--- src/classes
    if (known == ERRORS_NONE) classes->may_fail = NULL;
+++
    classes->may_fail = NULL;
END

# V14: what fails and is unseen goes, although the original fails.
bug V14-unseen-fails together <<'END'
--- src/abstract/facts
    if (known == ERRORS_SOME) map_put(&unseen->failing, map_key(item), &yes);
+++
    (void)yes;
END

# V14: the deciding loop takes the original to have no runtime errors.
bug V14-decided decide <<'END'
--- src/work
    return cannot ? ERRORS_NONE : ERRORS_SOME;
+++
    (void)cannot;
    return ERRORS_NONE;
END

# V14: one state that does not fail shows that none does.
bug V14-explored-in-part together <<'END'
--- src/refine
        } else if (verification.search->is_complete && verification.errors.is_known &&
+++
        } else if (verification.errors.is_known &&
END

# A value stands for all in a process where it does not fit.
bug V9-fits together <<'END'
--- src/classes
    return value >= numbering->lower && value <= numbering->upper;
+++
    return numbering->lower <= numbering->upper || value;
END

# Cells rest at a value that another process starts with.
bug A3-starts-apart together <<'END'
--- src/abstract/request
            if (removal->is_removed[k] && cells[k] != removal->initial[k])
+++
            if (removal->scope && cells[k] != removal->initial[k])
END

# V2: what one of two runs does not write counts as the same.
bug V2-written-by-one together <<'END'
--- src/classes
    return left && right && place_normal(place, left->value) == place_normal(place, right->value);
+++
    return !left || !right || place_normal(place, left->value) == place_normal(place, right->value);
END

# V2: what is written is asked about where the process was, not where it comes to.
bug V2-written-before together <<'END'
--- src/classes
    return places_owner(places, slot) ? function->edge->target : 0;
+++
    return places_owner(places, slot) ? function->edge->source : 0;
END

# V1: invariants are not looked at.
bug V1-invariants together <<'END'
--- src/classes
            if (invariant_at(network, template, l)) add_invariant(solver, process, l);
+++
            (void)add_invariant;
END

# C3: the set rests on what stays: all of a variable where only some locations lose it.
bug C3-in-part together <<'END'
--- src/abstract
    return !removal->scope || (template && removal->scope[location]);
+++
    (void)template;
    (void)location;
    return true;
END

# U2: senders that were blocked for other value sets stay so.
bug U2-blocked-before together <<'END'
--- src/abstract/fold
    abstraction->blocked = (struct blocked_channels){0};
+++
END

# S1: a scope is entered without a reset because of the one value that is held there.
bug S1-held-value together <<'END'
--- src/abstract/edge
             (!is_let_in && !is_pinned && rests(frame, edge->target, removal, k))))
+++
             (!is_let_in && (is_pinned || true) && rests(frame, edge->target, removal, k))))
END

# Values that stand for others.

# V1: what queries ask is not looked at.
bug V1-observed normal <<'END'
--- src/classes
    if (expr)
        VEC_PUSH(&solver->arena, &solver->functions,
+++
    if (expr && expr->kind == EXPR_INT)
        VEC_PUSH(&solver->arena, &solver->functions,
END

# V12: every predicate is observed by its parts, and of two sides one is forgotten.
bug V12-sides normal <<'END'
--- src/classes
    if (function->is_split) return;
+++
    if (function->is_split || is_split(solver, function)) return;
--- src/classes
    add_part(solver, expr->child[0]);
    add_part(solver, expr->child[1]);
+++
    add_part(solver, expr->child[0]);
END

# V12: likewise, and of the bodies of a quantifier the last one.
bug V12-bodies normal <<'END'
--- src/classes
    if (function->is_split) return;
+++
    if (function->is_split || is_split(solver, function)) return;
--- src/classes
    for (int64_t value = shape->lower; value <= shape->upper; value++, solver->part_count++) {
+++
    for (int64_t value = shape->lower; value < shape->upper; value++, solver->part_count++) {
END

# V12: there is little work, and past it what is left to compare counts as alike.
bug V12-past-the-work normal <<'END'
--- src/classes
    if (solver->work >= solver->most_work) return false;
+++
    if (solver->work * 1000 >= solver->most_work) return true;
END

# V12: nothing is compared, and what a constant argument leads to is not looked at.
bug V12-branch-taken normal <<'END'
--- src/classes
    solver->is_complete = run_function(solver, function, look.reads_open);
+++
    solver->is_complete = run_function(solver, function, false) && false;
--- src/classes
    if (!is_known || value) mention_statement(mentions, statement->body);
+++
    if (!is_known || !value) mention_statement(mentions, statement->body);
END

# V12: nothing is compared, and what comes in another case is not looked at.
bug V12-branch-else normal <<'END'
--- src/classes
    solver->is_complete = run_function(solver, function, look.reads_open);
+++
    solver->is_complete = run_function(solver, function, false) && false;
--- src/classes
    if (!is_known || !value) mention_statement(mentions, statement->other);
+++
    if (!is_known) mention_statement(mentions, statement->other);
END

# V3: a value that is apart where it comes to is exchanged before.
bug V3-parts-carried normal <<'END'
--- src/classes
    place_refine(solver->places, crossing.before, crossing.behind);
+++
    if (crossing.behind->stands_for) return;
    place_refine(solver->places, crossing.before, crossing.behind);
END

# A key that changes leads to no other place.
bug key-changed normal <<'END'
--- src/classes
    if (solver->is_complete) each_keyed(solver->places, function, pass_keyed, solver);
+++
END

# The first value of a key counts for all.
bug key-first-value normal <<'END'
--- src/classes/compare.c
    for (uint32_t i = picked ? picked - 1 : 0; i < (picked ? picked : count) && ok; i++) {
+++
    for (uint32_t i = picked ? picked - 1 : 0; i < (picked ? picked : count / count) && ok; i++) {
END

# What has no key before an update is not followed to where it has one.
bug key-behind-only normal <<'END'
--- src/classes/crossing.c
    return value_set_has(key_values(places, key, numbers[0]), key->values[indices[1]]);
+++
    return false && indices && key;
END

# A key that a run does not look at has the least value behind it.
bug key-unread normal <<'END'
--- src/classes/compare.c
    return (struct key_range){values, 0, value_set_size(values)};
+++
    return (struct key_range){values, 0, 1};
END

# The same where what is kept is followed.
bug key-kept-unread normal <<'END'
--- src/classes/crossing.c
    for (uint32_t i = 0; i < (counts ? key->count : 1); i++)
+++
    for (uint32_t i = 0; i < (counts ? 1 : 1) + 0 * key->count; i++)
END

# A key that is written by reference to one cell of an array is not known as written.
bug key-by-reference normal <<'END'
--- src/classes
    if (effect->writes) solver->may_write[slot - network->slots[slot].offset] = solver->write_stamp;
+++
    if (effect->writes) solver->may_write[slot] = solver->write_stamp;
END

# A receiver that does not name the key finds what it has read before the sender changed the key.
bug key-received normal <<'END'
--- src/classes
    search->has_found |= (owner && owner != search->process) || (keys && keys->strides[slot] > 1);
+++
    search->has_found |= (owner && owner != search->process) || (keys && keys->strides[slot] > 99);
END

# One cell that is exchanged for the value of a select is taken for all.
bug key-select normal <<'END'
--- src/normal/by_select.c
        if (!text || found != items[first].selects[s].size) continue;
+++
        if (!text || !found) continue;
END

# What an update keeps stays as it is, whatever becomes of the key.
bug key-unsettled normal <<'END'
--- src/classes/settle.c
    if (passage.write ? is_normal(passage.behind, passage.write->value)
                      : is_kept_normal(passage.before, passage.behind))
+++
    if (!passage.write || is_normal(passage.behind, passage.write->value))
END

# V4: what a receiver does with what the sender has just written is not looked at.
bug V4-parts-handed-over normal <<'END'
--- src/classes
        add_function(solver, FUNCTION_READINESS, process, edge, edge->source);
        add_function(solver, FUNCTION_UPDATE, process, edge, edge->source);
+++
        add_function(solver, FUNCTION_READINESS, process, edge, edge->source);
END

# V4: what a receiver finds in hand is not what was there before the step.
bug V4-hand-not-written normal <<'END'
--- src/classes
    look_at_hands(&search);
+++
    (void)look_at_hands;
END

# V4: what a sender hands over stays behind the step, too.
bug V4-hand-alone normal <<'END'
--- src/classes
        if (!is_alike_behind(comparison, slot, left, left_write, right_write) ||
+++
        if ((!hand && !is_alike_behind(comparison, slot, left, left_write, right_write)) ||
END

# V4: a receiver's update does not look into the hand.
bug V4-hand-unseen normal <<'END'
--- src/classes
            (hand && !is_alike_in(place_of(places, slot, hand), left_write, right_write)))
+++
            false)
END

# V4: a sender exchanges what its receiver has not seen.
bug V4-hand-exchanged normal <<'END'
--- src/classes
    return hand && !place_refines(place_of(places, slot, 0), place_of(places, slot, hand));
+++
    (void)places;
    (void)slot;
    (void)hand;
    return false;
END

# V4: several receivers of a broadcast, of which one exchanges what the next reads.
bug V4-hand-for-many normal <<'END'
--- src/approx
        if (pairs->parties[c].is_broadcast) return false;
+++
        if (pairs->parties[c].is_broadcast) continue;
END

# V4: the sender behind a branchpoint is not looked at.
bug V4-hand-behind-branchpoint normal <<'END'
--- src/classes
           own->edge->target >= own->process->template->location_count ||
+++
END

# V4: a third process that one of two can move with is not looked for.
bug V4-pair-without-third normal <<'END'
--- src/approx
            has_third(walk, parties, !move->sync->is_send))
+++
            false)
END

# V4: of a channel that depends on a value, the first counts.
bug V4-pair-one-index normal <<'END'
--- src/approx
    } while (enumerator_next(&run->enumerator));
    return !enumerator_failed(&run->enumerator);
+++
    } while (false);
    return true;
END

# V3: a variable that several processes name has the locations of one of them.
bug V3-home-of-many normal <<'END'
--- src/classes
    if (home->process && home->process != finder->process) finder->is_shared[slot] = true;
+++
END

# V3: what is at home is not carried along.
bug V3-home-not-carried normal <<'END'
--- src/classes
    uint32_t slot = homes ? homes->first_at[process->index] : NO_SLOT;
+++
    uint32_t slot = NO_SLOT;
END

# V6: what is at home is not exchanged where nothing writes it.
bug V6-home-unsettled normal <<'END'
--- src/classes
    uint32_t slot = places->homes->first_at[process->index];
    for (; slot != NO_SLOT; slot = places->homes->list[slot].next)
+++
    uint32_t slot = NO_SLOT;
    for (; slot != NO_SLOT; slot = places->homes->list[slot].next)
END

# V3: what a guest reads is not looked at.
bug V3-guest-reads normal <<'END'
--- src/classes
    return !place_is_merged(place) || check_place(comparison, tree, place);
+++
    bool is_guest = guest_locations(comparison->places, outcomes->function, slot);
    return !place_is_merged(place) || is_guest || check_place(comparison, tree, place);
END

# V3: a guest finds its host at the first of its locations only.
bug V3-guest-one-location normal <<'END'
--- src/classes
        guest->is_in[l] |= can_hold(guest, l);
+++
        guest->is_in[l] |= !l && can_hold(guest, l);
END

# V3: what a guest writes need not have the same classes wherever the host can be.
bug V3-guest-classes normal <<'END'
--- src/classes
    equalise(&look);
+++
    (void)equalise;
END

# V6: a guest does not exchange what it writes.
bug V6-guest-unsettled normal <<'END'
--- src/classes
                           guest_locations(places, settled->function, slots[0])))
+++
                           false))
END

# V4: a guest that receives does not find the host where that comes to in the same step.
bug V4-guest-behind normal <<'END'
--- src/classes
can_meet(guest, guest->host, edge)) guest->is_in[edge->target] = true;
+++
can_meet(guest, guest->host, edge)) guest->is_in[edge->source] = true;
END

# V4: a guest that receives from a third process finds the host moved.
bug V4-guest-before normal <<'END'
--- src/classes
        if (!receives || has_other_sender(guest)) add_before(guest);
+++
        (void)has_other_sender;
        if (!receives) add_before(guest);
END

# V4: a receiver that looks at what the host has sent it overwrites that, too.
bug V4-guest-overwrites normal <<'END'
--- src/classes
    return assigns && !effects_reads(effects, symbol) &&
+++
    (void)effects;
    return assigns &&
END

# V4: a receiver that leaves what the host has sent it as it is overwrites that, too.
bug V4-guest-overwrites-nothing normal <<'END'
--- src/classes
    return assigns && !effects_reads(effects, symbol) &&
+++
    (void)assigns;
    return !effects_reads(effects, symbol) &&
END

# V4: whoever can receive a broadcast does.
bug V4-guest-overwrites-broadcast normal <<'END'
--- src/classes
    bool is_known = !guests->has_invariants && pairs_is_binary(guests->pairs, host, sent);
+++
    bool is_known = !guests->has_invariants;
END

# C12: a value that is not expected where there are several classes counts as one that is.
bug C12-unseen normal <<'END'
--- src/classes
    if (!place->stands_for || !value_set_has(place->values, value)) return value;
+++
    if (!place->stands_for) return value;
    if (!value_set_has(place->values, value)) return place->representative;
END

# C6: values are exchanged at the beginning of the update.
bug C6-at-the-write normal <<'END'
--- src/normal
        arena_printf(normaliser->arena, "%.*s%s%s%s", (int)old.size, old.data, separator,
                     edge->updates.count ? ", " : "", additions->text);
+++
        arena_printf(normaliser->arena, "%s%s%s%.*s", additions->text, separator,
                     edge->updates.count ? ", " : "", (int)old.size, old.data);
END

# C3: some of the edges do not exchange what all of them rest on.
bug C3-some-edges normal <<'END'
--- src/normal
        if (!additions.items.count) continue;
+++
        if (!additions.items.count || !(i % 2)) continue;
END

# V9: one parameter is enough to tell processes apart.
bug V9-one-parameter normal <<'END'
--- src/normal
        distinction->parameters = &usable[i];
        if (is_apart(distinction, groups)) return true;
+++
        distinction->parameters = &usable[i];
        if (!i || is_apart(distinction, groups)) return true;
END

# V9: what is assigned to a parameter does not change it.
bug V9-assigned-parameter normal <<'END'
--- src/classes
           binding->shape->kind == SHAPE_CELL && network->slot_of[binding->address] == NO_SLOT;
+++
           binding->shape->kind == SHAPE_CELL;
END

# V9: what another process exchanges is right in one that gets there with values that stay.
bug V9-taken-along normal <<'END'
--- src/normal
        if (place_normal(place, own->is_exchanged ? value : normal) != normal) return false;
+++
        if (own->is_exchanged && place_normal(place, value) != normal) return false;
END

# V9: processes that differ all exchange what the first one does.
bug V9-first-for-all normal <<'END'
--- src/normal
    if (own->place == place) return true;
+++
    if (own->place == place || place->is_one) return true;
END

# V9: the name of a parameter means a select.
bug V9-hidden-parameter normal <<'END'
--- src/normal
        if (!strcmp(edge->selects[i]->name, parameter->name)) return false;
    return frame_find
+++
        if (!strcmp(edge->selects[i]->name, parameter->name)) return true;
    return frame_find
END

# V9: only the first of several processes is asked for.
bug V9-one-term normal <<'END'
--- src/normal
            if (is_repeated(distinction, group, i)) continue;
+++
            if (i) continue;
END

# V14: what stands for others fails where they do not.
bug V14-parts normal <<'END'
--- src/classes
    bool is_broken = other->kind == OUTCOME_BROKEN && own->kind == OUTCOME_DONE &&
                     !comparison->is_strict && !comparison->outcomes->network->has_priorities;
+++
    bool is_broken = other->kind == OUTCOME_BROKEN || own->kind == OUTCOME_BROKEN;
END

# V1: a model for one query alone does not look at that one either.
bug V1-by-query normal <<'END'
--- src/normal
        if ((!is_asked || is_asked[i]) && query->quantifier != QUERY_FORMULA)
+++
        if (!is_asked && query->quantifier != QUERY_FORMULA)
END

# V1: queries share a model that was made for the first of them.
bug V1-shared normal <<'END'
--- src/refine
        if (!normal_is_same(&own->normal, &share.normal)) continue;
+++
--- src/refine
        if (asked_count(sharer->by_query, share) > 1)
+++
        if (asked_count(sharer->by_query, share) > sharer->by_query->query_count)
END

# The look goes on at the next level, not where it stopped.
bug look-rest decide <<'END'
--- src/explore/space
        if (begin == end) return true;
        if (!search_goes_on(search, begin)) return false;
+++
        return begin == end || search_goes_on(search, begin);
END

# Where the look stops, what it has not found is not there.
bug look-found decide <<'END'
--- src/explore/verdict
        if (traits_of(answer)->family == FAMILY_REACHABILITY && watch->found.is_found &&
            !verification->search->network->carried.count)
            answer->verdict = verdict_found(answer);
+++
        if (traits_of(answer)->family == FAMILY_REACHABILITY)
            answer->verdict = watch->found.is_found == traits_of(answer)->is_universal
                                  ? VERDICT_VIOLATED
                                  : VERDICT_SATISFIED;
END

# V5: of classes to begin with, another value than the initial one stands for its class.
bug V5-begun normal <<'END'
--- src/normal
        stands_for[i] = is_alone ? i : classes[i] == classes[initial] ? initial : 0;
+++
        stands_for[i] = is_alone ? i : 0;
END

# V5: classes to begin with are not split any more.
bug V5-unsplit normal <<'END'
--- src/classes
    if (likeness == DIFFERENT && has_parts) place_split(comparison->places, place, stands_for);
+++
    if (likeness == DIFFERENT && has_parts && !place->stands_for)
        place_split(comparison->places, place, stands_for);
END

# An analysis is kept for other removals than it was made for.
bug kept-analysis normal <<'END'
--- src/abstract/fold
           !memcmp(memo->analysis->is_removed, is_removed,
                   memo->network->slot_count * sizeof *is_removed);
+++
           memo->analysis->is_removed != is_removed;
END

# O1: agents do not see which of their edges have a guard that holds.
bug observation-guards knowledge <<'END'
--- src/agents
        if (item->kind == OBSERVE_ENABLED) add_enabled(agents, agent, agent->processes[i]);
+++
END

# A state is left by all runs as soon as some successor is.
bug formula-always knowledge <<'END'
--- src/explore/states
            if (--left[source] || !bit_get(result, source)) continue;
+++
            --left[source];
            if (!bit_get(result, source)) continue;
END

# A state without steps has no run: it does not stay where it is.
bug formula-ends knowledge <<'END'
--- src/explore/states
    return push(targets, work, row);
}
+++
    steps->degree[row] = 0;
    return true;
}
END

# p until q on all runs lets q wait for ever.
bug formula-weak knowledge <<'END'
--- src/explore
    uint32_t fails = expr->op == OP_AU ? some_weak(formulas, not_q, neither, expr)
                                       : some_until(formulas, not_q, neither, expr);
+++
    uint32_t fails = some_until(formulas, not_q, neither, expr);
END

# p releases q where q alone holds.
bug formula-release knowledge <<'END'
--- src/explore
        uint32_t both = add(formulas, FORMULA_AND, p, q, expr);
        p = q;
        q = both;
+++
        uint32_t before = p;
        p = q;
        q = before;
END

# GK and K are about the first agent.
bug knows-first knowledge <<'END'
--- src/explore/knowledge
    for (uint32_t i = 0; i < node->agents.list.count; i++)
        leave_known(
+++
    for (uint32_t i = 0; i < node->agents.list.count && i < 1; i++)
        leave_known(
END

# Common knowledge goes one step along the states of the agents, not on and on.
bug common-once knowledge <<'END'
--- src/explore/knowledge
            parents[root_of(parents, offsets[i] + other)] = root_of(parents, first);
+++
            parents[offsets[i] + other] = first;
END

# Distributed knowledge is that of the first agent.
bug distributed-first knowledge <<'END'
--- src/explore/knowledge
    if (joint.of_row) leave_known(labels, &joint, part, set);
+++
    if (joint.of_row) leave_known(labels, parts[0], part, set);
END

# A value is known where it is that of the state before in the class.
bug value-seen knowledge <<'END'
--- src/explore/knowledge
        bit_set(seen, class);
        values[class] = value;
+++
        if (value) bit_set(seen, class);
        values[class] = value;
END

# O1: an agent of several processes observes what one of them does.
bug observation-joint knowledge <<'END'
--- src/agents
        for (uint32_t i = 0; i < agent->process_count && !agent->is_declared; i++) {
+++
        for (uint32_t i = 0; i < 1 && !agent->is_declared; i++) {
END

# O1: `shared` shows no global variables.
bug observation-shared knowledge <<'END'
--- src/agents
    if (item->kind == OBSERVE_SHARED) add_slots(agents, agent, NULL);
+++
END

# O1: guards are observed wherever the process is.
bug observation-source knowledge <<'END'
--- src/explore/states
            if (is_at_source(work, item) && work_run(work, unit) == RUN_TRUE)
+++
            if (work_run(work, unit) == RUN_TRUE)
END

# What is claimed of operators in each other.

# What all runs have under a negation counts as what all have.
bug fragment-negation nested <<'END'
--- src/abstract/claim
        find(fragment, expr->child[i], is_negated != turns);
+++
        find(fragment, expr->child[i], is_negated && turns);
END

# Of the two operands of imply the second one counts as negated.
bug fragment-imply nested <<'END'
--- src/abstract/claim
        bool turns = expr->op == OP_NOT || (expr->op == OP_IMPLY && !i);
+++
        bool turns = expr->op == OP_NOT || (expr->op == OP_IMPLY && i);
END

# What some run has that ends carries over where runs end otherwise.
bug fragment-ends nested <<'END'
--- src/abstract/claim
    else if (!runs_end_alike(guarantees, abstraction, PATH_KRIPKE, carry))
        return;
+++
    else
        runs_end_alike(guarantees, abstraction, PATH_KRIPKE, carry);
END

# Until belongs to some run.
bug fragment-until nested <<'END'
--- src/abstract/claim
    return op == OP_AG || op == OP_AF || op == OP_AX || (op >= OP_AU && op <= OP_AR);
+++
    return op == OP_AG || op == OP_AF || op == OP_AX;
END

# A<> is taken for what a prefix of a run shows.
bug fragment-early nested <<'END'
--- src/abstract/claim
    return op == OP_AG || op == OP_AW ||
+++
    return op == OP_AG || op == OP_AF || op == OP_AW ||
END

# A player sees everything.
bug strategy-uniform strategies <<'END'
--- src/explore/strategy
    ability->is_perfect = !views || game->coalition->modes & MODE_PERFECT;
+++
    ability->is_perfect = views || !views || game->coalition->modes & MODE_PERFECT;
END

# A move is possible over a channel that there is not.
bug strategy-channel strategies <<'END'
--- src/explore/strategy
            if (!has_channel(game, move, test->channel)) continue;
+++
            (void)has_channel;
END

# A run that never arrives is not noticed.
bug strategy-cycle strategies <<'END'
--- src/explore/strategy
    return leads_to(uniform, target, row);
+++
    return false && leads_to(uniform, target, row);
END

# Where nothing happens the goal is reached.
bug strategy-blocked strategies <<'END'
--- src/explore/strategy
    return has_step || is_reached(aim, row) ? ABLE_YES : ABLE_NO;
+++
    return has_step || is_reached(aim, row) || true ? ABLE_YES : ABLE_NO;
END

# Other states that are the same to a player do not count.
bug strategy-subjective strategies <<'END'
--- src/explore/strategy
    if (!ability->is_subjective || !views) return count;
+++
    if (ability->is_subjective || !views) return count;
END

# What nature does is a move of the player.
bug strategy-nature strategies <<'END'
--- src/explore/strategy
        if (!marks.is_natural) add_instance(gatherer, number, i, &marks);
+++
        add_instance(gatherer, number, i, &marks);
END

# Receivers may refuse.
bug strategy-refuse strategies <<'END'
--- src/explore/strategy/coalition.h
    return !move->is_receive || coalition->modes & MODE_ACTIVE;
+++
    return !move->is_receive || coalition->modes & MODE_ACTIVE || true;
END

# S6: the upper bound forgets choices that are possible elsewhere only.
bug strategy-upper strategies <<'END'
--- src/explore/strategy
    if (picker->views)
        values = value_count
+++
    if (picker->views && is_free)
        values = value_count
END

# A component counts on itself.
bug strategy-lower strategies <<'END'
--- src/explore/strategy
    able = pick_for(fixpoint->picker, &aim, fixpoint->members, count);
+++
    aim.limit += fixpoint->goal->is_least && count > 1;
    for (uint32_t i = 0; i < count; i++) fixpoint->enforced->rank[fixpoint->members[i]] = limit;
    able = pick_for(fixpoint->picker, &aim, fixpoint->members, count);
END

# A failure is not due to how its state was reached.
bug strategy-blame strategies <<'END'
--- src/explore/strategy
    if (fails) blame_way(uniform, place);
+++
    if (fails) blame_row(uniform, row);
END

# Players may always wait.
bug strategy-wait strategies <<'END'
--- src/explore/strategy
    bool waits = game->coalition->modes & MODE_WAIT;
+++
    bool waits = game->coalition->modes & MODE_WAIT || true;
END

# Rules forget where the player is, and are not played before they are shown.
bug strategy-rules strategies <<'END'
--- src/explore/strategy
        is_kept[k] = conflicts(planner, values, items, own, is_kept);
+++
        is_kept[k] = k && conflicts(planner, values, items, own, is_kept);
--- src/explore/knowledge
    if (plan && replay_wins(plan, ability, labels->classes, row)) decider->known->plan = plan;
+++
    if (plan) decider->known->plan = plan;
END

# K: what abstractions claim about knowledge.

# A variable that rests in some locations is seen there.
bug claim-knows-rest knowledge_claims <<'END'
--- src/abstract/claim
    *is_lost = abstraction_removed_in(abstraction, expr) != NULL;
    return !*is_lost;
+++
    *is_lost = abstraction_removed_in(abstraction, expr) != NULL;
    const struct removal *rest = expr->kind == EXPR_FIELD && expr->symbol
                                     ? removed_ever(abstraction->request, expr->symbol) : NULL;
    return !*is_lost || (rest && rest->scope);
END

# Who sees one of the variables that are merged sees what becomes of them.
bug claim-knows-merged knowledge_claims <<'END'
--- src/abstract/claim
            if (is_followed && !slot_is_observed(network, agent, i)) return false;
        }
    return true;
+++
            if (is_followed && slot_is_observed(network, agent, i)) return true;
        }
    return false;
END

# What is removed is not lost to anybody.
bug claim-knows-lost knowledge_claims <<'END'
--- src/abstract/claim
    if (is_lost || !is_written)
+++
    if (!is_lost && !is_written)
END

# Coarse: everybody sees what variables are merged to.
bug claim-knows-coarse knowledge_claims <<'END'
--- src/abstract/claim
        if (ghost && !slot_is_observed(network, watcher->agent, i) &&
            sees_cells(observing, watcher->agent, ghost, slot->process))
+++
        if (ghost && !slot_is_observed(network, watcher->agent, i))
END

# O1: the output does not say what agents observe.
bug claim-knows-again knowledge_claims <<'END'
--- src/abstract/claim
    for (uint32_t i = 0; i < observing->result->list.count; i++)
        write_watcher(&text, observing->result->list.items[i]);
+++
    for (uint32_t i = 0; i < observing->result->list.count; i++)
        if (!observing->result->list.items[i]->lost.count)
            write_watcher(&text, observing->result->list.items[i]);
END

# Full: exact is enough, whatever agents have lost.
bug claim-knows-full knowledge_claims <<'END'
--- src/abstract/claim
    bool has_lost = have_lost(watchers), is_full = abstraction->is_exact && !has_lost;
+++
    bool has_lost = have_lost(watchers), is_full = abstraction->is_exact;
END

# K-up: what nobody knows of more states nobody knows of fewer.
bug claim-knows-secrecy knowledge_claims <<'END'
--- src/abstract/claim
        carry->satisfied &= is_full || !fragment->doubts;
+++
        carry->satisfied &= is_full || !abstraction->is_exact || !fragment->doubts;
END

# K-up: what cannot be found out where more is possible cannot be.
bug claim-knows-found knowledge_claims <<'END'
--- src/abstract/claim
        carry->violated &= is_full || !fragment->knows;
+++
        carry->violated &= is_full || !abstraction->is_exact || !fragment->knows;
END

# K-down: what is not known in fewer states is not known, whatever agents have lost.
bug claim-knows-down knowledge_claims <<'END'
--- src/abstract/claim
        carry->violated &= !fragment->doubts && (!fragment->knows || !has_lost);
+++
        carry->violated &= !fragment->doubts;
END

# K-down: the same of what somebody may not know.
bug claim-knows-possible knowledge_claims <<'END'
--- src/abstract/claim
        carry->satisfied &= !fragment->knows && (!fragment->doubts || !has_lost);
+++
        carry->satisfied &= !fragment->knows;
END

# K-down: what is known in fewer states is known.
bug claim-knows-fewer knowledge_claims <<'END'
--- src/abstract/claim
        carry->satisfied &= !fragment->knows && (!fragment->doubts || !has_lost);
+++
        carry->satisfied &= !fragment->doubts || !has_lost;
END

# K-down: no secret is betrayed in fewer states that is not in more.
bug claim-knows-betrayed knowledge_claims <<'END'
--- src/abstract/claim
        carry->violated &= !fragment->doubts && (!fragment->knows || !has_lost);
+++
        carry->violated &= !fragment->knows || !has_lost;
END

# Who knows a value does not count as knowing.
bug claim-knows-value knowledge_claims <<'END'
--- src/abstract/claim
    if (expr->kind == EXPR_KNOW) *(is_negated
+++
    if (expr->kind == EXPR_KNOW && expr->op != OP_KW) *(is_negated
END

# Not to know is as good as to know.
bug claim-knows-sign knowledge_claims <<'END'
--- src/abstract/claim
    if (expr->kind == EXPR_KNOW) *(is_negated ?
+++
    if (expr->kind == EXPR_KNOW) *(is_negated && expr->op == OP_KW ?
END

# Of a group only the first agent can lose something.
bug claim-knows-first knowledge_claims <<'END'
--- src/abstract/claim
    for (uint32_t i = 0; i < watchers->list.count; i++)
        if (watchers->list.items[i]->lost.count) return true;
+++
    for (uint32_t i = 0; i < watchers->list.count && i < 1; i++)
        if (watchers->list.items[i]->lost.count) return true;
END

# A declared group is its first agent.
bug claim-knows-group knowledge_claims <<'END'
--- src/abstract/claim
    for (uint32_t i = 0; i < symbol->agent->agent_count; i++)
        if (is_named(agent, symbol->agent->agents[i])) return true;
+++
    for (uint32_t i = 0; i < symbol->agent->agent_count && i < 1; i++)
        if (is_named(agent, symbol->agent->agents[i])) return true;
END

# X2: what abstractions claim about coalitions.

# An abstraction need not be exact.
bug claim-moves-exact strategy_claims <<'END'
--- src/abstract/claim
    if (fragment.is_about_coalitions && !abstraction->is_exact) {
+++
    if (fragment.is_about_coalitions && !abstraction->is_exact && fragment.needs_ends) {
--- src/abstract/claim
    assert(abstraction->is_exact);
    if (players
+++
    if (players
END

# Two edges may become one.
bug claim-moves-merged strategy_claims <<'END'
--- src/abstract/claim
        if (out->origins[i].open != out->base) return false;
+++
        if (!out->origins[i].open) return false;
--- src/abstract/claim
    if (is_gone(fold, open) || (out && is_of_one_edge(out))) return NULL;
+++
    if (is_gone(fold, open) || !out || is_of_one_edge(out)) return NULL;
END

# A move that fails may be lost.
bug claim-moves-failing strategy_claims <<'END'
--- src/abstract/claim
    return !open->condition && !open->fixed
+++
    return !open->fixed
END

# Moves that have a name may lose a select.
bug claim-moves-action strategy_claims <<'END'
--- src/abstract/claim
        edge->xml && (edge_has_tag(edge, str_of("action")) || edge_has_tag(edge, str_of("nature")));
+++
        edge->xml && edge_has_tag(edge, str_of("nature"));
END

# A player may observe less.
bug claim-moves-sight strategy_claims <<'END'
--- src/abstract/claim
    } else if (have_lost(&choosing)) {
+++
    } else if (have_lost(&choosing) && fragment_of(formula).needs_ends) {
END

# Who sees everything need not know in which states it has to win.
bug claim-moves-subjective strategy_claims <<'END'
--- src/abstract/claim
    bool sees_all = (expr->modes & MODE_PERFECT) && !(expr->modes & MODE_SUBJECTIVE);
+++
    bool sees_all = expr->modes & MODE_PERFECT;
END

# Who sees everything may have other moves.
bug claim-moves-perfect strategy_claims <<'END'
--- src/abstract/claim
    const char *lost = moves_lost(abstraction, &players);
+++
    const char *lost = moves_lost(abstraction, &choosing);
END

# Only the first process of an agent plays.
bug claim-moves-joint strategy_claims <<'END'
--- src/abstract/claim
        for (uint32_t k = 0; k < agent->process_count; k++)
            if (agent->processes[k]->template == template) return true;
+++
        if (agent->processes[0]->template == template) return true;
END

# What agents know, by sets of states.

# Nobody sees whether a guard holds.
bug sets-guards knowledge <<'END'
--- src/explore/knowledge
            if (field_of(layout, agents[a], i) == NO_FIELD &&
+++
            if (field_of(layout, agents[a], i) == NO_FIELD && item->kind != OBSERVED_GUARD &&
END

# What is possible is looked for in one part.
bug sets-parts knowledge <<'END'
--- src/explore/knowledge
        uint32_t doubted = same_in(sight, reach, part, set_minus(ldd, part, set));
+++
        uint32_t doubted = same_in(sight, reach, part, set_minus(ldd, reach->states, set));
END

# What all know is known in common.
bug sets-common knowledge <<'END'
--- src/explore/knowledge
    while (part != before && !ldd_is_over(decision->ldd)) {
+++
    while (before == LDD_NONE && part != before && !ldd_is_over(decision->ldd)) {
END

# States without steps have no next one.
bug sets-next knowledge <<'END'
--- src/explore/knowledge
    return set_union(decision->ldd, found, ends_in(decision, set));
+++
    return found;
END

# Who has nothing to go by knows all.
bug sets-blind knowledge <<'END'
--- src/explore/knowledge
    if (sight->chain == MARKS_NONE) return part;
+++
    if (sight->chain == MARKS_NONE) return set;
END

# An agent takes a state for one that it can tell apart by an expression.
bug sets-why-parts knowledge <<'END'
--- src/explore/knowledge
        same = set_union(ldd, same, same_in(sight, reach, part, set_intersect(ldd, part, set)));
+++
        same = set_union(ldd, same, same_in(sight, reach, part, set));
END

# Of a group always the first one does not know.
bug sets-why-agent knowledge <<'END'
--- src/explore/knowledge/why_by_sets.c
        const struct agent *agent = node->agents.list.items[i];
+++
        const struct agent *agent = node->agents.list.items[0];
END

# It is taken for one that has the same value.
bug sets-why-value knowledge <<'END'
--- src/explore/knowledge
        !set_pair(looking, agent, node->expr, set_minus(decision->ldd, same, alike)))
+++
        !set_pair(looking, agent, node->expr, same))
END

# It is not the nearest one.
bug sets-why-nearest knowledge <<'END'
--- src/explore/symbolic
    for (uint32_t i = 0; i < layers->count && !target->is_found; i++) {
+++
    for (uint32_t i = layers->count - 1; i < layers->count && !target->is_found; i++) {
END

# K8: agents of processes that are told apart.

# A set is its first processes.
bug renamed-set renamed <<'END'
--- src/abstract/prepare
    for (uint32_t i = 0; i < set->run_count; i++)
        buffer_printf(writer->out, "%s%s", i ? ", " : "", set->runs[i].name);
+++
    for (uint32_t i = 0; i < 1; i++)
        buffer_printf(writer->out, "%s%s", i ? ", " : "", set->runs[i].name);
END

# Quantifiers stay whole around agents.
bug renamed-quantified renamed <<'END'
--- src/abstract/prepare
        if (expr->arguments[i]->kind == EXPR_CALL) cut_at_runs(user, expr->arguments[i]);
+++
        if (expr->arguments[i]->kind == EXPR_NAME) cut_at_runs(user, expr->arguments[i]);
END

# What is said of a process is said of its template.
bug renamed-observed renamed <<'END'
--- src/agents
            if (processes.list.items[k] == agent->processes[0]) return true;
+++
            if (processes.list.items[k]->template == agent->processes[0]->template) return true;
END

# What models do, seen by their actions.

# What is larger stands for what is smaller, though fewer words empty it.
bug refine-antichain refinement <<'END'
--- src/explore/refine
        if (product->nodes[i - 1].is_tainted == is_tainted &&
            state_sets_include(&product->sets, product->nodes[i - 1].set, set))
+++
        if (product->nodes[i - 1].is_tainted == is_tainted &&
            state_sets_include(&product->sets, set, product->nodes[i - 1].set))
END

# Hidden steps are followed at the start only.
bug refine-closure refinement <<'END'
--- src/explore/refine
            if (edges[k].label == LABEL_HIDDEN && !meet(sets, edges[k].target, &count))
+++
            if (edges[k].label == LABEL_HIDDEN && !row && !meet(sets, edges[k].target, &count))
END

# Of two states that an action leads to one counts.
bug refine-choice refinement <<'END'
--- src/explore/refine
        if (count == 1) return state_sets_closure(sets, edges->target);
+++
        return state_sets_closure(sets, edges->target);
END

# A hidden step of the concrete model has to be one of the abstract model.
bug refine-hidden refinement <<'END'
--- src/explore/refine
    if (edge.label != LABEL_HIDDEN && set != SET_EMPTY)
+++
    if (set != SET_EMPTY)
END

# Behind what is blocked the abstract model starts over.
bug refine-sink refinement <<'END'
--- src/explore/refine
        set = state_sets_step(&product->sets, set, edge.label);
    return set;
+++
        set = state_sets_step(&product->sets, set, edge.label);
    else if (set == SET_EMPTY && edge.label != LABEL_HIDDEN)
        set = state_sets_closure(&product->sets, 0);
    return set;
END

# A node that is left out has children all the same.
bug refine-parent refinement <<'END'
--- src/explore/refine
                                                 .parent = parent,
+++
                                                 .parent = parent == NO_NODE ? parent : parent / 2,
END

# The index of a channel is that behind the update.
bug refine-index refinement <<'END'
--- src/explore/refine
        if (!evaluate(labeller, machine, &instance->channel_code, from, &address)) return false;
+++
        if (!evaluate(labeller, machine, &instance->channel_code, to, &address)) return false;
END

# So is the argument of a tag.
bug refine-tag refinement <<'END'
--- src/explore/refine
        if (!evaluate(labeller, machine, &tagged->arguments[i], from, &arguments[i]))
+++
        if (!evaluate(labeller, machine, &tagged->arguments[i], to, &arguments[i]))
END

# A concrete state that is going to move refuses what it does not offer yet.
bug refine-stable refinement <<'END'
--- src/explore/refine
    if (!product->sides[SIDE_CONCRETE]->nodes[node->state].is_stable) return true;
+++
END

# Fairness.

# What is possible again and again has to be done, also where only weak fairness is asked for.
bug fair-weak fairness <<'END'
--- src/explore/fair
(question->weak & ~summary.taken & summary.all)
+++
(question->weak & ~summary.taken & summary.some)
END

# A component that is not good has no good part.
bug fair-part fairness <<'END'
--- src/explore/fair
    if (is_bad || starved) leave_out(finder, slice, starved, is_bad);
+++
    if (is_bad || starved) leave_out(finder, slice, starved, true);
END

# What is left of a component need not enable what has to be met.
bug fair-meet fairness <<'END'
--- src/explore/fair
                  (question->meet & ~summary.some);
+++
                  (question->meet & ~summary.some & ~question->meet);
END

# Loops of runs do not care for weak fairness.
bug fair-loop fairness <<'END'
--- src/explore/fair
    struct needs needs = {.weak = question->weak, .met = question->meet};
+++
    struct needs needs = {.met = question->meet};
END

# Tags and processes of receivers do not count.
bug fair-receiver fairness <<'END'
--- src/explore/fair
    for (uint32_t i = 0; i < part_count; i++) *set |= marker->by_instance[parts[i]];
+++
    for (uint32_t i = 0; i < part_count && !i; i++) *set |= marker->by_instance[parts[i]];
END

# Where the concrete model stops, the abstract one does what it can.
bug fair-stop fairness <<'END'
--- src/explore/refine
    if (!count && !fair_graph_add_edge(graph, number, 0)) return false;
+++
    if (!count && !fair_graph_add_edge(graph, number, lts_enabled(abstract, row))) return false;
END

# Idling is a step of everybody.
bug fair-idle fairness <<'END'
--- src/explore/verdict
        if (!fair_graph_add_edge(&fair->graph, number, 0)) return false;
+++
        if (!fair_graph_add_edge(&fair->graph, number, fair_sets_add(&fair->sets, enabled)))
            return false;
END

# Whether fair runs say something else is not asked.
bug fair-if fairness <<'END'
--- src/explore/verdict
        if (verdict == VERDICT_UNKNOWN || verdict == asked->answers[i]->verdict) continue;
+++
        if (verdict == VERDICT_UNKNOWN) continue;
END

# Instances of a channel or tag are fair together.
bug fair-instances fairness <<'END'
--- src/explore/fair
        if (constraint->schema == number + 1 && constraint->count == count &&
            (!count || !memcmp(constraint->values, values, count * sizeof *values))) {
+++
        if (constraint->schema == number + 1) {
END

# Selects are 0 in the arguments of tags.
bug fair-select fairness <<'END'
--- src/explore/fair
        struct leg_labels leg = {instance->process, instance->edges[i], instance->selects[i]};
        const struct tag_arguments *tag = map_get
+++
        static const int32_t none[64];
        struct leg_labels leg = {instance->process, instance->edges[i], none};
        const struct tag_arguments *tag = map_get
END

# A step that leads out of the predicate is not possible.
bug fair-outside fairness <<'END'
--- src/explore/verdict
        *enabled |= tags;
        uint32_t target = follow(fair, expander_state(expander, expander->first + i), number);
+++
        uint32_t target = follow(fair, expander_state(expander, expander->first + i), number);
        if (target != FAIR_OUT) *enabled |= tags;
END

# What exploring shows: the comparison is forgotten, of two models and of all that goes further.
bug shown-steps explored <<'END'
--- src/refine/same_steps.c
    if (certification->outcome == SIMULATION_FAILS) return "the two do not have the same steps";
+++
    if (certification->outcome == SIMULATION_FAILS) return NULL;
END
bug shown-further auto <<'END'
--- src/refine/same_steps.c
    if (certification->outcome == SIMULATION_FAILS) return "the two do not have the same steps";
+++
    if (certification->outcome == SIMULATION_FAILS) return NULL;
--- src/refine/further.c
    if (!measured.is_complete || measured.has_errors || measured.states.value > try->states)
        return none;
+++
--- src/explore/states/without.c
    return count < without->row_count && is_stable(without, count) ? count : 0;
+++
    is_stable(without, count);
    return count < without->row_count ? count : 0;
END

# Only the original has to follow.
bug shown-one-way explored <<'END'
--- src/refine/same_steps.c
        .mode = SIMULATE_EXACT, .engine
+++
        .mode = SIMULATE_MAY, .engine
END

# Agents are compared although it is not known what they observe.
bug observe-mistake cli:agents <<'END'
--- src/agents
    return !model->lost_agents;
+++
    return true;
END

# What an agent sees is compared only where the abstraction says so.
bug observe-one-side cli:agents <<'END'
--- src/explore/compare
    for (int side = SIDE_COUNT; side-- > 0;)
        look_at_declared
+++
    for (int side = SIDE_COUNT; side-- > 1;)
        look_at_declared
END

# Names with the numbers of queries are not looked at before they are written.
bug names-of-runs cli:names <<'END'
--- src/cli
    for (uint32_t i = 1; count > 1 && i <= count; i++)
        outputs_add
+++
    for (uint32_t i = 1; false; i++)
        outputs_add
END
bug names-of-shares cli:names <<'END'
--- src/cli
    for (uint32_t i = 1; has_shares && i <= paths->query_count; i++) {
+++
    for (uint32_t i = 1; false; i++) {
END

# Files are told apart by their paths.
bug names-by-path cli:names <<'END'
--- src/xml
    *place = (struct file_place){(uint64_t)status.st_dev, (uint64_t)status.st_ino, base};
+++
    *place = (struct file_place){0, 0, path};
END

# The report beside the abstract model is taken whatever it is about.
bug report-of-others cli:certify <<'END'
--- src/work
    return own && !strcmp(own, digest);
}
/* NULL, or why it
+++
    return own != NULL;
}
/* NULL, or why it
END

# An exception that leaves nothing out is taken in silence.
bug observe-except cli:agents <<'END'
--- src/agents
    for (uint32_t i = 0; i < declaration->item_count && !problem && knows_left_out; i++) {
+++
    for (uint32_t i = 0; false; i++) {
END

if [ -n "$dry" ]; then
    python3 -c "$change" . dry <"$dry"
    failed=$?
    rm -f "$dry"
    exit "$failed"
fi
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
