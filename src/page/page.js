// PAGE - shows a result of varabs, which stands in the page as JSON (#result), on the drawings of
// its models (#models). Everything that is said comes from these two. Only ASCII, as it becomes
// text in C.
"use strict";

const about = JSON.parse(document.getElementById("about").textContent);
for (const model of ["first", "second"]) about[model] = about[model]?.replace(/^.*[/]/, "");
const result = JSON.parse(document.getElementById("result").textContent);
const main = document.getElementById("main");

// ---- elements ----

function make(tag, attributes, ...children) {
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes || {})) {
        if (typeof value === "function") element.addEventListener(name, value);
        else if (value !== null && value !== undefined) element.setAttribute(name, value);
    }
    element.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined));
    return element;
}
const code = (text) => make("code", {}, text);
const button = (text, label, act) => make("button", { type: "button", title: label, "aria-label": label, click: act }, text);

function table(heads, rows) {
    return make("div", { class: "scroll" }, make("table", heads.length > 2 ? { class: "stacked" } : {},
        make("thead", {}, make("tr", {}, heads.map((head) => make("th", { scope: "col" }, head)))),
        make("tbody", {}, rows.map((row) => make("tr", {}, row.map((content, i) => make("td", { "data-head": heads[i] || null }, content ?? "")))))));
}
function section(title, ...children) {
    const id = title.toLowerCase().replace(/[^a-z]+/g, "-");
    const made = make("section", { id, "aria-label": title }, make("h2", {}, title), ...children);
    main.append(made);
    return made;
}
const plural = (count, what) => `${count} ${what}${count === 1 ? "" : "s"}`;
function verdict(text) {
    const look = { satisfied: "good", violated: "bad", fails: "bad", holds: "good", exact: "good" }[text] || "open";
    return make("span", { class: `badge ${look}` }, text);
}
function values(list, count) {
    const text = list.join(", ");
    return list.length < count ? `${text}, ... (${count})` : text;
}

// ---- drawings: zoom, pan, choice ----

const drawings = new Map(); // by name: {svg, box, whole, choose}

function view(drawing, box) {
    drawing.box = box;
    drawing.svg.setAttribute("viewBox", `${box.x} ${box.y} ${box.width} ${box.height}`);
}
function zoom(drawing, factor, at) {
    const { x, y, width, height } = drawing.box;
    const least = drawing.whole.width / 200, most = drawing.whole.width * 4;
    const size = Math.min(most, Math.max(least, width * factor)) / width;
    const centre = at || { x: x + width / 2, y: y + height / 2 };
    view(drawing, { x: centre.x - (centre.x - x) * size, y: centre.y - (centre.y - y) * size,
                    width: width * size, height: height * size });
}
function shift(drawing, x, y) {
    const box = drawing.box;
    view(drawing, { ...box, x: box.x + x * box.width, y: box.y + y * box.height });
}
// Begins with the whole; where that would be too small to be read, with a part of it as high as there is place for,
// unless that would be less than a third.
const SMALL = 0.5, READABLE = 0.7; // pixels for a unit of the drawing
function begin(drawing) {
    const { svg, whole } = drawing, size = svg.getBoundingClientRect();
    if (drawing.hasBegun || !size.width || !size.height) return;
    drawing.hasBegun = true;
    const scale = Math.min(size.width / whole.width, size.height / whole.height);
    if (scale >= SMALL || scale < READABLE / 3) return;
    svg.style.aspectRatio = "auto";
    svg.style.height = `${whole.height * READABLE}px`;
    const { width, height } = svg.getBoundingClientRect();
    view(drawing, { x: 0, y: 0, width: width / READABLE, height: height / READABLE });
    follow(drawing);
}
function boxOf(drawing, element) {
    const toSvg = drawing.svg.getScreenCTM().inverse().multiply(element.getScreenCTM());
    const box = element.getBBox(), corner = new DOMPoint(box.x, box.y).matrixTransform(toSvg);
    return { x: corner.x, y: corner.y, width: box.width, height: box.height };
}
function show(drawing, element) {
    const box = boxOf(drawing, element), gap = 40;
    const width = Math.max(box.width + 2 * gap, 420), height = Math.max(box.height + 2 * gap, 260);
    view(drawing, { x: box.x + box.width / 2 - width / 2, y: box.y + box.height / 2 - height / 2, width, height });
}
function pointOf(drawing, event) {
    return new DOMPoint(event.clientX, event.clientY).matrixTransform(drawing.svg.getScreenCTM().inverse());
}
function drag(drawing) {
    const svg = drawing.svg;
    let from = null;
    svg.addEventListener("pointerdown", (event) => { from = event.button ? null : pointOf(drawing, event); });
    svg.addEventListener("pointermove", (event) => {
        if (!from || !event.buttons) return;
        const at = pointOf(drawing, event), box = drawing.box;
        view(drawing, { ...box, x: box.x + from.x - at.x, y: box.y + from.y - at.y });
    });
    svg.addEventListener("pointerup", () => { from = null; });
    svg.addEventListener("wheel", (event) => {
        if (!event.ctrlKey && !event.shiftKey) return; // the page scrolls
        event.preventDefault();
        zoom(drawing, event.deltaY > 0 ? 1.2 : 1 / 1.2, pointOf(drawing, event));
    }, { passive: false });
}
// To what stands beside it, past all its edges and locations.
function leave(drawing) {
    const beside = drawing.frame.closest(".split, .pair > div")?.querySelector(".details");
    beside?.setAttribute("tabindex", "-1");
    beside?.focus();
}
function keys(drawing) {
    const acts = {
        "+": () => zoom(drawing, 1 / 1.3), "=": () => zoom(drawing, 1 / 1.3), "-": () => zoom(drawing, 1.3),
        "0": () => view(drawing, drawing.whole), ArrowLeft: () => shift(drawing, -0.1, 0),
        ArrowRight: () => shift(drawing, 0.1, 0), ArrowUp: () => shift(drawing, 0, -0.1),
        ArrowDown: () => shift(drawing, 0, 0.1), Escape: () => leave(drawing),
    };
    drawing.svg.addEventListener("keydown", (event) => {
        const part = event.target.closest("[data-edge], [data-old-edge], [data-node]");
        const act = (event.key === "Enter" || event.key === " ") && part ? () => drawing.choose(part) : acts[event.key];
        if (!act || event.ctrlKey || event.altKey || event.metaKey) return;
        event.preventDefault();
        act();
    });
}
const parts = (drawing) => drawing.svg.querySelectorAll("[data-edge], [data-old-edge], [data-node]");
const templateOf = (part) => part.closest("[data-template]").dataset.template;
const titleOf = (part) => part.querySelector("title").textContent;

