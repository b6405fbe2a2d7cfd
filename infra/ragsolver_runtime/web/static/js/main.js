// The page: finds the view of the address, shows it, and keeps it fresh.

import { ask, AskError } from "./api.js";
import { fill, h } from "./dom.js";
import { Live } from "./live.js";
import { current, link, listen } from "./route.js";
import { command, empty } from "./widgets.js";
import { evaluationsView, evaluationView } from "./view-reports.js";
import { problemView } from "./view-problem.js";
import { runsView } from "./view-runs.js";
import { runView } from "./view-run.js";
import { workersView } from "./view-workers.js";

const FRESH_MS = 700; // live changes come together
const POLL_MS = 3000;

const root = document.getElementById("main");
const live = new Live(document.getElementById("live"));
let shown = null;
let visit = 0;
let fresh = null;

function viewOf(where) {
  if (where.run && where.problem) return problemView(where);
  if (where.run) return runView(where);
  if (where.report) return evaluationView(where);
  if (where.page === "evaluations") return evaluationsView(where);
  if (where.page === "workers") return workersView(where);
  return runsView(where);
}

async function show(moved) {
  const mine = ++visit;
  clearTimeout(fresh);
  fresh = null;
  const where = current();
  const view = viewOf(where);
  sections(where);
  try {
    await view.refresh();
  } catch (error) {
    if (mine !== visit) return;
    failed(error, where);
    return;
  }
  if (mine !== visit) return;
  shown = view;
  document.title = view.title ? `${view.title} · RagSolver` : "RagSolver";
  root.replaceChildren(view.node);
  root.dataset.ready = "yes";
  if (moved) {
    window.scrollTo(0, 0);
    root.focus({ preventScroll: true });
  }
  live.follow(where.run, view.seq ?? 0, (line) => view.wants?.(line) && later());
  live.expects(Boolean(view.finished));
  if (!where.run) later(POLL_MS);
}

/** Asks again soon; what is asked for several times in between is asked once. */
function later(wait = FRESH_MS) {
  if (fresh !== null) return;
  const mine = visit;
  fresh = setTimeout(async () => {
    fresh = null;
    if (mine !== visit) return;
    try {
      if (!document.hidden && shown) {
        await shown.refresh();
        live.expects(Boolean(shown.finished));
      }
    } catch (error) {
      if (error instanceof AskError && mine === visit) live.show(error.noBus ? "lost" : "connecting");
      later(2000);
      return;
    }
    if (mine === visit && !current().run) later(POLL_MS);
  }, wait);
}

function failed(error, where) {
  shown = null;
  live.follow("", 0, () => {});
  const expected = error instanceof AskError;
  const node = expected && error.noBus
    ? empty("There is nothing to show yet.", h("p", {}, error.message),
      h("p", {}, "Start a bus with workers, and give it problems:"),
      command("ragsolver up --web\nragsolver submit docs/demo/problems.jsonl"))
    : empty(expected && error.status === 404 ? "This is not here." : "This cannot be shown.",
      h("p", {}, error.message), h("p", {}, h("a", { href: link({}), "data-link": true }, "All runs")));
  fill(root, node);
  root.dataset.ready = "error";
  document.title = "RagSolver";
  if (expected && error.status === 404) return;
  const mine = visit;
  setTimeout(() => mine === visit && show(false), 2000);
  if (!expected) console.error(error);
}

function sections(where) {
  const at = where.report || where.page === "evaluations" ? "evaluations" : where.page || "runs";
  const entries = [["runs", "Runs", {}], ["workers", "Workers", { page: "workers" }],
    ["evaluations", "Evaluations", { page: "evaluations" }]];
  fill(document.getElementById("nav"), entries.map(([name, text, place]) =>
    h("a", { href: link(place), "data-link": true, "aria-current": name === at ? "page" : null }, text)));
}

async function foot() {
  const line = document.getElementById("foot");
  try {
    const state = await ask("state");
    const bus = state.bus ? `${state.kind === "data folder" ? "reading" : "bus"} ${state.bus}` : state.problem;
    fill(line, `RagSolver ${state.version} · `, bus, state.data ? ` · data in ${state.data}` : "", " · this page only reads");
  } catch {
    fill(line, "");
  }
}

window.addEventListener("popstate", () => show(true));
window.addEventListener("went", () => show(true));
listen();
show(false);
foot();
setInterval(() => document.hidden || foot(), 10_000);
