// The program as WebAssembly beside the native one: the same status, the same bytes on both streams and in every
// file, times apart. All bundled models by several commands, and each eleventh golden case.
// Environment: VARABS the native program, WEB where varabs.wasm is.
"use strict";

const fs = require("fs"), os = require("os"), path = require("path"), { execFileSync, spawnSync } = require("child_process");

const ROOT = path.resolve(__dirname, "../.."), { VARABS, WEB } = process.env;
const { makeRunner } = require(path.join(WEB, "run.js")), makeVarabs = require(path.join(WEB, "varabs.js"));
const MODELS = path.join(ROOT, "benchmarks/models"), GOLDEN = path.join(ROOT, "tests/golden"), EVERY = 11;
const COMMANDS = [["info"], ["suggest"], ["check", "--trace"], ["--auto", "--may"], ["--auto", "--must"], ["decide"],
    ["draw", "-o", "drawing.svg"], ["check", "--json", "out.json", "--msc", "run.svg", "--trace"], ["export", "--to", "promela", "-o", "x.pml"]];
const VARYING = new Set(["seconds", "peak_bytes", "bytes_per_state", "jobs", "timing", "query_seconds", "memory_bytes", "processors"]);
const LIMIT = 5;

let passed = 0, failed = 0;

function plain(data) {
    if (Array.isArray(data)) return data.map(plain);
    if (data === null || typeof data !== "object") return data;
    return Object.fromEntries(Object.entries(data).filter(([name]) => !VARYING.has(name)).map(([name, value]) => [name, plain(value)]));
}
function comparable(name, bytes) {
    return name.endsWith(".json") ? JSON.stringify(plain(JSON.parse(Buffer.from(bytes).toString()))) : Buffer.from(bytes).toString("latin1");
}
/* Without what searches took. */
const plainText = (text) => text.replace(/^(time|memory) .*\n/gm, "");
function readFolder(folder) {
    return Object.fromEntries(fs.readdirSync(folder).filter((name) => fs.statSync(path.join(folder, name)).isFile())
        .map((name) => [name, new Uint8Array(fs.readFileSync(path.join(folder, name)))]));
}
function runNative(words, files) {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), "web-"));
    for (const [name, data] of Object.entries(files)) fs.writeFileSync(path.join(folder, name), data);
    const done = spawnSync(VARABS, words, { cwd: folder, input: "", timeout: 120000, maxBuffer: 1 << 28 });
    const after = readFolder(folder);
    fs.rmSync(folder, { recursive: true });
    const made = Object.fromEntries(Object.entries(after).filter(([name, data]) => !files[name] || !Buffer.from(files[name]).equals(Buffer.from(data))));
    return { status: done.status, stdout: done.stdout.toString(), stderr: done.stderr.toString(), files: made };
}
function firstDifference(native, web) {
    for (const part of ["status", "stdout", "stderr"])
        if (part === "status" ? native.status !== web.status : plainText(native[part]) !== plainText(web[part])) return `${part}: ${JSON.stringify(native[part]).slice(0, 300)} natively, ${JSON.stringify(web[part]).slice(0, 300)}`;
    const names = Object.keys(native.files).sort(), others = Object.keys(web.files).sort();
    if (names.join() !== others.join()) return `files: ${names} natively, ${others}`;
    return names.filter((name) => comparable(name, native.files[name]) !== comparable(name, web.files[name])).map((name) => `${name} differs`)[0];
}
async function compare(run, title, words, files) {
    const native = runNative(words, files), problem = firstDifference(native, await run(words, { files }));
    if (problem) console.log(`FAIL ${title}: ${problem}`);
    if (problem) failed++;
    else passed++;
}
function expect(title, isSo) {
    if (!isSo) console.log(`FAIL ${title}`);
    if (isSo) passed++;
    else failed++;
}
async function main() {
    const run = makeRunner(makeVarabs, await WebAssembly.compile(fs.readFileSync(path.join(WEB, "varabs.wasm"))));
    for (const name of fs.readdirSync(MODELS).filter((one) => one.endsWith(".xml")))
        for (const command of COMMANDS)
            await compare(run, `${name} ${command.join(" ")}`, command[0].startsWith("-") ? [name, ...command] : [command[0], name, ...command.slice(1)],
                { [name]: fs.readFileSync(path.join(MODELS, name)) });
    for (const [i, name] of fs.readdirSync(GOLDEN).filter((one) => fs.existsSync(path.join(GOLDEN, one, "args"))).entries()) {
        if (i % EVERY) continue;
        const words = execFileSync("sh", ["-c", `printf '%s\\0' ${fs.readFileSync(path.join(GOLDEN, name, "args"), "utf8").trim()}`]).toString().split("\0").slice(0, -1);
        await compare(run, name, words, readFolder(path.join(GOLDEN, name)));
    }
    // Streams, and limits that end a run.
    const model = fs.readFileSync(path.join(MODELS, "postal_3_2.xml"));
    const read = await run(["info", "-"], { stdin: model });
    expect("standard input", read.status === 0 && read.stdout.includes("Voter"));
    const many = `<nta><declaration>int[0,99] x, y, z;</declaration><template><name>P</name><location id="a"><name>a</name></location><init ref="a"/>
        ${["x", "y", "z"].map((name) => `<transition><source ref="a"/><target ref="a"/><label kind="assignment">${name} = (${name} + 1) % 100</label></transition>`).join("")}
        </template><system>system P;</system><queries><query><formula>A[] P.a</formula></query></queries></nta>`;
    const few = await run(["check", "m.xml", "--max-memory", "1M", "--engine", "explicit"], { files: { "m.xml": many } });
    expect(`memory that is over: ${few.status} ${few.stderr}`, few.status === LIMIT);
    const deep = await run(["info", "m.xml"], { files: { "m.xml": `<nta><declaration>int x = ${"(".repeat(100000)}1${")".repeat(100000)};</declaration></nta>` } });
    expect(`what is nested deep: ${deep.status} ${deep.stderr.slice(0, 200)}`, deep.status === 3 || deep.status === LIMIT);
    const lines = [];
    await run(["check", "m.xml"], { files: { "m.xml": model }, progress: (line) => lines.push(line) });
    expect("progress", lines.every((line) => /, \d+ s$/.test(line)));
    console.log(`${passed} passed, ${failed} failed`);
    process.exitCode = failed ? 1 : 0;
}
main();
