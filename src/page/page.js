// PAGE - shows a result of varabs, given as JSON, on the drawings of its models: showPage. Everything that is said
// comes from these two. In a page that --html writes they stand as #result and #models; varabs.html takes them from
// such pages. Only ASCII, as it becomes text in C.
"use strict";

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
const NS = "http://www.w3.org/2000/svg";
function draw(tag, attributes, text) {
    const element = document.createElementNS(NS, tag);
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
    if (text !== undefined) element.textContent = text;
    return element;
}
const code = (text) => make("code", {}, text);
// What stands in backquotes becomes code.
const prose = (text) => text.split("`").map((part, i) => i % 2 ? code(part) : part);
const button = (text, label, act) => make("button", { type: "button", title: label, "aria-label": label, click: act }, text);

function table(heads, rows) {
    return make("div", { class: "scroll" }, make("table", heads.length > 2 ? { class: "stacked" } : {},
        make("thead", {}, make("tr", {}, heads.map((head) => make("th", { scope: "col" }, head)))),
        make("tbody", {}, rows.map((row) => make("tr", {}, row.map((content, i) => make("td", { "data-head": heads[i] || null }, content ?? "")))))));
}
// "12,345 states": figures, be they numbers or texts.
const grouped = (figure) => `${figure}`.replace(/\d{4,}/g, (digits) => digits.replace(/\B(?=(\d{3})+$)/g, ","));
const many = (what) => /y$/.test(what) ? `${what.slice(0, -1)}ies` : /s$/.test(what) ? `${what}es` : `${what}s`;
const plural = (figure, what) => `${grouped(figure)} ${`${figure}` === "1" ? what : many(what)}`;
const chip = (look, text) => make("span", { class: `badge ${look}` }, text);
function verdict(text) {
    return chip({ satisfied: "good", violated: "bad", fails: "bad", holds: "good", exact: "good" }[text] || "open", text);
}
function values(list, count) {
    const text = list.join(", ");
    return list.length < count ? `${text}, ... (${count})` : text;
}
const baseName = (path) => path?.replace(/^.*[/]/, "");

// ---- a template on a card: zoom, pan, choice ----

const PARTS = "[data-edge], [data-old-edge], [data-node]";
const parts = (card) => card.svg.querySelectorAll(PARTS);
const templateOf = (part) => part.closest("[data-template]").dataset.template;
const titleOf = (part) => part.querySelector("title").textContent;
const isChange = (part) => /^(new|removed|changed): /m.test(titleOf(part));

function view(card, box) {
    card.box = box;
    card.svg.setAttribute("viewBox", `${box.x} ${box.y} ${box.width} ${box.height}`);
}
function zoom(card, factor, at) {
    const { x, y, width, height } = card.box;
    const least = card.whole.width / 200, most = card.whole.width * 4;
    const size = Math.min(most, Math.max(least, width * factor)) / width;
    const centre = at || { x: x + width / 2, y: y + height / 2 };
    view(card, { x: centre.x - (centre.x - x) * size, y: centre.y - (centre.y - y) * size, width: width * size, height: height * size });
}
function shift(card, x, y) {
    const box = card.box;
    view(card, { ...box, x: box.x + x * box.width, y: box.y + y * box.height });
}
// Begins with the whole; where letters would be smaller than can be read with ease, with a part of it.
const LETTER = 11, OLD_LETTER = 10, SMALLEST = 11, LARGEST_SCALE = 1.15; // points of letters: of labels, of what was there before
const MOST_HEIGHT = 640;
function begin(card) {
    const { svg, whole } = card, place = (card.frame.closest(".cards")?.getBoundingClientRect().width || 0) - 2; // its border
    if (card.hasBegun || place <= 0) return;
    card.hasBegun = true;
    const readable = SMALLEST / (card.isComparison ? OLD_LETTER : LETTER);
    const scale = Math.max(readable, Math.min(LARGEST_SCALE, place / whole.width));
    const width = Math.min(place, whole.width * scale), height = Math.min(MOST_HEIGHT, whole.height * scale);
    svg.style.width = `${width}px`;
    svg.style.height = `${height}px`;
    view(card, { x: 0, y: 0, width: width / scale, height: height / scale });
    card.start = card.box;
    if (width < whole.width * scale - 1 || height < whole.height * scale - 1) card.frame.classList.add("is-cut");
    follow(card);
}
function boxOf(card, element) {
    const toSvg = card.svg.getScreenCTM().inverse().multiply(element.getScreenCTM());
    const box = element.getBBox(), corner = new DOMPoint(box.x, box.y).matrixTransform(toSvg);
    return { x: corner.x, y: corner.y, width: box.width, height: box.height };
}
function moveTo(card, element) {
    const box = boxOf(card, element), { x, y, width, height } = card.box;
    if (box.x >= x && box.y >= y && box.x + box.width <= x + width && box.y + box.height <= y + height) return;
    view(card, { x: box.x + box.width / 2 - width / 2, y: box.y + box.height / 2 - height / 2, width, height });
}
// Moves the drawing, if it does not show all, to the step that is marked.
function follow(card) {
    const taken = card.svg.querySelector(".taken");
    if (taken && card.svg.getScreenCTM()) moveTo(card, taken);
}
function pointOf(card, event) {
    return new DOMPoint(event.clientX, event.clientY).matrixTransform(card.svg.getScreenCTM().inverse());
}
function drag(card) {
    const svg = card.svg;
    let from = null;
    svg.addEventListener("pointerdown", (event) => { from = event.button ? null : pointOf(card, event); });
    svg.addEventListener("pointermove", (event) => {
        if (!from || !event.buttons) return;
        const at = pointOf(card, event), box = card.box;
        view(card, { ...box, x: box.x + from.x - at.x, y: box.y + from.y - at.y });
    });
    svg.addEventListener("pointerup", () => { from = null; });
    svg.addEventListener("wheel", (event) => {
        if (!event.ctrlKey && !event.shiftKey) return; // the page scrolls
        event.preventDefault();
        zoom(card, event.deltaY > 0 ? 1.2 : 1 / 1.2, pointOf(card, event));
    }, { passive: false });
}

// ---- the whole screen ----

const fullNow = () => document.querySelector(".is-full");
function fill(element) {
    const before = fullNow();
    before?.classList.remove("is-full");
    document.documentElement.classList.toggle("has-full", before !== element);
    if (before === element) return;
    element.classList.add("is-full");
    (element.matches("[tabindex]") ? element : element.querySelector("svg, [tabindex]"))?.focus({ preventScroll: true });
}
// Another card beside the one that fills the screen.
function fillNext(by) {
    const full = fullNow(), cards = [...full.closest(".cards").querySelectorAll(".card")];
    const next = cards[(cards.indexOf(full) + by + cards.length) % cards.length];
    const around = next.closest("details");
    if (around) around.open = true;
    if (next !== full) fill(next);
}
document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || event.target.closest?.("input, select, textarea")) return;
    const full = fullNow();
    if (event.key === "Escape" && full) fill(full);
    else if (event.key === "f" || event.key === "F") {
        const target = full || event.target.closest?.(".run, .card") || [...document.querySelectorAll(".run, .card")].find((one) => one.checkVisibility());
        if (!target) return;
        fill(target);
    } else if (full?.matches(".card") && (event.key === "ArrowRight" || event.key === "ArrowLeft")) fillNext(event.key === "ArrowRight" ? 1 : -1);
    else return;
    event.preventDefault();
});