function readDrawing(frame, whole) {
    const svg = frame.querySelector("svg");
    const drawing = { frame, svg, whole, box: whole, title: frame.dataset.title.replace(/^.*[/]/, ""), choose: () => {} };
    svg.addEventListener("click", (event) => {
        const part = event.target.closest("[data-edge], [data-old-edge], [data-node]");
        if (part) drawing.choose(part);
    });
    drag(drawing);
    keys(drawing);
    drawings.set(frame.dataset.drawing, drawing);
    new ResizeObserver(() => begin(drawing)).observe(svg);
    window.addEventListener("beforeprint", () => view(drawing, whole));
    return drawing;
}
function readDrawings() {
    for (const frame of document.querySelectorAll("#models .drawing")) {
        const svg = frame.querySelector("svg");
        const whole = { x: 0, y: 0, width: +svg.getAttribute("width"), height: +svg.getAttribute("height") };
        svg.style.maxWidth = `${Math.max(320, 1.5 * whole.width)}px`;
        svg.style.aspectRatio = `${whole.width} / ${Math.max(whole.height, whole.width / 4)}`;
        svg.removeAttribute("width");
        svg.removeAttribute("height");
        svg.setAttribute("tabindex", "0");
        svg.setAttribute("role", "group");
        const drawing = readDrawing(frame, whole);
        view(drawing, whole);
        svg.setAttribute("aria-label", `drawing: ${drawing.title}; plus, minus, arrows and 0 move it, Escape leaves it`);
        for (const part of parts(drawing)) {
            part.setAttribute("tabindex", "0");
            part.setAttribute("role", "button");
        }
    }
}
// Another one of the same, for another place of the page.
function copyOf(drawing) {
    const frame = drawing.frame.cloneNode(true);
    frame.dataset.drawing += `-${drawings.size}`;
    const copy = readDrawing(frame, drawing.whole);
    unmark(copy);
    view(copy, copy.whole);
    return copy;
}

// ---- what is known of an element ----

function labels(part) {
    return titleOf(part).split("\n").slice(1).map((line) => {
        const [, change, kind, content] = /^(new: |removed: |changed: )?([a-z ]+): ([^]*)$/.exec(line) || [null, "", "", line];
        return [make("dt", {}, `${change || ""}${kind}`), make("dd", { class: "code" }, content)];
    });
}
function originText(origin) {
    const chosen = Object.entries(origin.values).map(([name, value]) => `${name} = ${value}`).join(", ");
    return `line ${origin.line}${chosen ? ` with ${chosen}` : ""}`;
}
function outputText(output) {
    const guard = output.guard ? ` if ${output.guard}` : "";
    return `${output.source} \u2192 ${output.target}${guard}`;
}
function becameOf(template, number) {
    const edges = result.edges, own = (entry) => entry.template === template;
    const list = [];
    for (const output of edges.output.filter(own)) {
        const origins = output.origins.filter((origin) => origin.edge === number);
        if (origins.length) list.push(make("li", {}, `${output.kind}: `, code(outputText(output)), ` from ${origins.map(originText).join("; ")}`,
            output.origin_count > output.origins.length ? ` and more: ${output.origin_count} in all` : ""));
    }
    for (const entry of edges.dropped.filter(own))
        if (entry.edge === number) list.push(make("li", {}, `dropped: ${entry.reason}`));
    return list;
}
function madeOf(part) {
    const [source, target] = titleOf(part).split("\n")[0].replace(/^(new|changed|removed): /, "").split(" \u2192 ");
    return result.edges.output.filter((output) => output.template === templateOf(part) && output.source === source &&
        output.target === target && output.kind !== "unchanged" && output.kind !== "changed")
        .map((output) => make("li", {}, `${output.kind}: `, code(outputText(output)), ` from ${output.origins.map(originText).join("; ")}`));
}
function edgeDetails(part, isFirst) {
    if (!result.edges) return [];
    const template = templateOf(part), number = +(part.dataset.oldEdge || (isFirst ? part.dataset.edge : 0));
    const list = number ? becameOf(template, number) : madeOf(part);
    const reasons = (result.inexact_because || []).filter((reason) => number && reason.startsWith(`${template}: edge ${number} `));
    return [list.length ? make("dt", {}, number ? "what it became" : "where it may come from") : null,
        list.length ? make("dd", {}, make("ul", {}, list)) : null,
        reasons.length ? make("dt", {}, "why this is not exact here") : null, reasons.map((reason) => make("dd", {}, reason))];
}
function valueDetails(part) {
    const own = (result.values || []).filter((entry) => entry.template === templateOf(part) && entry.location === part.dataset.node);
    return own.map((entry) => [make("dt", {}, `values of ${entry.first_slot}${entry.first_slot === entry.last_slot ? "" : ` to ${entry.last_slot}`}${entry.within_step ? ", within a step" : ""}`),
        make("dd", { class: "code" }, entry.values ? values(entry.values, entry.count) : `${entry.lower} to ${entry.upper}`)]);
}
function describe(part, isFirst) {
    const head = titleOf(part).split("\n")[0];
    const isEdge = part.dataset.node === undefined;
    return [make("h3", {}, `${templateOf(part)}: ${head}`), make("dl", {}, labels(part), isEdge ? edgeDetails(part, isFirst) : valueDetails(part))];
}

