// Every run on the bus.

import { ask } from "./api.js";
import { fill, h } from "./dom.js";
import { dollars, moment, number, plural, seconds } from "./format.js";
import { link } from "./route.js";
import { command, empty, outcomeBar } from "./widgets.js";

const FOLLOWED = 4; // unfinished runs of which the state is asked for

export function runsView() {
  const node = h("div", {});
  let before = "";

  async function refresh() {
    const runs = await ask("runs");
    const open = runs.filter((run) => !run.finished).slice(0, FOLLOWED);
    const heads = await Promise.all(open.map((run) => ask("run", { run: run.run }).catch(() => null)));
    const states = Object.fromEntries(open.map((run, place) => [run.run, heads[place]]));
    const now = JSON.stringify([runs, states]);
    if (now === before) return;
    before = now;
    fill(node, h("div", { class: "head" }, h("h1", {}, "Runs"), h("p", { class: "lead" },
      runs.length ? `${plural(runs.length, "run")} on this bus, the latest first.` : "")),
    runs.length ? h("ul", { class: "runs" }, runs.map((run) => card(run, states[run.run]))) : nothing());
  }

  return { node, title: "Runs", refresh };
}

function card(run, head) {
  const report = head?.report;
  const finished = run.finished;
  const counts = finished ? finished.outcomes : { ...(report?.outcomes ?? {}), open: report?.open };
  const standing = run.problem_count === null && !finished;
  const state = finished ? "finished" : standing ? "standing" : "running";
  const elapsed = finished ? finished.elapsed_s : report?.elapsed_s;
  const calls = finished ? finished.llm_calls : report?.llm_calls ?? 0;
  const cost = finished ? finished.cost_usd : report?.cost_usd ?? 0;
  const facts = [
    run.problem_count === null ? null : plural(run.problem_count, "input"),
    elapsed ? seconds(elapsed) : null,
    calls ? `${number(calls)} model calls, ${dollars(cost)}` : null,
  ].filter(Boolean);
  return h("li", { class: "card run" },
    h("div", { class: "run-what" },
      h("h2", {}, h("a", { href: link({ run: run.run }), "data-link": true, "data-key": `run-${run.run}` }, run.config)),
      h("p", { class: "mono faint" }, run.run)),
    h("div", { class: "run-bar" }, outcomeBar(counts, run.problem_count)),
    h("div", { class: "run-facts" },
      h("p", {}, h("span", { class: `state ${state}` }, state), " ", moment(run.started_at)),
      h("p", { class: "faint" }, facts.join(" · "))));
}

function nothing() {
  return empty("No run yet.", h("p", {}, "Give it problems from another terminal; they appear here as they are worked on."),
    command("ragsolver submit docs/demo/problems.jsonl"));
}