// ---- a page ----

// Shows a result in an element: about says what kind it is and what its models are called, models is the element that
// has the drawings, which are taken out of it.
function showPage({ about, result, models, main }) {
    for (const model of ["first", "second"]) about[model] = baseName(about[model]);
    const drawings = new Map(); // by name: {name, title, frame, cards}
    const charts = new Map([...models.querySelectorAll(".chart")].map((chart) => [chart.dataset.drawing, chart]));
    const overlay = make("aside", { class: "details overlay", "aria-live": "polite", tabindex: "-1", hidden: "" });
    let chosenPart = null;

    function section(title, ...children) {
        const name = title.toLowerCase().replace(/[^a-z]+/g, "-"), id = document.getElementById(name) ? null : name;
        const made = make("section", { id, "aria-label": title }, make("h2", {}, title), ...children);
        main.append(made);
        return made;
    }

    // ---- drawings ----

    function closeOverlay() {
        overlay.hidden = true;
        main.querySelectorAll("svg .chosen").forEach((other) => other.classList.remove("chosen"));
    }
    overlay.addEventListener("keydown", (event) => {
        if (event.key !== "Escape") return;
        event.preventDefault();
        event.stopPropagation();
        closeOverlay();
        chosenPart?.focus();
    });
    function choose(part, name) {
        closeOverlay();
        chosenPart = part;
        part.classList.add("chosen");
        overlay.hidden = false;
        overlay.replaceChildren(button("\u00d7", "close", () => { closeOverlay(); part.focus(); }), ...describe(part, name !== "second"));
    }
    // Out of all its edges and locations, to what stands behind it.
    function leave(card) {
        const rest = card.frame.closest(".run") || card.frame.closest("section, .pair")?.querySelector(".hint");
        rest?.setAttribute("tabindex", rest.getAttribute("tabindex") || "-1");
        rest?.focus();
    }
    function keys(card) {
        const acts = {
            "+": () => zoom(card, 1 / 1.3), "=": () => zoom(card, 1 / 1.3), "-": () => zoom(card, 1.3),
            "0": () => view(card, card.whole), ArrowLeft: () => shift(card, -0.1, 0),
            ArrowRight: () => shift(card, 0.1, 0), ArrowUp: () => shift(card, 0, -0.1),
            ArrowDown: () => shift(card, 0, 0.1), Escape: () => overlay.hidden ? leave(card) : closeOverlay(),
        };
        card.svg.addEventListener("keydown", (event) => {
            const part = event.target.closest(PARTS);
            const act = (event.key === "Enter" || event.key === " ") && part ? () => card.choose(part) : acts[event.key];
            if (!act || event.ctrlKey || event.altKey || event.metaKey || fullNow()?.matches(".run")) return;
            if (fullNow() && /^Arrow(Left|Right)$|^Escape$/.test(event.key)) return; // for the whole screen
            event.preventDefault();
            act();
        });
    }
    function makeCard(drawing, panel, isComparison) {
        const ground = panel.querySelector("rect"), template = panel.dataset.template;
        const whole = { x: 0, y: 0, width: +ground.getAttribute("width"), height: +ground.getAttribute("height") };
        const svg = draw("svg", { tabindex: "0", role: "group", "font-family": "Arial, Liberation Sans, Helvetica, DejaVu Sans, sans-serif", "font-size": "12",
            "aria-label": `drawing of ${template}; plus, minus, arrows and 0 move it, F fills the screen, Escape leaves it` });
        svg.setAttributeNS("http://www.w3.org/XML/1998/namespace", "xml:space", "preserve");
        svg.append(panel);
        const tools = make("div", { class: "tools" }, button("+", `larger: ${template}`, () => zoom(card, 1 / 1.3)), button("\u2212", `smaller: ${template}`, () => zoom(card, 1.3)),
            button("whole", `show all of ${template}`, () => view(card, card.whole)), button("F", `${template} on the whole screen, and back`, () => fill(card.frame)));
        const frame = make("figure", { class: "drawing card", "data-card": template }, svg, tools);
        const card = { drawing, template, svg, frame, whole, box: whole, isComparison, choose: (part) => choose(part, drawing.name) };
        svg.addEventListener("click", (event) => {
            const part = event.target.closest(PARTS);
            if (part) card.choose(part);
        });
        for (const part of parts(card)) {
            part.setAttribute("tabindex", "0");
            part.setAttribute("role", "button");
        }
        card.isChanged = [...parts(card)].some(isChange) || panel.querySelector("text")?.textContent.match(/ \((new|removed|only)/) !== null;
        drag(card);
        keys(card);
        view(card, whole);
        new ResizeObserver(() => begin(card)).observe(frame);
        window.addEventListener("beforeprint", () => view(card, whole));
        return card;
    }
    function readDrawing(name, title, source) {
        const drawing = { name, title: baseName(title), frame: make("div", { class: "cards", "data-drawing": name }), cards: [], source: source.cloneNode(true) };
        for (const panel of source.querySelectorAll("[data-template]")) {
            const card = makeCard(drawing, panel, name === "changes");
            drawing.cards.push(card);
        }
        const isUsual = (card) => name !== "changes" || card.isChanged;
        const same = drawing.cards.filter((card) => !isUsual(card));
        drawing.frame.append(...drawing.cards.filter(isUsual).map((card) => card.frame));
        if (same.length) drawing.frame.append(make("details", same.length === drawing.cards.length ? { open: "" } : {}, make("summary", {}, `${plural(same.length, "template")} did not change: ${same.map((card) => card.template).join(", ")}`), same.map((card) => card.frame)));
        drawings.set(name, drawing);
        return drawing;
    }
    function readDrawings() {
        for (const frame of models.querySelectorAll(".drawing")) readDrawing(frame.dataset.drawing, frame.dataset.title, frame.querySelector("svg"));
    }
    // Another one of the same, for another place of the page.
    const copyOf = (drawing) => readDrawing(`${drawing.name}-${drawings.size}`, drawing.title, drawing.source);
    const allParts = (drawing) => drawing.cards.flatMap((card) => [...parts(card)]);

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
        const frame = make("div", {});
        const hint = make("p", { class: "soft hint" }, "Choose an edge or a location, by a click or with Tab and Enter, to see what is known of it. Plus, minus, arrows and 0 move a drawing, as do dragging, and the wheel with Shift. F fills the screen; then left and right arrow show the other templates.");
        const titles = { changes: "what changed", first: "before", second: "after" };
        const tabs = names.map((name) => make("button", { type: "button", click: () => show(name) }, names.length > 1 && names[0] === "changes" ? titles[name] : drawings.get(name).title));
        function show(name) {
            frame.replaceChildren(drawings.get(name).frame);
            tabs.forEach((tab, i) => tab.setAttribute("aria-pressed", names[i] === name));
            closeOverlay();
        }
        show(names[0]);
        const legend = names.includes("changes") ? make("span", { class: "legend" }, make("span", { class: "is-new" }, "new"), make("span", { class: "is-removed" }, "removed"), make("span", { class: "is-changed" }, "changed")) : null;
        return [make("div", { class: "bar" }, names.length > 1 ? tabs : null, legend), frame, hint];
    }

    // ---- runs ----

    function unmark(drawing) {
        for (const { svg } of drawing?.cards || []) {
            for (const name of ["now", "taken", "sends", "barred"]) svg.querySelectorAll(`.${name}`).forEach((part) => part.classList.remove(name));
            svg.querySelectorAll(".token").forEach((token) => token.remove());
        }
    }
    // Who is at a location: a template's only process needs no name, few have their parameters, many are counted.
    function token(location, processes) {
        const circle = location.querySelector("circle"), x = +circle.getAttribute("cx"), y = +circle.getAttribute("cy");
        const names = processes.map((process) => /[(](.*)[)]$/.exec(process)?.[1] ?? "");
        if (processes.length === 1 && !names[0]) return;
        const text = processes.length > 3 || names.join(" ").length > 12 ? `${processes.length} \u00d7` : names.join(" ");
        const width = Math.max(20, 7 * text.length + 8), group = draw("g", { class: "token" });
        group.append(draw("rect", { x: x - width / 2, y: y - 10, width, height: 20, rx: 10 }), draw("text", { x, y: y + 4, "text-anchor": "middle", "font-size": 11 }, text));
        location.append(group);
    }
    function mark(drawing, processes, state, step) {
        if (!drawing) return;
        unmark(drawing);
        for (const card of drawing.cards) {
            const own = Object.entries(state.locations).filter(([process]) => processes[process] === card.template);
            for (const part of parts(card)) {
                const here = own.filter(([, location]) => part.dataset.node === location).map(([process]) => process);
                if (here.length) part.classList.add("now"), token(part, here);
            }
            (step || []).forEach((participant, i) => {
                if (processes[participant.process] !== card.template) return;
                for (const part of parts(card)) {
                    if (!participant.edges.includes(+part.dataset.edge - 1)) continue;
                    part.classList.add("taken");
                    if (i === 0 && step.length > 1) part.classList.add("sends");
                }
            });
            follow(card);
        }
    }
    // Of several participants the first one sends.
    function stepText(participant, i, step) {
        const selects = Object.entries(participant.selects).map(([name, value]) => `, ${name} = ${value}`).join("");
        const role = step.length < 2 ? "" : i ? "receives" : step.length > 2 ? `sends to ${step.length - 1}` : "sends";
        return [make("span", { class: "code" }, `${participant.process}: ${participant.source} \u2192 ${participant.target}${participant.channel ? `, ${participant.channel}` : ""}${selects}`), role ? [" ", chip("role", role)] : ""];
    }
    // What changed comes first.
    function stateTable(state, before) {
        const all = [...Object.entries(state.locations).map(([name, value]) => [name, value, before?.locations[name]]),
            ...Object.entries(state.values).map(([name, value]) => [name, value, before?.values[name]])];
        const isChanged = ([, value, old]) => old !== undefined && old !== value;
        return table(["process or variable", "value"], [...all.filter(isChanged), ...all.filter((entry) => !isChanged(entry))].map((entry) => [code(entry[0]),
            make("span", { class: isChanged(entry) ? "code changed" : "code" }, isChanged(entry) ? `${entry[2]} \u2192 ${entry[1]}` : `${entry[1]}`)]));
    }
    // A message sequence chart: the one of the query if there is one. A line for each process that takes part, downwards a
    // row for each step.
    function chart(trace, broken, name) {
        const made = charts.get(name)?.querySelector("svg");
        if (made && trace.steps.length) return readChart(made, broken);
        const taking = new Set(trace.steps.flat().map((participant) => participant.process)), names = Object.keys(trace.states[0].locations).filter((process) => taking.has(process));
        if (!names.length) return { element: "", show: () => {} };
        const gap = Math.max(120, 9 * Math.max(...names.map((process) => process.length), 8)), row = 44;
        const x = (process) => 60 + gap * names.indexOf(process), height = 60 + row * trace.steps.length;
        const alone = (sender) => sender.channel || `${sender.source} \u2192 ${sender.target}${Object.entries(sender.selects).map(([select, value]) => `, ${select} = ${value}`).join("")}`;
        const width = Math.max(gap * names.length + 60, ...trace.steps.filter((step) => step.length === 1).map(([sender]) => x(sender.process) + 20 + 8 * alone(sender).length));
        const svg = draw("svg", { width, height, viewBox: `0 0 ${width} ${height}`, "font-size": 12, "font-family": "sans-serif", fill: "#222222" });
        for (const process of names)
            svg.append(draw("line", { x1: x(process), y1: 32, x2: x(process), y2: height - 8, stroke: "#999999" }),
                draw("text", { x: x(process), y: 22, "text-anchor": "middle", "font-weight": "bold" }, process));
        trace.steps.forEach((step, i) => {
            const y = 60 + row * i, colour = "#0b57d0", sender = step[0];
            svg.append(draw("text", { x: 4, y: y + 4, fill: "#6a6a6a" }, `${i + 1}`));
            if (step.length !== 2) svg.append(draw("circle", { cx: x(sender.process), cy: y, r: 5, fill: colour }));
            if (step.length === 1) svg.append(draw("text", { x: x(sender.process) + 9, y: y + 4 }, alone(sender)));
            const from = x(sender.process), ends = step.slice(1).map((receiver) => x(receiver.process));
            for (const to of ends)
                svg.append(draw("line", { x1: from, y1: y, x2: to, y2: y, stroke: colour, "stroke-width": 1.5 }),
                    draw("path", { d: `M${to} ${y}l${to > from ? -8 : 8} -4v8z`, fill: colour }));
            ends.sort((one, other) => Math.abs(one - from) - Math.abs(other - from));
            if (ends.length) svg.append(draw("text", { x: (from + ends[0]) / 2, y: y - 5, "text-anchor": "middle" }, (sender.channel || "").replace(/!$/, "")));
        });
        return readChart(svg, broken);
    }
    // The number of the step that is next is marked, and of the one that cannot be taken.
    function readChart(svg, broken) {
        const numbers = [...svg.querySelectorAll('[fill="#6a6a6a"]')].map((one) => one.matches("text") ? one : one.querySelector("text")).filter((one) => /^\d+$/.test(one?.textContent.trim()));
        svg.classList.add("chart");
        svg.setAttribute("role", "img");
        svg.setAttribute("aria-label", "message sequence chart");
        if (broken !== undefined) numbers[broken]?.classList.add("is-broken");
        return { element: svg, show: (at) => numbers.forEach((number, i) => number.classList.toggle("is-next", i === at)) };
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
        const box = make("div", { class: "run", tabindex: "0", role: "group", "aria-label": `${title}; left and right arrow go through it, F fills the screen`, keydown: (event) => {
            if ((event.target.closest("svg") && fullNow() !== box) || event.target === slider || event.ctrlKey || event.altKey || event.metaKey) return;
            const acts = { ArrowLeft: -1, ArrowRight: 1, Home: -last - 1, End: last + 1 };
            if (!(event.key in acts)) return;
            event.preventDefault();
            go(at + acts[event.key]);
        } }, make("h3", {}, title),
        make("div", { class: "bar" }, button("\u25c0", "one step back", () => go(at - 1)), button("\u25b6", "one step on", () => go(at + 1)), slider, label, button("F", "the run on the whole screen, and back", () => fill(box)), more));
        return { box, go, again: () => go(at) };
    }
    // Fetches drawings that are elsewhere; hidden while they are here.
    function taker(text, take) {
        return make("button", { type: "button", class: "taker", click: (event) => {
            take();
            event.target.closest(".run").focus();
        } }, text);
    }
    const stepLines = (step) => step.map((participant, i) => make("div", {}, stepText(participant, i, step)));
    const ENDS = { deadlock: "no step is possible here", idle: "time may pass here for ever" };
    function run(title, trace, drawing, processes, broken, chartName) {
        const what = make("div", { class: "details" }), frame = make("div", drawing ? { class: "frame" } : {}), sequence = chart(trace, broken, chartName);
        const steps = stepper(title, trace.states.length - 1, (at) => {
            const next = trace.steps[at], goesBack = typeof trace.loop === "number";
            what.replaceChildren(make("p", {}, next ? (at === broken ? make("span", { class: "bad" }, `${trace.blocked || "the original cannot take this step"}: `) : "next: ") : goesBack ? `then again from state ${trace.loop}` : ENDS[trace.end] || "the run ends here",
                next && trace.actions ? code(trace.actions[at] ?? "a hidden step") : null, next ? stepLines(next) : null), stateTable(trace.states[at], trace.states[at - 1]));
            if (drawing && frame.contains(drawing.frame)) mark(drawing, processes, trace.states[at], next);
            sequence.show(at);
            return goesBack && at === trace.loop ? ", where the loop begins" : "";
        }, drawing ? taker("show it on the drawing", take) : null);
        function take() {
            frame.replaceChildren(drawing.frame);
            steps.again();
        }
        steps.box.append(make("div", { class: "split" }, make("div", {}, frame, make("div", { class: "scroll" }, sequence.element)), what));
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
            side.what.replaceChildren(make("p", {}, words ? make("span", { class: "bad" }, words) : step?.length ? "next: " : "", step ? stepLines(step) : null),
                ...state ? [stateTable(state, side.states[at - 1])] : []);
            if (!side.drawing || !side.frame.contains(side.drawing.frame)) return;
            if (state) mark(side.drawing, side.processes, state, step);
            else unmark(side.drawing);
            for (const { process, edge } of words && state && side.guards || [])
                for (const part of allParts(side.drawing))
                    if (templateOf(part) === side.processes[process] && +part.dataset.edge - 1 === edge) part.classList.add("barred");
        }), sides.some((side) => side.drawing === undefined) ? taker("show it on the drawings", take) : null);
        function take() {
            for (const side of columns.filter((column) => column.drawing)) {
                side.frame.replaceChildren(side.drawing.frame);
                side.drawing.isTaken = true;
            }
            steps.again();
        }
        steps.box.append(make("div", { class: "pair" }, columns.map((side) => make("div", {}, make("h4", {}, side.name), side.frame, side.what))));
        take();
        steps.go(start);
        return steps.box;
    }
    // Guards of the original that are false where a run breaks off, with the values that they read.
    const falseGuards = (list) => (list || []).map(({ process, source, target, guard, values: read }) => `${process}, ${source} \u2192 ${target}: ${guard} is false${Object.keys(read).length ? `, as ${Object.entries(read).map(([name, value]) => `${name} is ${value}`).join(", ")}` : ""}`).join("; ");
    // The run of an abstraction, beside what the original, which has no step `broken`, can do of it.
    function brokenRun(title, trace, broken, rounds, abstract, original) {
        const last = trace.states.length - 1, ends = broken ?? last;
        const when = rounds ? ` after ${plural(rounds, "more round")} of the loop` : "", guards = falseGuards(original.guards);
        return duel(title, [
            { ...abstract, states: trace.states, steps: trace.steps, says: (at) => at === broken ? `the step that the original cannot take${when}: ` : "" },
            { ...original, states: trace.states.slice(0, ends + 1).map((state) => ({ locations: state.locations, values: {} })), steps: [],
              says: (at) => at < ends ? "" : broken === null ? "the original has this run, but it proves nothing there" :
                  at === broken ? `no step here that looks like that${when}${guards ? `. ${guards}` : ""}` : "the original does not come here" }], broken ?? 0);
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

    // ---- the first and the last lines ----

    const found = make("span", { class: "soft", "aria-live": "polite" });
    let foundAt = -1;
    function look(word, isNext) {
        const wanted = word.trim().toLowerCase();
        const matches = [];
        for (const drawing of drawings.values())
            for (const card of drawing.cards)
                for (const part of parts(card)) {
                    const isFound = wanted !== "" && titleOf(part).toLowerCase().includes(wanted);
                    part.classList.toggle("found", isFound);
                    if (isFound && drawing.frame.isConnected && drawing.frame.offsetParent) matches.push([card, part]);
                }
        let rows = 0;
        for (const row of main.querySelectorAll("tbody tr")) {
            const isFound = wanted === "" || row.textContent.toLowerCase().includes(wanted);
            row.classList.toggle("is-hidden", !isFound && !row.closest(".run"));
            rows += isFound && wanted !== "";
        }
        found.textContent = wanted === "" ? "" : `${matches.length} in the drawing, ${plural(rows, "row")}`;
        foundAt = isNext && matches.length ? (foundAt + 1) % matches.length : -1;
        if (foundAt < 0) return;
        const [card, part] = matches[foundAt], around = card.frame.closest("details");
        if (around) around.open = true;
        card.frame.scrollIntoView({ block: "nearest" });
        moveTo(card, part);
        card.choose(part);
    }
    // One line in large type, of which the last words are the figures; chips, and the search.
    function header(title, figures, ...chips) {
        const search = make("input", { type: "search", placeholder: "search", "aria-label": "search in drawings and tables", input: () => look(search.value, false),
            keydown: (event) => { if (event.key === "Enter") look(search.value, true); } });
        main.append(make("header", {}, make("h1", {}, title, figures ? [": ", make("span", { class: "figures" }, figures)] : ""),
            make("div", { class: "bar" }, chips, make("label", { class: "search" }, search, " ", found))));
    }
    function footer() {
        const input = result.input || result.concrete?.input;
        main.append(overlay, make("footer", { class: "soft" },
            about.command ? make("p", {}, code(about.command)) : null,
            make("p", {}, `varabs ${result.tool.version}`, input ? [`, ${baseName(input.file)}, ${grouped(input.bytes)} bytes, sha256 `, code(input.sha256)] : "")),
        make("details", {}, make("summary", {}, "The result as JSON"), make("pre", {}, JSON.stringify(result, null, 1))));
    }
    // "all 5 queries carry over", of chips or counts.
    const some = (count, all, what) => count === all ? all === 1 ? `the ${what}` : `all ${plural(all, what)}` : count ? `${count} of ${plural(all, what)}` : all === 1 ? `not the ${what}` : `none of ${plural(all, what)}`;
    const arrow = (before, after) => `${grouped(before)} \u2192 ${grouped(after)}`;

    // ---- the kinds of results ----

    // Verdicts that carry over; of sup, inf and bounds what their values are to those of the original.
    function carried(claims, bound) {
        const names = ["satisfied", "violated"].filter((name) => claims?.[name]);
        if (names.length && bound) return chip(bound === "exact" ? "good" : "open", bound === "exact" ? "the values carry over" : bound);
        if (names.length === 2) return chip("good", "both carry over");
        return names.length ? chip(names[0] === "satisfied" ? "good" : "bad", `${names[0]} carries over`) : "-";
    }
    const isFull = (claims) => claims?.satisfied && claims?.violated;
    const slots = (entry) => entry.slots === 1 ? entry.first_slot : `${entry.first_slot} to ${entry.last_slot}`;
    // Whether the original has runtime errors.
    function conditionLines({ no_runtime_errors: state, may_fail: mayFail, first_error: error }) {
        const words = { "cannot fail": "Nothing in the original can fail.", met: "The original has no runtime errors: all its states were explored.",
            broken: "But the original has runtime errors, at which Uppaal stops.", open: "If the original has no runtime errors, at which Uppaal would stop." };
        const entry = ({ line, column, message }, ...more) => make("li", {}, `line ${line}, column ${column}: ${message}`, more);
        const entries = state === "open" ? (mayFail || []).map((possible) => entry(possible)) : error ? [entry(error, error.trace ? `, after ${plural(error.trace.steps.length - 1, "step")}` : "")] : [];
        return [make("p", { class: state === "broken" ? "bad" : "soft" }, words[state]), entries.length ? make("ul", {}, entries) : ""];
    }
    // States of the model for one query, where there is one for it alone, before and after.
    function statesOf(number) {
        const own = (result.by_query?.models || []).find((model) => model.queries.includes(number));
        const after = own ? `${own.measured.is_complete ? "" : "more than "}${own.measured.states}` : about.second_states;
        return about.first_states && after ? make("span", { class: "nowrap" }, arrow(about.first_states, after)) : "";
    }
    function carriedTable() {
        const all = result.guarantees, isSame = all.every((entry) => JSON.stringify(entry.kripke) === JSON.stringify(entry.uppaal));
        const hasReason = all.some((entry) => (entry.reason || "") !== (all[0].reason || "")) || !result.exact, hasStates = all.some((_, i) => statesOf(i) !== "");
        const isMixed = all.some((entry) => entry.check), others = isMixed ? ", of other tools" : "";
        const why = (entry) => isMixed ? entry.check?.reason || entry.reason || "" : entry.reason || "";
        return table(["query", ...isMixed ? ["of varabs check"] : [], ...isSame ? [`verdicts${others}`] : [`under Kripke semantics${others}`, `under Uppaal's${others}`], ...hasStates ? ["states"] : [], ...hasReason ? ["why"] : []], all.map((entry, i) =>
            [code(entry.formula), ...isMixed ? [carried(entry.check)] : [], ...isSame ? [carried(entry.uppaal, entry.bound)] : [carried(entry.kripke, entry.bound), carried(entry.uppaal, entry.bound)], ...hasStates ? [statesOf(i)] : [],
                ...hasReason ? [[why(entry), entry.help ? make("div", { class: "soft" }, ["what helps: ", ...prose(entry.help)]) : ""]] : []]));
    }
    function variablesTable() {
        const gone = result.removed.map((entry) => [code(slots(entry)), code(entry.type), `${grouped(entry.lower)} to ${grouped(entry.upper)}`, entry.scope ? ["removed at ", code(entry.scope.join(", "))] : "removed"]);
        for (const entry of result.merges || []) gone.push([code(`${entry.template ? `${entry.template}.` : ""}${entry.name}`), code(entry.type), "", ["new: ", code(entry.expression), " in place of ", code(entry.replaces.join(", "))]]);
        for (const entry of result.normalised || []) gone.push([code(entry.variable), "", `${grouped(entry.lower)} to ${grouped(entry.upper)}`, [entry.representative === undefined ? "values exchanged for those that stand for them" : `${entry.representative} stands for all values`, entry.location ? [" at ", code(entry.template ? `${entry.template}.${entry.location}` : entry.location)] : "", entry.processes ? [" in ", code(entry.processes.join(", "))] : ""]]);
        return table(["variable", "type", "range", "what became of it"], gone);
    }
    // Processes that the abstract model lacks, and what does not carry over for that.
    function lackingProcesses({ processes, own_steps: steps, may_diverge: diverges, carries_over: carried }) {
        const words = carried?.filter(({ satisfied, violated }) => satisfied || violated)
            .map(({ query, satisfied, violated }) => satisfied && violated ? query : `${query} if ${satisfied ? "satisfied" : "violated"}`);
        section("Processes that are gone", make("p", {}, code(processes.join(", "))), make("ul", {},
            words ? make("li", {}, words.length ? `What carries over: ${words.join("; ")}.` : "Nothing carries over.") : null,
            steps === false ? null : make("li", {}, "Nothing carries over about deadlocks and next steps: these processes may make steps alone."),
            words || diverges === false ? null : make("li", {}, "Nothing carries over about how runs end: these processes may step for ever.")));
    }
    function abstraction() {
        const kind = { may: "may-abstraction", must: "must-abstraction", mixed: "mixed abstraction", lower: "lower abstraction" }[result.mode] || result.mode;
        const count = new Set(result.removed.map((entry) => entry.variable)).size, queries = result.guarantees.length;
        const full = result.guarantees.filter((entry) => isFull(entry.check || entry.uppaal)).length;
        const what = count ? ` without ${count === 1 ? result.removed[0].variable : plural(count, "variable")}` : result.merges?.length ? ` with ${plural(result.merges.length, "variable")} merged` : "";
        header(`${about.first}${what}`, about.first_states && about.second_states ? `${arrow(about.first_states, about.second_states)} states` : null,
            result.exact && result.without?.own_steps ? chip("open", "exact, but that processes are gone") : result.exact ? verdict("exact") : chip("open", "not exact"), chip("", kind), queries ? chip(full === queries ? "good" : "open", full === queries ? `${some(full, queries, "query")} carr${queries === 1 ? "ies" : "y"} over` : `${full} of ${plural(queries, "query")} carry over in full`) : null);
        section("What changed", viewer(drawings.has("changes") ? ["changes", "first", "second"] : ["first"]));
        section("Verdicts that carry over", queries ? carriedTable() : make("p", {}, "The model has no queries."), conditionLines(result.condition));
        section("Variables", variablesTable(), make("p", { class: "soft" }, `${grouped(result.edges.before)} edges before, ${grouped(result.edges.after)} after.`));
        if (result.without) lackingProcesses(result.without);
        if (result.data) section("Data that are alike", make("ul", {}, result.data.map(({ variables, kinds, for_any: any }) => make("li", {}, code(variables.join(", ")), ": told apart are ",
            kinds.map(({ lower, upper }) => lower === upper ? grouped(lower) : `${grouped(lower)} to ${grouped(upper)}`).join("; "), any ? [". The same for any ", code(`${any.constant} >= ${any.at_least}`)] : ""))));
        if (result.shown) section("Exact, shown by exploration", make("p", {}, `${grouped(result.shown.states_before)} states of the ${result.shown.compared_with === "original" ? "original" : "abstraction after the other exact removals"}, ${grouped(result.shown.states_after)} of this one, and the same steps. By itself, the transformation could not tell:`), make("ul", {}, result.shown.otherwise_because.map((reason) => make("li", {}, reason))));
        if (result.not_shown) section("Not shown to be exact by exploring", make("p", {}, result.not_shown));
        if (result.inexact_because?.length) section("Why it is not exact", make("ul", {}, result.inexact_because.map((reason) => make("li", {}, reason))));
        if (result.lost.length) section("What is lost", table(["what", "line", "variable", "text"], result.lost.map((entry) => [entry.what, entry.line, code(entry.variable || ""), code(entry.formula || "")])));
    }
    const figure = (search, name) => grouped(search[`${name}_text`] ?? search[name]);
    const figures = (search) => ["state", "transition", "deadlock", "error"].map((name) => plural(figure(search, `${name}s`), name)).join(", ");
    // "x: 0 to 3", of sup, inf and bounds.
    function boundsLines(bounds) {
        return (bounds || []).map(({ expression, lower, upper }) => make("div", {}, code(expression), ": ",
            lower === null ? upper === null ? "no state counts" : `at most ${upper}` : upper === null ? `at least ${lower}` : `${lower} to ${upper}`));
    }
    // What agents observe, why one does not know, and how a coalition plays.
    function knowledgeLines({ observations, epistemic, strategy, in_original: played }) {
        const line = (...words) => make("div", {}, ...words), move = (chosen) => chosen ? [code(`${chosen.source} \u2192 ${chosen.target}`), chosen.channel ? [" ", code(chosen.channel)] : "",
            Object.entries(chosen.selects).map(([name, value]) => [", ", code(`${name} = ${value}`)])] : "wait";
        const lines = (observations || []).map(({ agent, items }) => line(make("span", { class: "soft" }, `${agent} observes `), code(items.join(", ") || "nothing")));
        if (epistemic) lines.push(line(`${epistemic.agent} does not know ${epistemic.values ? "the value of " : "that "}`, code(epistemic.expression),
            epistemic.values ? `: it is ${epistemic.values[0]}, but for all that ${epistemic.agent} observes it might be ${epistemic.values[1]}` : ": another state is the same to it"));
        for (const { process, receives, rules } of strategy || []) {
            lines.push(line(make("span", { class: "soft" }, `${process}${receives ? `, receiving ${receives}` : ""}:`)));
            for (const { when, move: chosen } of rules) lines.push(line(when.length ? ["if ", code(when.join(", ")), ": "] : "", move(chosen)));
        }
        if (played) lines.push(line(played.outcome === "wins" ? `played in the original: ${plural(played.states, "state")}` : played.outcome === "fails" ? "it does not do that in the original" : `not played in the original: ${played.limit ? `ended by ${played.limit}` : played.reason}`));
        return lines;
    }
    function verdictChips(queries) {
        const counts = new Map();
        for (const query of queries) counts.set(query.verdict, (counts.get(query.verdict) || 0) + 1);
        return [...counts].map(([name, count]) => { const made = verdict(name); made.textContent = `${count} ${name}`; return made; });
    }
    const queryNotes = (query) => [boundsLines(query.bounds), knowledgeLines(query), query.original ? `in the original: ${query.original.outcome}` : query.problem || query.reason || query.unknown_because || (!query.if_fair ? "" : query.if_fair.verdict ? `${query.if_fair.verdict} if every process is ${query.if_fair.kind}ly fair` : "not known for fair processes")];
    function checkedRun(query, number) {
        const original = query.original, broken = original?.outcome === "spurious" ? original.step : undefined;
        const isPair = broken !== undefined && !drawings.get("second").isTaken, name = `chart-${number}`;
        return make("div", { class: "checked", "data-query": number }, make("p", {}, code(query.formula), " ", verdict(query.verdict)),
            broken !== undefined ? spurious(broken, original.round, original.depends_on) : null,
            isPair ? brokenRun(query.trace.kind, query.trace, broken, original.round, { name: about.first, model: "first" }, { name: `the original, ${about.second}`, model: "second", guards: original.false_guards }) : null,
            isPair ? make("div", { class: "scroll" }, chart(query.trace, broken, name).element) : run(query.trace.kind, query.trace, drawings.get("first"), about.first_processes, broken, name),
            original?.trace ? run("the run of the original", original.trace, drawings.get("second"), about.second_processes) : null);
    }
    function showRun(number) {
        const checked = main.querySelector(`.checked[data-query="${number}"]`), around = checked.closest("details");
        if (around) around.open = true;
        [...checked.querySelectorAll(".taker")].find((taker) => taker.checkVisibility())?.click(); // its drawing may be elsewhere
        checked.scrollIntoView({ block: "start" });
        checked.querySelector(".run").focus({ preventScroll: true });
    }
    function check() {
        header(about.first, plural(figure(result, "states"), "state"), verdictChips(result.queries), result.is_complete ? null : chip("open", result.limit ? `ended by the limit on ${result.limit}` : "not all explored"));
        if (result.mixed) main.append(make("p", {}, "A mixed model: what is satisfied or violated here is so in the original, on the condition of its report."));
        const toRun = (query, i) => query.trace ? [" ", button("run", `the run of query ${i + 1}`, () => showRun(i))] : "";
        const hasNotes = result.queries.some((query) => queryNotes(query).flat().some((note) => note !== "")), semantics = new Set(result.queries.map((query) => query.semantics || ""));
        section("Queries", table(["query", "verdict", ...semantics.size > 1 ? ["semantics"] : [], ...hasNotes ? [""] : []], result.queries.map((query, i) => [code(query.formula), make("span", { class: "nowrap" }, verdict(query.verdict), toRun(query, i)), ...semantics.size > 1 ? [query.semantics || ""] : [], ...hasNotes ? [queryNotes(query)] : []])),
            make("p", { class: "soft" }, `${figures(result)}${result.is_complete ? "; everything is explored" : ""}. Engine: ${result.engine}. ${semantics.size === 1 && [...semantics][0] ? `Semantics: ${[...semantics][0]}.` : ""}`));
        if (result.first_error) section("Runtime error", make("p", { class: "bad" }, `${result.first_error.position}: ${result.first_error.message}`));
        const runs = result.queries.map((query, i) => query.trace ? checkedRun(query, i) : null).filter((made) => made);
        if (!runs.length) section("Drawings", viewer(["first"]), result.mixed ? null : make("p", { class: "soft" }, "With --trace, witnesses and counterexamples are shown here."));
        else section("Runs", runs);
        if (runs.length && drawings.has("second") && !drawings.get("second").isTaken) section("The original", viewer(["second"]));
    }
    // What a comparison that holds is good for.
    const CERTIFIED = {
        may: "The abstract model has all steps of the concrete one, and perhaps more: what is true of all its runs is true of all runs of the concrete model.",
        must: "The abstract model has no steps but those of the concrete one: what one of its runs shows, a run of the concrete model shows, too.",
        exact: "Both models have the same steps, as far as what is compared can tell: verdicts about states and runs are the same in both.",
    };
    function certify() {
        header(`${about.first} and ${about.second}`, result.holds === null ? null : `${arrow(figure(result.concrete, "states"), figure(result.abstract, "states"))} states`,
            verdict(result.holds ? "holds" : result.holds === false ? "fails" : "not decided"), chip("", `--${result.mode}`));
        main.append(make("p", {}, result.holds && result.without ? "The abstract model lacks processes. Apart from their steps, the comparison holds." :
            result.holds ? CERTIFIED[result.mode] || "" : result.holds === false ? "One of the models has a step that the other one cannot follow." : ""));
        if (result.without) lackingProcesses(result.without);
        const counter = result.counterexample, unmatched = counter?.unmatched, passing = result.time?.counterexample;
        if (counter) section("Counterexample", pairs("a step that the other model cannot follow", counter, unmatched, (name) =>
            !unmatched ? "the initial states do not look the same" :
            name !== unmatched.mover ? `${unmatched.error ? `${unmatched.error.message}, ${unmatched.error.position}; ` : ""}${plural(unmatched.choices, "step")} possible here, none to a state that looks like that` :
            unmatched.step.length ? "cannot be followed: " : "the run may end here"));
        if (passing) section("Where time may pass", pairs("a place where time may pass for ever in one model only", passing, null, (name) =>
            name === passing.passes ? "time may pass for ever here" : "it may not here"));
        section("Drawings", viewer(counter || passing ? ["changes"] : ["changes", "first", "second"]));
        section("Figures", table(["model", "states and steps"], [[about.first, figures(result.concrete)], [about.second, figures(result.abstract)]]),
            make("p", {}, "compared: ", code(result.compared.join(", ") || "locations only")),
            [["left out", [...new Set([...result.ignored.concrete, ...result.ignored.abstract])]], ["only in the concrete model", result.only_concrete], ["only in the abstract model", result.only_abstract]]
                .map(([title, names]) => names.length ? make("p", {}, `${title}: `, code(names.join(", "))) : null));
    }
    function refinesWords(counter) {
        const list = (words) => words?.length ? words.join(", ") : "nothing";
        const offers = `The abstract model offers: ${list(counter.offered)}.`;
        if (counter.kind === "unfair") return `The run takes ${counter.constraint.name} no more, which is possible in the abstract model (from state ${counter.enabled_at} on). ${offers}`;
        if (counter.kind === "blocked") return `The abstract model cannot do the last action. ${offers}`;
        return `The concrete model offers only: ${list(counter.left)}. ${offers}`;
    }
    function refines() {
        header(`${about.first} and ${about.second}`, null, chip(result.refines ? "good" : result.refines === false ? "bad" : "open", result.refines ? "refines" : result.refines === false ? "does not refine" : "not decided"));
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
        section("Figures", table(["model", "states", "transitions"], [[about.first, grouped(result.concrete.states), grouped(result.concrete.transitions)], [about.second, grouped(result.abstract.states), grouped(result.abstract.transitions)],
            ["both side by side", grouped(result.product.nodes), grouped(result.product.transitions)]]));
        if (!counter) section("Drawings", viewer(["first", "second"]));
    }
    function roundRow(round, number) {
        const side = (part) => part ? [part.verdict ? verdict(part.verdict) : "", ` ${grouped(part.states ?? "")} states`, part.carries_over ? ", carries over" : "",
            make("div", { class: "soft" }, part.reason || "")] : "-";
        return [number + 1, code((round.merge || round.remove).join(", ") || "nothing"), side(round.mixed || round.may), side(round.must), round.run ? `${round.run}${round.step === null ? "" : `, at step ${round.step + 1}`}` : "", round.put_back ? code(round.put_back) : ""];
    }
    // The run that a round looked for in the original: there alone if it has it, else beside what breaks it.
    function roundRun(round, name) {
        const chosen = drawings.get(name), kind = round.trace.kind, original = copyOf(drawings.get("first"));
        if (round.run === "real") return run(`the ${kind}, in the original`, round.original_trace, original, about.first_processes);
        return [spurious(round.step, round.round), brokenRun(kind, round.trace, round.step, round.round,
            { name: "the may-abstraction", model: name, drawing: chosen || null }, { name: `the original, ${about.first}`, model: "first", drawing: original, guards: round.false_guards }),
            make("div", { class: "scroll" }, chart(round.trace, round.step ?? undefined).element)];
    }
    function roundDetails(round, query, number) {
        const what = round.run === "real" ? "a run of the original" : round.step === null ? "a run that proves nothing in the original" : `a run that breaks at step ${round.step + 1}`;
        const open = () => { if (box.open && box.children.length === 1) box.append(...[roundRun(round, `round-${query}-${number}`)].flat()); };
        const box = make("details", { class: "round", toggle: open },
            make("summary", {}, `Round ${number + 1}: ${what}`));
        window.addEventListener("beforeprint", () => { box.open = true; open(); });
        return box;
    }
    function decidedBy({ decided_by: by, rounds }) {
        if (!by) return "";
        if (by.merge) return ["; decided by ", ways[by.way] || `the ${by.way}-abstraction`, " with merges ", code(by.merge.join(", "))];
        if (!by.remove.length) return rounds.at(-1)?.may?.normalised ? "; decided by the model itself, with values exchanged" : "";
        const ways = { run: "a run of the may-abstraction", both: "the may- and the must-abstraction", mixed: "the mixed abstraction" };
        return ["; decided by ", ways[by.way] || `the ${by.way}-abstraction`, " without ", code(by.remove.join(", "))];
    }
    function decide() {
        header(about.first, `${plural(result.queries.length, "query")}`, verdictChips(result.queries));
        for (const [number, query] of result.queries.entries())
            section(query.formula, make("p", {}, verdict(query.verdict), ` ${query.reason || ""}`,
                decidedBy(query)), boundsLines(query.bounds),
            query.rounds.length ? table(["round", "removed or merged", query.rounds.some((round) => round.mixed) ? "mixed" : "may", "must", "run in the original", "put back"], query.rounds.map(roundRow)) : null, query.rounds.map((round, i) => round.trace ? roundDetails(round, number, i) : null));
        const first = main.querySelector("details.round");
        if (first) first.open = true;
        section("Runtime errors", conditionLines(result.condition));
        section("Drawings", viewer(["first"]), first ? null : make("p", { class: "soft" }, prose("No round looked for a run in the model. `varabs check --trace --html` shows witnesses and counterexamples.")));
    }
    // Of all processes together.
    function estimate({ reduction, processes = 1 }) {
        const factor = reduction ** processes;
        return factor > 1e15 ? "> 1e15" : factor < 100 ? `${+factor.toPrecision(3)}` : grouped(factor.toFixed(0));
    }
    const measured = (entry) => entry ? `${entry.is_complete ? "" : "at least "}${grouped(entry.states_text ?? entry.states)}` : "";
    function suggest() {
        const exact = new Set([...result.exact, ...result.shown].map((entry) => entry.variable)).size, isKnown = result.original && result.together;
        header(about.first, !isKnown ? null : measured(result.original) === measured(result.together) ? `${measured(result.original)} states` : `${measured(result.original)} \u2192 ${measured(result.together)} states`,
            exact ? chip("good", `${plural(exact, "variable")} exactly irrelevant`) : chip("open", "nothing can be removed exactly"), chip("", plural(result.queries.length, "query")));
        const list = (title, entries, ...more) => { if (entries.length) {
            const isMeasured = entries.some((entry) => entry.measured);
            section(title, table(["remove", "estimate: times fewer values", ...isMeasured ? ["states then"] : [], "why"], entries.map((entry) => [code(entry.remove || entry.variable),
                estimate(entry), ...isMeasured ? [measured(entry.measured)] : [], entry.reason || ""])), more);
        } };
        const mergeList = (title, entries) => { if (entries.length) section(title, table(["merge", "estimate: times fewer values", "states then", "what it costs"],
            entries.map((entry) => [entry.merge.map((argument) => make("div", {}, code(argument))), estimate(entry), measured(entry.measured),
                [...entry.reasons, ...entry.lost_queries.map((query) => `cannot be asked any more: ${query}`)].map((text) => make("div", {}, text))]))); };
        list("Exact, all together", result.exact, make("p", {}, "All of them: ", code(`varabs ${about.first} --auto --may`)));
        list("Exact, shown by exploration, one after the other", result.shown);
        list("Not exact, each alone", result.lossy);
        mergeList("Merges that are exact, together with all that is exact", result.merges);
        mergeList("Merges that --auto does not make, each alone", result.lossy_merges);
        list("Refused", result.refused);
        if (result.original) section("States", table(["model", "states"], [["as it is", measured(result.original)], ...result.together ? [["after exact removals", measured(result.together)]] : [],
            ...(result.by_query || []).map((entry) => [`the same for ${entry.queries.length === 1 ? "query" : "queries"} ${entry.queries.map((number) => number + 1).join(", ")} alone`, measured(entry.measured)])]));
        section("Drawings", viewer(["first"]));
        section("Queries", make("ul", {}, result.queries.map((query) => make("li", {}, code(query)))), make("p", {}, "What they name stays: ", code(result.observed.join(", ") || "nothing")));
        section("Runtime errors", conditionLines(result.condition));
    }
    function info() {
        header(about.first, `${plural(result.process_count, "process")}, ${plural(result.variables.length, "variable")}`, chip("", plural(result.queries.length, "query")), result.priorities ? chip("open", "priorities") : null);
        section("Drawings", viewer(["first"]));
        const places = (list) => list.length > 4 ? plural(list.length, "edge") : list.map((place) => place.edge ? `${place.template} edge ${place.edge}` : place.template).join(", ");
        section("Variables", table(["variable", "type", "range", "read by", "written by", "removed alone"], result.variables.map((entry) => [
            [code(entry.name), entry.slots > 1 ? make("span", { class: "soft" }, ` ${plural(entry.slots, "cell")}`) : ""], code(entry.type),
            entry.lower === undefined || entry.lower === null ? "" : `${grouped(entry.lower)} to ${grouped(entry.upper)}`, places(entry.read_by || []), places(entry.written_by || []),
            [entry.removal ? chip(entry.removal === "exact" ? "good" : "open", entry.removal) : "", make("div", { class: "soft" }, entry.because || "")]])));
        section("Templates", table(["template", "processes", "locations", "edges"], result.templates.map((entry) => [code(entry.name), entry.processes.length > 4 ? plural(entry.processes.length, "process") : code(entry.processes.join(", ")), code(entry.locations.join(", ")), entry.edges])));
        const blocks = (list) => (list || []).map((block) => [make("span", {}, block.of ? [code(block.of), ` ${block.elements.join(", ")}`] : block.elements.join(", "))]);
        if (result.symmetry?.blocks?.length) section("What may change places", table(["names or processes"], blocks(result.symmetry.blocks)));
        if (result.may_fail?.length) section("What may fail at runtime", make("ul", {}, result.may_fail.map(({ line, column, message }) => make("li", {}, `line ${line}, column ${column}: ${message}`))));
        if (result.queries.length) section("Queries", make("ul", {}, result.queries.map((query) => make("li", {}, code(query)))));
    }

    function gridRow(row) {
        const seconds = row.explore_seconds === null ? "-" : ((row.abstract_seconds || 0) + row.explore_seconds).toFixed(2);
        const answer = (entry) => entry.verdict === null ? "-" : [verdict(entry.value ?? entry.verdict), entry.carries_over === false && entry.verdict !== "unknown" ? make("div", { class: "soft" }, "does not carry over") : ""];
        return [[code(row.name), row.problem ? make("div", { class: "bad" }, row.problem) : ""], row.mode ?? "-", row.exact === null ? "-" : verdict(row.exact ? "exact" : "not exact"),
            grouped(row.states_text ?? "-"), grouped(row.transitions_text ?? "-"), seconds, ...row.queries.map(answer)];
    }
    function grid() {
        const original = result.rows[0], exact = result.rows.filter((row) => row.exact && row.states !== null);
        const least = exact.reduce((one, row) => !one || row.states < one.states ? row : one, null), isLess = least && original.states > least.states;
        header(about.first, isLess ? `${arrow(original.states_text ?? original.states, least.states_text ?? least.states)} states` : null, chip("", plural(result.rows.length - 1, "abstraction")),
            isLess ? chip("good", `exact: ${least.name}`) : chip("open", exact.length ? "none that is exact has fewer states" : "none is exact"));
        section("Side by side", table(["abstraction", "kind", "exact", "states", "transitions", "seconds", ...result.queries.map((_, i) => `q${i + 1}`)], result.rows.map(gridRow)));
        const states = ["broken", "open"].find((state) => result.rows.some((row) => row.no_runtime_errors === state));
        if (states) main.append(conditionLines({ no_runtime_errors: states })[0]);
        if (result.queries.length) section("Queries", table(["", "query"], result.queries.map((query, i) => [`q${i + 1}`, code(query)])));
        section("Drawing", viewer(["first"]));
    }

    readDrawings();
    ({ abstraction, check, certify, decide, grid, info, refines, suggest })[about.kind]();
    footer();
}

if (document.getElementById("about"))
    showPage({ about: JSON.parse(document.getElementById("about").textContent), result: JSON.parse(document.getElementById("result").textContent),
               models: document.getElementById("models"), main: document.getElementById("main") });
