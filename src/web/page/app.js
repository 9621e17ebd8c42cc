// APP - varabs.html: a model is opened, shown, decided, made smaller and compared, by the program itself, which runs in
// workers. What comes of a command is the page that --html writes, shown by showPage of page.js.
"use strict";

const MOST_BYTES = 64 << 20; // of a model
const REFUSED = 3;           // the least status of a command that has no result
const earlyAfter = 2000;     // milliseconds, until verdicts are looked for one by one
const EXAMPLES = { "postal_3_2.xml": "postal voting", "asv.xml": "voting under coercion", "door.xml": "the door of the tutorial" };
const textOf = (id) => document.getElementById(id).textContent;

// ---- the program ----

async function unpack(base64) {
    const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
    return WebAssembly.compile(await new Response(stream).arrayBuffer());
}
let program = null; // a promise of the module, made when the first command needs it
const workerAddress = URL.createObjectURL(new Blob([textOf("worker")], { type: "text/javascript" }));

// Runs a command in a worker of its own. cancel() ends it; then the promise is kept with null.
function command(words, files, tell) {
    let worker = null, end;
    const ended = new Promise((keep) => { end = keep; });
    const finish = (done) => { worker?.terminate(); worker = null; end(done); };
    const fail = (text) => finish({ status: 5, stdout: "", stderr: text, files: {} });
    program ??= unpack(textOf("program").trim());
    let isCancelled = false;
    program.then((module) => {
        if (isCancelled) return;
        worker = new Worker(workerAddress);
        worker.onmessage = ({ data }) => data.line ? tell(data.line) : data.done ? finish(data.done) : fail(data.failed);
        worker.onerror = (event) => { event.preventDefault(); fail(event.message || "the worker has ended: out of memory?"); };
        worker.postMessage({ module, words, options: { files } });
    }, (error) => fail(`the program cannot be started here: ${error}`));
    return { ended, cancel: () => { isCancelled = true; finish(null); } };
}
const shellWord = (word) => /^[A-Za-z0-9_.,:@=\/-]+$/.test(word) ? word : `'${word.replace(/'/g, "'\\''")}'`;
const commandLine = (words) => ["varabs", ...words].map(shellWord).join(" ");

// ---- steps ----

const app = document.getElementById("app"), steps = make("main", { id: "main" });
const running = new Set(); // what can be cancelled
let model = null;          // {name, bytes}

function seconds(since) {
    return `${Math.floor((performance.now() - since) / 1000)} s`;
}
// A part of the page for one command; run again, it begins anew.
function makeStep(title) {
    const status = make("div", { class: "status", role: "status" }), body = make("div", {});
    const box = make("section", { class: "step", "aria-label": title }, make("h2", {}, title), status, body);
    let job = null;
    function stop() {
        job?.cancel();
    }
    async function run(doing, words) {
        stop();
        const start = performance.now(), said = make("span", { class: "is-running" }, `${doing} ...`), time = make("span", { class: "soft" });
        let last = "";
        const own = command([...words, "--html", "page.html"], model.files, (line) => { last = line.replace(/, \d+( of at most \d+)? s$/, ""); said.textContent = `${doing}: ${grouped(last)}`; });
        const clock = setInterval(() => { time.textContent = seconds(start); }, 500);
        job = own;
        running.add(own);
        box.setAttribute("aria-busy", "true");
        status.replaceChildren(said, time, make("button", { type: "button", click: stop }, "Cancel"));
        const done = await own.ended;
        clearInterval(clock);
        running.delete(own);
        if (job !== own) return null; // something newer runs here
        job = null;
        box.removeAttribute("aria-busy");
        if (!done) status.replaceChildren(make("span", {}, `Cancelled after ${seconds(start)}${last ? `: ${grouped(last)}` : ""}.`), make("button", { type: "button", click: again }, "Try again"));
        else status.replaceChildren();
        return done;
    }
    let again = () => {};
    return { box, body, status, stop, run, onRetry: (act) => { again = act; } };
}
function refusal(done) {
    return make("pre", { class: "refusal bad" }, done.stderr.trim() || done.stdout.trim() || `The program ended with status ${done.status}.`);
}
// Shows the page that a command has made; false if it made none.
function showResult(body, done, words) {
    const bytes = done.files["page.html"], notes = done.stderr.trim();
    body.replaceChildren();
    if (!bytes) {
        body.append(refusal(done));
        return false;
    }
    const page = new DOMParser().parseFromString(new TextDecoder().decode(bytes), "text/html");
    const json = (id) => JSON.parse(page.getElementById(id).textContent), main = make("div", {});
    const about = { ...json("about"), command: commandLine(words) }, result = json("result");
    const models = document.importNode(page.getElementById("models"), true);
    body.append(main);
    showPage({ about, result, models, main });
    if (notes) body.append(make("details", {}, make("summary", {}, "Messages"), make("pre", {}, notes)));
    return result;
}
function download(name, bytes, text) {
    const type = name.endsWith(".xml") ? "application/xml" : name.endsWith(".json") ? "application/json" : "text/html";
    return make("a", { class: "download", download: name, href: URL.createObjectURL(new Blob([bytes], { type })) }, text);
}
function copyable(words) {
    const line = commandLine(words), said = make("span", { class: "soft", role: "status" });
    const copy = async () => {
        try {
            await navigator.clipboard.writeText(line);
            said.textContent = "copied";
        } catch {
            getSelection().selectAllChildren(shown);
            said.textContent = "selected";
        }
    };
    const shown = code(line);
    return make("p", { class: "command" }, make("span", { class: "soft" }, "The same on a command line:"), shown, make("button", { type: "button", click: copy }, "Copy"), said);
}