// ---- the viewer of drawings ----

function viewer(names) {
    const frame = make("div", {}), details = make("div", { class: "details", "aria-live": "polite" });
    const hint = "Choose an edge or a location: by a click, or with Tab and Enter. Plus, minus, arrows and 0 move the drawing, as do dragging, and the wheel with Shift; Escape leaves it.";
    const templates = make("select", { "aria-label": "template", change: () => {
        const panel = [...shown.svg.querySelectorAll("[data-template]")].find((item) => item.dataset.template === templates.value);
        if (panel) show(shown, panel);
        else view(shown, shown.whole);
    } });
    const tabs = names.map((name) => make("button", { type: "button", click: () => choose(name) }, drawings.get(name).title));
    let shown = null;
    function choose(name) {
        shown = drawings.get(name);
        frame.replaceChildren(shown.frame);
        tabs.forEach((tab, i) => tab.setAttribute("aria-pressed", names[i] === name));
        const panels = [...shown.svg.querySelectorAll("[data-template]")].map((panel) => panel.dataset.template);
        templates.replaceChildren(make("option", { value: "" }, "all templates"), ...panels.map((panel) => make("option", { value: panel }, panel)));
        details.replaceChildren(make("p", { class: "soft hint" }, hint));
        shown.choose = (part) => {
            shown.svg.querySelectorAll(".chosen").forEach((other) => other.classList.remove("chosen"));
            part.classList.add("chosen");
            details.replaceChildren(...describe(part, name === "first"));
        };
    }
    choose(names[0]);
    return [make("div", { class: "bar" }, names.length > 1 ? tabs : null, templates,
        button("+", "larger", () => zoom(shown, 1 / 1.3)), button("\u2212", "smaller", () => zoom(shown, 1.3)),
        button("whole", "show the whole drawing", () => view(shown, shown.whole))),
    make("div", { class: "split" }, frame, details)];
}

// ---- runs ----

