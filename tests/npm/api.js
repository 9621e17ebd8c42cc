// The promise API of the package for npm, as it is installed in the present folder; run by run.sh.
"use strict";

const assert = require("assert");
const fs = require("fs");
const path = require("path");
const { run, version } = require(path.resolve("node_modules/varabs"));

const model = fs.readFileSync("model.xml", "utf8");
const large = fs.readFileSync(path.resolve(__dirname, "../../benchmarks/models/postal_3_2.xml"), "utf8")
    .replace("N_V = 3", "N_V = 30").replace("N_C = 2", "N_C = 4");

async function main() {
    assert.match(version, /^\d+\.\d+\.\d+/);
    const files = { "folder/m.xml": model };
    const check = await run(["check", "folder/m.xml", "--json", "-"], { files });
    assert.strictEqual(check.status, 1);
    assert.strictEqual(JSON.parse(check.stdout).states, 10);
    assert.deepStrictEqual(check.files, {});
    const lean = await run(["folder/m.xml", "--remove", "mem_vt", "--may"], { files });
    assert.deepStrictEqual(Object.keys(lean.files).sort(), ["folder/m.may.json", "folder/m.may.xml"]);
    assert.match(Buffer.from(lean.files["folder/m.may.xml"]).toString(), /<nta>/);
    assert.match(lean.stderr, /warning: this query names/);
    const piped = await run(["info", "-"], { stdin: Buffer.from(model) });
    assert.strictEqual(piped.status, 0);
    assert.match(piped.stdout, /Voter\.mem_vt/);
    assert.strictEqual((await run(["check", "none.xml"])).status, 3);
    assert.strictEqual((await run(["chekc", "none.xml"])).status, 2);

    const all = await Promise.all(Array.from({ length: 4 }, () => run(["check", "m.xml"], { files: { "m.xml": model } })));
    assert.deepStrictEqual(all.map((done) => done.status), [1, 1, 1, 1]);

    // A run is ended by a signal, and one that has begun already does not begin.
    const abort = new AbortController(), lines = [];
    const endless = run(["check", "l.xml", "--engine", "explicit"], {
        files: { "l.xml": large }, signal: abort.signal,
        progress(line) {
            lines.push(line);
            abort.abort(new Error("enough"));
        },
    });
    await assert.rejects(endless, /enough/);
    assert.match(lines[0], /\d+ s$/);
    await assert.rejects(run(["info"], { signal: abort.signal }), /enough/);
    assert.strictEqual((await run(["check", "l.xml", "--engine", "explicit", "--max-states", "5000"], { files: { "l.xml": large } })).status, 5);

    for (const wrong of [() => run("check"), () => run([1]), () => run([], { files: { a: 1 } }), () => run([], { progress: 1 }), () => run([], { stdin: 1 })])
        await assert.rejects(wrong, TypeError);
}
main().then(() => process.exit(0), (error) => {
    console.error(error);
    process.exit(1);
});