// ---- what is done with a model ----

async function describeModel() {
    const step = makeStep("The model"), words = ["info", model.name];
    steps.append(step.box);
    step.onRetry(() => openModel(model));
    const done = await step.run("Reading the model", words);
    if (!done) return false;
    if (done.status >= REFUSED && !done.files["page.html"]) {
        step.body.replaceChildren(make("p", { class: "bad" }, "This model is refused:"), refusal(done));
        await drawRefused(step.body);
        return false;
    }
    const result = showResult(step.body, done, words);
    fold(step.body, "Variables, templates and queries", (part) => part.getAttribute("aria-label") !== "Drawings");
    return result;
}
// Parts of a result that only some want to see at once.
function fold(body, title, isFolded) {
    const parts = [...body.querySelectorAll("section")].filter(isFolded);
    if (!parts.length) return;
    const box = make("details", {}, make("summary", {}, title));
    parts[0].before(box);
    box.append(...parts);
}
// What could be read of a model that is refused.
async function drawRefused(body) {
    const job = command(["draw", model.name, "-o", "drawing.svg"], model.files, () => {});
    running.add(job);
    const done = await job.ended;
    running.delete(job);
    const bytes = done?.files["drawing.svg"];
    if (bytes) body.append(make("p", {}, "What could be read of it:"), make("img", { class: "drawn", alt: "drawing of the model", src: URL.createObjectURL(new Blob([bytes], { type: "image/svg+xml" })) }));
}
// Queries that mean the same alone: not those about agents, which other entries of the list may declare.
const isAlone = (query) => /^(A\[\]|E<>|A<>|E\[\]|sup|inf|bounds)/.test(query) && !/\b(K|Kw|GK|GCK|DK)\s*\(|<</.test(query);
// Verdicts as they come: where deciding all queries together takes long, each is decided by itself, too. Gives what ends
// that.
function decideEarly(body, queries) {
    let job = null, isOver = false;
    const found = queries.map(() => make("td", { class: "soft" }, "..."));
    const act = async () => {
        body.replaceChildren(make("table", { class: "early" }, make("tbody", {}, queries.map((query, i) => make("tr", {}, make("td", {}, code(query)), found[i])))));
        const open = new Set(queries.keys());
        for (const limit of [5, 60, 600]) { // so that one that takes long does not keep the others waiting
            for (const i of [...open]) {
                if (isOver || !isAlone(queries[i])) continue;
                job = command(["check", model.name, "--query", queries[i], "--max-memory", "1G", "--timeout", `${limit}`], model.files, () => {});
                running.add(job);
                const done = await job.ended, said = /^(satisfied|violated)/m.exec(done?.stdout || "");
                running.delete(job);
                if (isOver || !said) continue;
                open.delete(i);
                found[i].replaceChildren(verdict(said[1]));
            }
        }
    };
    const timer = queries.length > 1 ? setTimeout(act, earlyAfter) : 0;
    return () => { isOver = true; clearTimeout(timer); job?.cancel(); };
}
async function decideQueries(queries) {
    const step = makeStep("Its queries"), words = ["check", model.name, "--trace"];
    const act = async () => {
        step.body.replaceChildren();
        const stopEarly = decideEarly(step.body, queries);
        const done = await step.run("Exploring", words);
        stopEarly();
        if (!done) return;
        showResult(step.body, done, words);
        fold(step.body, "Runs, step by step", (part) => part.getAttribute("aria-label") === "Runs");
        fold(step.body, "Drawings", (part) => part.getAttribute("aria-label") === "Drawings");
    };
    steps.append(step.box);
    step.onRetry(act);
    await act();
}
const factorOf = ({ reduction, processes }) => reduction ** processes;
function choice(entry, isTicked, original) {
    const what = entry.remove || entry.variable, factor = factorOf(entry), then = entry.measured;
    const gain = then && !then.is_complete && original?.is_complete && then.states > original.states ? "more states than now" :
        then ? `${then.is_complete ? "" : "at least "}${grouped(then.states_text ?? then.states)} states then` : factor > 1 ? `about ${factor > 1e15 ? "more than 1e15" : grouped(+factor.toPrecision(2))} times fewer combinations of values` : "";
    return make("li", {}, make("label", {}, make("input", { type: "checkbox", value: what, "aria-label": what, checked: isTicked ? "" : null }), code(what), make("span", { class: "soft" }, [gain, entry.reason].filter((text) => text).join("; "))));
}
async function suggestRemovals() {
    const step = makeStep("Its variables"), words = ["suggest", model.name];
    const act = async () => {
        step.body.replaceChildren();
        const done = await step.run("Looking for variables that make no difference", words);
        if (!done) return;
        const rest = make("div", {}), result = showResult(rest, done, words);
        if (!result) return step.body.append(rest);
        return step.body.append(...chooseRemovals(result), make("details", {}, make("summary", {}, "All that ", make("code", {}, "varabs suggest"), " says"), rest));
    };
    steps.append(step.box);
    step.onRetry(act);
    await act();
}
function chooseRemovals(result) {
    const measured = (entry) => `${entry.is_complete ? "" : "at least "}${grouped(entry.states_text ?? entry.states)}`;
    const exact = make("ul", { class: "choices" }, [...result.exact, ...result.shown].map((entry) => choice(entry, true, result.original)));
    const lossy = make("ul", { class: "choices" }, result.lossy.map((entry) => choice(entry, false, result.original)));
    const mode = (value, text) => make("label", {}, make("input", { type: "radio", name: "mode", value, "aria-label": text, checked: value === "may" ? "" : null }), text);
    const modes = make("fieldset", {}, make("legend", { class: "soft" }, "The smaller model has"), mode("may", "all runs, perhaps more (may)"), mode("must", "no others, perhaps fewer (must)"));
    const modeNow = () => `--${modes.querySelector("input:checked").value}`;
    const ticked = () => [...exact.querySelectorAll("input:checked"), ...lossy.querySelectorAll("input:checked")].map((box) => box.value);
    const remove = make("button", { type: "button", click: () => abstractModel([...ticked().flatMap((name) => ["--remove", name]), modeNow()]) }, "Remove what is ticked");
    const enable = () => { remove.disabled = !ticked().length; };
    for (const list of [exact, lossy]) list.addEventListener("change", enable);
    enable();
    return [result.original && result.together && measured(result.original) !== measured(result.together) ? make("p", { class: "gain" }, `${measured(result.original)} \u2192 ${measured(result.together)} states`) : null,
        exact.children.length ? [make("h3", {}, "Exact: every verdict carries over"), exact] : make("p", {}, `No variable can be removed exactly${result.normalised?.length ? ", but values that make no difference can be exchanged for one of them" : ""}.`),
        lossy.children.length ? [make("h3", {}, "Not exact: some verdicts are lost"), lossy] : null,
        modes, make("div", { class: "actions" }, make("button", { type: "button", class: "primary", click: () => abstractModel(["--auto", modeNow()]) }, "Make it smaller"), remove)].flat(Infinity).filter((part) => part);
}
let smaller = null, compared = null; // the steps below, one of each
async function abstractModel(options) {
    const kind = options.includes("--must") ? "must" : "may", output = model.name.replace(/(\.xml)?$/i, `.${kind}.xml`), words = [model.name, ...options];
    smaller?.stop();
    smaller?.box.remove();
    compared?.stop();
    compared?.box.remove();
    const step = smaller = makeStep("The smaller model");
    const act = async () => {
        step.body.replaceChildren();
        const done = await step.run("Making it smaller", words);
        if (!done) return;
        const rest = make("div", {}), report = output.replace(/\.xml$/, ".json"), made = done.files[output];
        const result = showResult(rest, done, words);
        if (!result || !made) return step.body.append(rest);
        const check = make("button", { type: "button", click: () => compareRuns(output, made, exchanged(result)) }, "Decide its queries, and look for its runs in the original");
        return step.body.append(make("div", { class: "actions" }, download(output, made, "Download the model"), done.files[report] ? download(report, done.files[report], "Report") : "",
            download(output.replace(/\.xml$/, ".html"), done.files["page.html"], "Page"), check), copyable(words), rest);
    };
    steps.append(step.box);
    step.onRetry(act);
    step.box.scrollIntoView({ block: "start" });
    await act();
}
// Variables whose values stand for others in the smaller model, so that they are not those of the original.
function exchanged({ normalised = [], removed }) {
    const names = [...normalised.map((entry) => entry.variable), ...removed.filter((entry) => entry.scope).map((entry) => entry.variable)];
    return [...new Set(names.map((name) => name.replace(/\[.*/, "")))];
}
async function compareRuns(output, made, ignored) {
    compared?.stop();
    compared?.box.remove();
    const step = compared = makeStep("Runs of the smaller model"), words = ["check", output, "--concretize", model.name, "--trace", ...ignored.flatMap((name) => ["--ignore", name])];
    const files = { ...model.files, [output]: made }, whole = model;
    const act = async () => {
        step.body.replaceChildren();
        if (model !== whole) return;
        model = { ...model, files };
        const running = step.run("Exploring the smaller model", words);
        model = whole;
        const done = await running;
        if (done) showResult(step.body, done, words);
    };
    steps.append(step.box);
    step.onRetry(act);
    step.box.scrollIntoView({ block: "start" });
    await act();
}

// ---- a model comes in ----

// A name that is one on every system, and no option.
function safeName(name) {
    const plain = name.replace(/^.*[/\\]/, "").replace(/[^A-Za-z0-9._-]/g, "_").replace(/^[-.]+/, "").slice(-80);
    return /\.xml$/i.test(plain) ? plain : `${plain || "model"}.xml`;
}
async function openModel({ name, bytes }) {
    for (const job of running) job.cancel();
    steps.replaceChildren();
    smaller = compared = null;
    app.classList.add("has-model");
    if (bytes.length > MOST_BYTES) {
        steps.append(make("p", { class: "bad" }, `This file has ${grouped(bytes.length)} bytes; the most is ${grouped(MOST_BYTES)}.`));
        return;
    }
    const own = model = { name, bytes, files: { [name]: bytes } };
    const info = await describeModel();
    if (!info || model !== own) return;
    await Promise.all([decideQueries(info.queries), suggestRemovals()]);
}
const openText = (name, text) => openModel({ name: safeName(name), bytes: new TextEncoder().encode(text) });
async function openFile(file) {
    if (file) await openModel({ name: safeName(file.name), bytes: new Uint8Array(await file.arrayBuffer()) });
}

function entrance() {
    const examples = JSON.parse(textOf("examples"));
    const chooser = make("input", { type: "file", accept: ".xml,application/xml,text/xml", "aria-label": "a model as an XML file", change: () => openFile(chooser.files[0]) });
    const area = make("textarea", { "aria-label": "the model as XML", spellcheck: "false", placeholder: "<nta> ... </nta>" });
    const pasted = make("details", {}, make("summary", {}, "or paste it"), area, make("button", { type: "button", click: () => openText("pasted.xml", area.value) }, "Open what is pasted"));
    const drop = make("div", { class: "drop" }, make("strong", {}, "Drop a model here"), chooser,
        make("span", {}, "or take an example: ", Object.entries(EXAMPLES).map(([name, title]) => [make("button", { type: "button", click: () => openText(name, examples[name]) }, title), " "])), pasted);
    for (const [name, isOver] of [["dragover", true], ["dragleave", false], ["drop", false]])
        document.addEventListener(name, (event) => {
            event.preventDefault();
            drop.classList.toggle("is-over", isOver);
            if (name === "drop") openFile(event.dataTransfer.files[0]);
        });
    return drop;
}
app.append(make("div", { class: "masthead" }, make("h1", {}, "varabs"), make("p", {}, "Makes Uppaal models smaller, and says which verdicts carry over."),
    make("p", { class: "soft" }, "It runs in this page: nothing is sent anywhere. The native program is several times faster.")),
entrance(), steps, make("footer", { class: "soft" }, make("details", {}, make("summary", {}, "Licences"), make("pre", {}, textOf("licences").trim()))));