function unmark(drawing) {
    if (!drawing) return;
    for (const name of ["now", "taken"]) drawing.svg.querySelectorAll(`.${name}`).forEach((part) => part.classList.remove(name));
}
function mark(drawing, processes, state, step) {
    if (!drawing) return;
    unmark(drawing);
    const find = (template, test) => [...parts(drawing)].filter((part) => templateOf(part) === template && test(part));
    for (const [process, location] of Object.entries(state.locations))
        find(processes[process], (part) => part.dataset.node === location).forEach((part) => part.classList.add("now"));
    for (const participant of step || [])
        find(processes[participant.process], (part) => participant.edges.includes(+part.dataset.edge - 1)).forEach((part) => part.classList.add("taken"));
    follow(drawing);
}
function stepText(participant) {
    const selects = Object.entries(participant.selects).map(([name, value]) => `, ${name} = ${value}`).join("");
    return `${participant.process}: ${participant.source} \u2192 ${participant.target}${participant.channel ? `, ${participant.channel}` : ""}${selects}`;
}
function stateTable(state, before) {
    const row = ([name, value], old) => [code(name), make("span", { class: old !== undefined && old !== value ? "code changed" : "code" },
        old !== undefined && old !== value ? `${old} \u2192 ${value}` : `${value}`)];
    return table(["process or variable", "value"], [
        ...Object.entries(state.locations).map((entry) => row(entry, before?.locations[entry[0]])),
        ...Object.entries(state.values).map((entry) => row(entry, before?.values[entry[0]]))]);
}
const NS = "http://www.w3.org/2000/svg";
function draw(tag, attributes, text) {
    const element = document.createElementNS(NS, tag);
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
    if (text !== undefined) element.textContent = text;
    return element;
}
// A message sequence chart: a line for each process that takes part, downwards a row for each step.
function chart(trace, broken) {
    const names = [...new Set(trace.steps.flat().map((participant) => participant.process))];
    if (!names.length) return "";
    const gap = Math.max(120, 9 * Math.max(...names.map((name) => name.length), 8)), row = 44;
    const x = (name) => 60 + gap * names.indexOf(name), height = 60 + row * trace.steps.length;
    const alone = (sender) => sender.channel || `${sender.source} \u2192 ${sender.target}`;
    const width = Math.max(gap * names.length + 60, ...trace.steps.filter((step) => step.length === 1).map(([sender]) => x(sender.process) + 20 + 8 * alone(sender).length));
    const svg = draw("svg", { class: "chart", width, height, viewBox: `0 0 ${width} ${height}`,
        role: "img", "aria-label": "message sequence chart", "font-size": 12, "font-family": "sans-serif", fill: "#222222" });
    for (const name of names) {
        svg.append(draw("line", { x1: x(name), y1: 32, x2: x(name), y2: height - 8, stroke: "#999999" }),
            draw("text", { x: x(name), y: 22, "text-anchor": "middle", "font-weight": "bold" }, name));
    }
    trace.steps.forEach((step, i) => {
        const y = 60 + row * i, colour = i === broken ? "#b3261e" : "#0b57d0", sender = step[0];
        svg.append(draw("text", { x: 4, y: y + 4, fill: "#6a6a6a" }, `${i + 1}`));
        if (step.length === 1)
            svg.append(draw("circle", { cx: x(sender.process), cy: y, r: 5, fill: colour }),
                draw("text", { x: x(sender.process) + 9, y: y + 4 }, alone(sender)));
        const from = x(sender.process), ends = step.slice(1).map((receiver) => x(receiver.process));
        for (const to of ends)
            svg.append(draw("line", { x1: from, y1: y, x2: to, y2: y, stroke: colour, "stroke-width": 1.5 }),
                draw("path", { d: `M${to} ${y}l${to > from ? -8 : 8} -4v8z`, fill: colour }));
        ends.sort((one, other) => Math.abs(one - from) - Math.abs(other - from));
        if (ends.length) // at the nearest one
            svg.append(draw("text", { x: (from + ends[0]) / 2, y: y - 5, "text-anchor": "middle" }, (sender.channel || "").replace(/!$/, "")));
    });
    return svg;
}
// Moves the drawing, if it does not show all, to the step that is marked.
function follow(drawing) {
    const taken = drawing.svg.querySelector(".taken"), { x, y, width, height } = drawing.box;
    if (!taken || drawing.box === drawing.whole || !drawing.svg.getScreenCTM()) return;
    const box = boxOf(drawing, taken);
    if (box.x >= x && box.y >= y && box.x + box.width <= x + width && box.y + box.height <= y + height) return;
    view(drawing, { x: box.x + box.width / 2 - width / 2, y: box.y + box.height / 2 - height / 2, width, height });
}
// What goes through the states 0 to last: buttons, a slider and keys; show(at) may say more about a state.
function stepper(title, last, show, ...more) {
    let at = 0;
    const label = make("strong", { "aria-live": "polite" });
    const slider = make("input", { type: "range", min: 0, max: last, value: 0, "aria-label": "state of the run", input: () => go(+slider.value) });
    function go(to) {
        at = Math.min(last, Math.max(0, to));
        slider.value = at;
        label.textContent = `state ${at} of ${last}${show(at) || ""}`;
    }
    const box = make("div", { class: "run", tabindex: "0", role: "group", "aria-label": `${title}; left and right arrow go through it`, keydown: (event) => {
        if (event.target.closest("svg") || event.target === slider) return;
        const acts = { ArrowLeft: -1, ArrowRight: 1, Home: -last - 1, End: last + 1 };
        if (!(event.key in acts)) return;
        event.preventDefault();
        go(at + acts[event.key]);
    } }, make("h3", {}, title),
    make("div", { class: "bar" }, button("\u25c0", "one step back", () => go(at - 1)), button("\u25b6", "one step on", () => go(at + 1)), slider, label, more));
    return { box, go, again: () => go(at) };
}
// Fetches drawings that are elsewhere; hidden while they are here.
function taker(text, take) {
    return make("button", { type: "button", class: "taker", click: (event) => {
        take();
        event.target.closest(".run").focus();
    } }, text);
}
const stepLines = (step) => step.map((participant) => make("div", { class: "code" }, stepText(participant)));
const ENDS = { deadlock: "no step is possible here", idle: "time may pass here for ever" };
function run(title, trace, drawing, processes, broken) {
    const what = make("div", {}), frame = make("div", drawing ? { class: "frame" } : {}), chosen = make("div", {});
    const steps = stepper(title, trace.states.length - 1, (at) => {
        const next = trace.steps[at], goesBack = typeof trace.loop === "number";
        what.replaceChildren(stateTable(trace.states[at], trace.states[at - 1]),
            make("p", {}, next ? (at === broken ? make("span", { class: "bad" }, `${trace.blocked || "the original cannot take this step"}: `) : "next: ") : goesBack ? `then again from state ${trace.loop}` : ENDS[trace.end] || "the run ends here",
                next && trace.actions ? code(trace.actions[at] ?? "a hidden step") : null, next ? stepLines(next) : null));
        if (drawing) mark(drawing, processes, trace.states[at], next);
        return goesBack && at === trace.loop ? ", where the loop begins" : "";
    }, drawing ? taker("show it on the drawing", take) : null);
    function take() {
        frame.replaceChildren(drawing.frame);
        drawing.choose = (part) => chosen.replaceChildren(...describe(part, true));
        steps.again();
    }
    steps.box.append(make("div", { class: "split" }, make("div", {}, frame, make("div", { class: "scroll" }, chart(trace, broken))), make("div", { class: "details" }, what, chosen)));
    if (drawing && !drawing.isTaken) {
        drawing.isTaken = true;
        take();
    } else steps.again();
    return steps.box;
}
// Two models side by side. A side has the name of its model and a drawing of it, states, steps, and what says(at)
// adds; a state may be missing, and so may its values. Without a drawing there is a word on that.
function duel(title, sides, start = 0) {
    const columns = sides.map((side) => ({ drawing: drawings.get(side.model), ...side, what: make("div", { class: "details" }),
        frame: make("div", { class: "frame" }, make("p", { class: "soft" }, side.drawing === null ? "not drawn, so that the page stays small" : "")), processes: about[`${side.model}_processes`] }));
    const steps = stepper(title, Math.max(...sides.map((side) => side.states.length)) - 1, (at) => columns.forEach((side) => {
        const state = side.states[at], step = side.steps[at], words = side.says(at);
        side.what.replaceChildren(...state ? [stateTable(state, side.states[at - 1])] : [],
            make("p", {}, words ? make("span", { class: "bad" }, words) : step?.length ? "next: " : "", step ? stepLines(step) : null));
        if (state) mark(side.drawing, side.processes, state, step);
        else unmark(side.drawing);
    }), sides.some((side) => side.drawing === undefined) ? taker("show it on the drawings", take) : null);
    function take() {
        for (const side of columns.filter((column) => column.drawing)) {
            side.frame.replaceChildren(side.drawing.frame);
            side.drawing.isTaken = true;
            side.drawing.choose = () => {};
        }
        steps.again();
    }
    steps.box.append(make("div", { class: "pair" }, columns.map((side) => make("div", {}, make("h4", {}, side.name), side.frame, side.what))));
    take();
    steps.go(start);
    return steps.box;
}
// The run of an abstraction, beside what the original, which has no step `broken`, can do of it.
function brokenRun(title, trace, broken, rounds, abstract, original) {
    const last = trace.states.length - 1, ends = broken ?? last;
    const when = rounds ? ` after ${plural(rounds, "more round")} of the loop` : "";
    return duel(title, [
        { ...abstract, states: trace.states, steps: trace.steps, says: (at) => at === broken ? `the step that the original cannot take${when}: ` : "" },
        { ...original, states: trace.states.slice(0, ends + 1).map((state) => ({ locations: state.locations, values: {} })), steps: [],
          says: (at) => at < ends ? "" : broken === null ? "the original has this run, but it proves nothing there" :
              at === broken ? `no step here that looks like that${when}` : "the original does not come here" }], broken ?? 0);
}
const spurious = (step, rounds, why) => make("p", { class: "bad" }, step === null ? "This run is spurious: it proves nothing in the original." :
    `This run is spurious: the original cannot take step ${step + 1}${rounds ? ` after ${plural(rounds, "more round")} of the loop` : ""}${why?.length ? `, as that depends on ${why.join(", ")}` : ""}.`);
// Two runs of certify, pair by pair; what is in the end is one more step of one side.
function pairs(title, runs, unmatched, says) {
    return duel(title, ["concrete", "abstract"].map((name, i) => {
        const states = runs.states.map((pair) => pair[name]), steps = runs.steps.map((pair) => pair[name]);
        const moves = unmatched?.mover === name && unmatched.step.length > 0;
        if (moves) states.push(unmatched.state), steps.push(unmatched.step);
        return { name: `${name}: ${about[i ? "second" : "first"]}`, model: i ? "second" : "first", states, steps,
                 says: (at) => at + 1 < runs.states.length ? "" : at === runs.states.length ? (moves ? "" : "this model does not come here") : says(name) };
    }));
}

// ---- the kinds of results ----

function header(title, ...badges) {
    const search = make("input", { type: "search", placeholder: "search", "aria-label": "search in drawings and tables", input: () => look(search.value, false),
        keydown: (event) => { if (event.key === "Enter") look(search.value, true); } });
    main.append(make("header", {}, make("h1", {}, title), ...badges, make("label", { class: "search" }, search, " ", make("span", { id: "found", class: "soft", "aria-live": "polite" }))));
    main.append(make("p", { class: "soft" }, `varabs ${result.tool.version}, ${result.input.file}, ${result.input.bytes} bytes, sha256 ${result.input.sha256}`));
}
let foundAt = -1;
function look(word, isNext) {
    const wanted = word.trim().toLowerCase();
    const matches = [];
    for (const drawing of drawings.values())
        for (const part of parts(drawing)) {
            const isFound = wanted !== "" && titleOf(part).toLowerCase().includes(wanted);
            part.classList.toggle("found", isFound);
            if (isFound && drawing.frame.isConnected && drawing.frame.offsetParent) matches.push([drawing, part]);
        }
    let rows = 0;
    for (const row of main.querySelectorAll("tbody tr")) {
        const isFound = wanted === "" || row.textContent.toLowerCase().includes(wanted);
        row.classList.toggle("is-hidden", !isFound && !row.closest(".run"));
        rows += isFound && wanted !== "";
    }
    document.getElementById("found").textContent = wanted === "" ? "" : `${matches.length} in the drawing, ${plural(rows, "row")}`;
    foundAt = isNext && matches.length ? (foundAt + 1) % matches.length : -1;
    if (foundAt >= 0) {
        show(...matches[foundAt]);
        matches[foundAt][0].choose(matches[foundAt][1]);
    }
}
// Verdicts that carry over; of sup, inf and bounds what their values are to those of the original.
function carried(claims, bound) {
    const names = ["satisfied", "violated"].filter((name) => claims?.[name]);
    if (names.length && bound) return verdict(bound);
    return names.length ? names.map((name) => [verdict(name), " "]) : "-";
}
const slots = (entry) => entry.slots === 1 ? entry.first_slot : `${entry.first_slot} to ${entry.last_slot}`;
// Whether the original has runtime errors.
function conditionLines({ no_runtime_errors: state, may_fail: mayFail, first_error: error }) {
    const words = { "cannot fail": "Nothing in the original can fail.", met: "The original has no runtime errors, as exploring shows.",
        broken: "But the original has runtime errors, at which Uppaal stops.", open: "If the original has no runtime errors, at which Uppaal would stop." };
    const entry = ({ line, column, message }, ...more) => make("li", {}, `line ${line}, column ${column}: ${message}`, more);
    const entries = state === "open" ? (mayFail || []).map((possible) => entry(possible)) : error ? [entry(error, error.trace ? `, after ${plural(error.trace.steps.length - 1, "step")}` : "")] : [];
    return [make("p", { class: state === "broken" ? "bad" : "soft" }, words[state]), entries.length ? make("ul", {}, entries) : ""];
}
function abstraction() {
    const kind = { may: "may-abstraction", must: "must-abstraction", lower: "lower abstraction" }[result.mode] || result.mode;
    header(`${about.first}: ${kind}`, verdict(result.exact ? "exact" : "not exact"));
    main.append(make("p", {}, `${result.edges.before} edges before, ${result.edges.after} after.`));
    section("Verdicts that carry over", result.guarantees.length ? table(["query", "under Kripke semantics", "under Uppaal's", "why"], result.guarantees.map((entry) =>
        [code(entry.formula), carried(entry.kripke, entry.bound), carried(entry.uppaal, entry.bound), [entry.reason || "", entry.help ? make("div", { class: "soft" }, `what helps: ${entry.help}`) : ""]])) :
        make("p", {}, "The model has no queries."),
    conditionLines(result.condition));
    if (result.shown) section("Exact, as exploring shows", make("p", {}, `${result.shown.states_before} states of the ${result.shown.compared_with === "original" ? "original" : "abstraction without what is exact anyway"}, ${result.shown.states_after} of this one, and the same steps. By itself, the transformation could not tell:`), make("ul", {}, result.shown.otherwise_because.map((reason) => make("li", {}, reason))));
    if (result.not_shown) section("Not shown to be exact by exploring", make("p", {}, result.not_shown));
    if (result.inexact_because?.length) section("Why it is not exact", make("ul", {}, result.inexact_because.map((reason) => make("li", {}, reason))));
    section("Drawings", viewer(drawings.has("changes") ? ["changes", "first", "second"] : ["first"]));
    const gone = result.removed.map((entry) => [code(slots(entry)), code(entry.type), `${entry.lower} to ${entry.upper}`, entry.scope ? ["removed at ", code(entry.scope.join(", "))] : "removed"]);
    for (const entry of result.merges || []) gone.push([code(`${entry.template ? `${entry.template}.` : ""}${entry.name}`), code(entry.type), "", ["new: ", code(entry.expression), " in place of ", code(entry.replaces.join(", "))]]);
    for (const entry of result.normalised || []) gone.push([code(entry.variable), "", `${entry.lower} to ${entry.upper}`, [entry.representative === undefined ? "values exchanged for those that stand for them" : `${entry.representative} stands for all values`, entry.location ? [" at ", code(entry.template ? `${entry.template}.${entry.location}` : entry.location)] : "", entry.processes ? [" in ", code(entry.processes.join(", "))] : ""]]);
    section("Variables", table(["variable", "type", "range", "what became of it"], gone));
    if (result.lost.length) section("What is lost", table(["what", "line", "variable", "text"], result.lost.map((entry) => [entry.what, entry.line, code(entry.variable || ""), code(entry.formula || "")])));
}
function figures(search) {
    return ["states", "transitions", "deadlocks", "errors"].map((name) => `${search[`${name}_text`] ?? search[name]} ${name}`).join(", ");
}
// "x: 0 to 3", of sup, inf and bounds.
function boundsLines(bounds) {
    return (bounds || []).map(({ expression, lower, upper }) => make("div", {}, code(expression), ": ",
        lower === null ? upper === null ? "no state counts" : `at most ${upper}` : upper === null ? `at least ${lower}` : `${lower} to ${upper}`));
}
// What agents observe, why one does not know, and how a coalition plays.
function knowledgeLines({ observations, epistemic, strategy }) {
    const line = (...words) => make("div", {}, ...words), move = (chosen) => chosen ? [code(`${chosen.source} \u2192 ${chosen.target}`), chosen.channel ? [" ", code(chosen.channel)] : "",
        Object.entries(chosen.selects).map(([name, value]) => [", ", code(`${name} = ${value}`)])] : "wait";
    const lines = (observations || []).map(({ agent, items }) => line(make("span", { class: "soft" }, `${agent} observes `), code(items.join(", ") || "nothing")));
    if (epistemic) lines.push(line(`${epistemic.agent} does not know ${epistemic.values ? "the value of " : "that "}`, code(epistemic.expression),
        epistemic.values ? `: it is ${epistemic.values[0]}, but for all that ${epistemic.agent} observes it might be ${epistemic.values[1]}` : ": another state is the same to it"));
    for (const { process, receives, rules } of strategy || []) {
        lines.push(line(make("span", { class: "soft" }, `${process}${receives ? `, receiving ${receives}` : ""}:`)));
        for (const { when, move: chosen } of rules) lines.push(line(when.length ? ["if ", code(when.join(", ")), ": "] : "", move(chosen)));
    }
    return lines;
}
function check() {
    header(`${about.first}: check`);
    main.append(make("p", {}, `${figures(result)}${result.is_complete ? "; everything is explored" : ""}${result.limit ? `; ended by the limit on ${result.limit}` : ""}. Engine: ${result.engine}.`));
    section("Queries", table(["query", "verdict", "semantics", ""], result.queries.map((query) => [code(query.formula), verdict(query.verdict), query.semantics || "",
        [boundsLines(query.bounds), knowledgeLines(query), query.original ? `in the original: ${query.original.outcome}` : query.problem || query.reason || (query.if_fair ? `${query.if_fair.verdict} if every process is ${query.if_fair.kind}ly fair` : "")]])));
    if (result.first_error) section("Runtime error", make("p", { class: "bad" }, `${result.first_error.position}: ${result.first_error.message}`));
    const runs = result.queries.filter((query) => query.trace);
    if (!runs.length) section("Drawings", viewer(["first"]), make("p", { class: "soft" }, "With --trace, witnesses and counterexamples are shown here."));
    else section("Runs", runs.map((query) => {
        const original = query.original, broken = original?.outcome === "spurious" ? original.step : undefined;
        const isPair = broken !== undefined && !drawings.get("second").isTaken;
        return [make("p", {}, code(query.formula), " ", verdict(query.verdict)),
            isPair ? brokenRun(query.trace.kind, query.trace, broken, original.round, { name: about.first, model: "first" }, { name: `the original, ${about.second}`, model: "second" }) : null,
            isPair ? make("div", { class: "scroll" }, chart(query.trace, broken)) : run(query.trace.kind, query.trace, drawings.get("first"), about.first_processes, broken),
            broken !== undefined ? spurious(broken, original.round, original.depends_on) : null,
            original?.trace ? run("the run of the original", original.trace, drawings.get("second"), about.second_processes) : null];
    }));
    if (runs.length && drawings.has("second") && !drawings.get("second").isTaken) section("The original", viewer(["second"]));
}
function certify() {
    header(`${about.first} and ${about.second}: certify`, verdict(result.holds ? "holds" : result.holds === false ? "fails" : "not decided"));
    section("Figures", table(["model", "states and steps"], [[about.first, figures(result.concrete)], [about.second, figures(result.abstract)]]),
        make("p", {}, "compared: ", code(result.compared.join(", ") || "locations only")),
        [["left out", [...new Set([...result.ignored.concrete, ...result.ignored.abstract])]], ["only in the concrete model", result.only_concrete], ["only in the abstract model", result.only_abstract]]
            .map(([title, names]) => names.length ? make("p", {}, `${title}: `, code(names.join(", "))) : null));
    const counter = result.counterexample, unmatched = counter?.unmatched, passing = result.time?.counterexample;
    if (counter) section("Counterexample", pairs("a step that the other model cannot follow", counter, unmatched, (name) =>
        !unmatched ? "the initial states do not look the same" :
        name !== unmatched.mover ? `${unmatched.error ? `${unmatched.error.message}, ${unmatched.error.position}; ` : ""}${plural(unmatched.choices, "step")} possible here, none to a state that looks like that` :
        unmatched.step.length ? "cannot be followed: " : "the run may end here"));
    if (passing) section("Where time may pass", pairs("a place where time may pass for ever in one model only", passing, null, (name) =>
        name === passing.passes ? "time may pass for ever here" : "it may not here"));
    section("Drawings", viewer(counter || passing ? ["changes"] : ["changes", "first", "second"]));
}
function refinesWords(counter) {
    const list = (labels) => labels?.length ? labels.join(", ") : "nothing";
    const offers = `The abstract model offers: ${list(counter.offered)}.`;
    if (counter.kind === "unfair") return `The run takes ${counter.constraint.name} no more, which is possible in the abstract model (from state ${counter.enabled_at} on). ${offers}`;
    if (counter.kind === "blocked") return `The abstract model cannot do the last action. ${offers}`;
    return `The concrete model offers only: ${list(counter.left)}. ${offers}`;
}
function refines() {
    header(`${about.first} and ${about.second}: refines`, make("span", { class: `badge ${result.refines ? "good" : result.refines === false ? "bad" : "open"}` },
        result.refines ? "refines" : result.refines === false ? "does not refine" : "not decided"));
    const counter = result.counterexample;
    if (counter) {
        const trace = { states: counter.states, steps: counter.steps.map((step) => step.participants), actions: counter.steps.map((step) => step.action), loop: counter.loop, blocked: "the abstract model cannot do" };
        section("Counterexample", make("p", { class: "bad" }, refinesWords(counter)),
            run("the run of the concrete model", trace, drawings.get("first"), about.first_processes, counter.kind === "blocked" ? trace.steps.length - 1 : undefined));
        section("The abstract model there", viewer(["second"]), counter.abstract_states.map((state, i) => [i ? make("p", {}, "or") : null, stateTable(state)]));
        if (counter.abstract_states.length) mark(drawings.get("second"), about.second_processes, counter.abstract_states[0]);
    }
    const source = (side) => side ? code(side.channel || `@${side.tag}`) : "-";
    section("Actions", table(["action", "in the concrete model", "in the abstract model"], result.visible.map((action) => [code(action.name), source(action.concrete), source(action.abstract)])),
        result.hidden.length ? make("p", {}, "hidden: ", code(result.hidden.map((entry) => entry.channel).join(", "))) : null);
    const fair = ["concrete", "abstract"].flatMap((side) => result.fairness[side].map((entry) => [side, `${entry.kind}ly fair`, code(entry.name), entry.verdict ? verdict(entry.verdict) : ""]));
    if (fair.length) section("Fairness", table(["model", "", "what", ""], fair));
    section("Figures", table(["model", "states", "transitions"], [[about.first, result.concrete.states, result.concrete.transitions], [about.second, result.abstract.states, result.abstract.transitions],
        ["both side by side", result.product.nodes, result.product.transitions]]));
    if (!counter) section("Drawings", viewer(["first", "second"]));
}
function roundRow(round, number) {
    const side = (part) => part ? [part.verdict ? verdict(part.verdict) : "", ` ${part.states ?? ""} states`, part.carries_over ? ", carries over" : "",
        make("div", { class: "soft" }, part.reason || "")] : "-";
    return [number + 1, code(round.remove.join(", ") || "nothing"), side(round.may), side(round.must), round.run ? `${round.run}${round.step === null ? "" : `, at step ${round.step + 1}`}` : "", round.put_back ? code(round.put_back) : ""];
}
// The run that a round looked for in the original: there alone if it has it, else beside what breaks it.
function roundRun(round, name) {
    const chosen = drawings.get(name), kind = round.trace.kind, original = copyOf(drawings.get("first"));
    if (round.run === "real") return run(`the ${kind}, in the original`, round.original_trace, original, about.first_processes);
    return [spurious(round.step, round.round), brokenRun(kind, round.trace, round.step, round.round,
        { name: "the may-abstraction", model: name, drawing: chosen || null }, { name: `the original, ${about.first}`, model: "first", drawing: original }),
        make("div", { class: "scroll" }, chart(round.trace, round.step ?? undefined))];
}
function roundDetails(round, query, number) {
    const what = round.run === "real" ? "a run of the original" : round.step === null ? "a run that proves nothing in the original" : `a run that breaks at step ${round.step + 1}`;
    const fill = () => { if (box.open && box.children.length === 1) box.append(...[roundRun(round, `round-${query}-${number}`)].flat()); };
    const box = make("details", { class: "round", toggle: fill },
        make("summary", {}, `Round ${number + 1}: ${what}`));
    window.addEventListener("beforeprint", () => { box.open = true; fill(); });
    return box;
}
function decide() {
    header(`${about.first}: decide`);
    for (const [number, query] of result.queries.entries())
        section(query.formula, make("p", {}, verdict(query.verdict), ` ${query.reason || ""}`,
            query.decided_by ? ["; decided by ", { run: "a run of the may-abstraction", both: "the may- and the must-abstraction" }[query.decided_by.way] || `the ${query.decided_by.way}-abstraction`, " without ", code(query.decided_by.remove.join(", ") || "nothing")] : ""), boundsLines(query.bounds),
        table(["round", "removed", "may", "must", "its run", "put back"], query.rounds.map(roundRow)), query.rounds.map((round, i) => round.trace ? roundDetails(round, number, i) : null));
    const first = main.querySelector("details.round");
    if (first) first.open = true;
    section("Runtime errors", conditionLines(result.condition));
    section("Drawings", viewer(["first"]), first ? null : make("p", { class: "soft" }, "No round looked for a run in the model. `varabs check --trace --html` shows witnesses and counterexamples."));
}
// Of all processes together.
function estimate({ reduction, processes }) {
    const factor = reduction ** processes;
    return factor > 1e15 ? "> 1e15" : factor < 100 ? `${+factor.toPrecision(3)}` : factor.toFixed(0);
}
function suggest() {
    header(`${about.first}: suggest`);
    const states = (measured) => measured ? `${measured.is_complete ? "" : "at least "}${measured.states_text ?? measured.states}` : "";
    const list = (title, entries, ...more) => { if (entries.length) {
        const isMeasured = entries.some((entry) => entry.measured);
        section(title, table(["remove", "estimate: times fewer values", ...isMeasured ? ["states then"] : [], "why"], entries.map((entry) => [code(entry.remove || entry.variable),
            estimate(entry), ...isMeasured ? [states(entry.measured)] : [], entry.reason || ""])), more);
    } };
    section("Queries", make("ul", {}, result.queries.map((query) => make("li", {}, code(query)))), make("p", {}, "What they name stays: ", code(result.observed.join(", ") || "nothing")));
    list("Exact, all together", result.exact, make("p", {}, "All of them: ", code(`varabs ${about.first} --auto --may`)));
    list("Exact, as exploring shows, one after the other", result.shown);
    list("Not exact, each alone", result.lossy);
    list("Refused", result.refused);
    section("Runtime errors", conditionLines(result.condition));
    if (result.original) section("States", table(["model", "states"], [["as it is", states(result.original)], ...result.together ? [["without what is exact", states(result.together)]] : [],
        ...(result.by_query || []).map((entry) => [`the same for ${entry.queries.length === 1 ? "query" : "queries"} ${entry.queries.map((number) => number + 1).join(", ")} alone`, states(entry.measured)])]));
    section("Drawings", viewer(["first"]));
}

readDrawings();
function gridRow(row) {
    const seconds = row.explore_seconds === null ? "-" : ((row.abstract_seconds || 0) + row.explore_seconds).toFixed(2);
    const answer = (entry) => entry.verdict === null ? "-" : [verdict(entry.value ?? entry.verdict), entry.carries_over === false && entry.verdict !== "unknown" ? make("div", { class: "soft" }, "does not carry over") : ""];
    return [[code(row.name), row.problem ? make("div", { class: "bad" }, row.problem) : ""], row.mode ?? "-", row.exact === null ? "-" : verdict(row.exact ? "exact" : "not exact"),
        row.states_text ?? "-", row.transitions_text ?? "-", seconds, ...row.queries.map(answer)];
}
function grid() {
    header(`${about.first}: ${plural(result.rows.length - 1, "abstraction")}`);
    section("Side by side", table(["abstraction", "kind", "exact", "states", "transitions", "seconds", ...result.queries.map((_, i) => `q${i + 1}`)], result.rows.map(gridRow)));
    const states = ["broken", "open"].find((state) => result.rows.some((row) => row.no_runtime_errors === state));
    if (states) main.append(conditionLines({ no_runtime_errors: states })[0]);
    if (result.queries.length) section("Queries", table(["", "query"], result.queries.map((query, i) => [`q${i + 1}`, code(query)])));
    section("Drawing", viewer(["first"]));
}

({ abstraction, check, certify, decide, grid, refines, suggest })[about.kind]();
main.append(make("details", {}, make("summary", {}, "The result as JSON"), make("pre", {}, JSON.stringify(result, null, 1))));
