// One run: its problems, its events, who did what.

import { ask } from "./api.js";
import { fill, h } from "./dom.js";
import { dollars, moment, number, OUTCOMES, percent, plural, role, seconds, words } from "./format.js";
import { go, link } from "./route.js";
import { eventsPart } from "./view-events.js";
import { badge, chip, crumbs, empty, outcomeBar, problemLink, table, tabs, tiles } from "./widgets.js";

const ROWS = 100;
const SORTS = [["order", "input order"], ["recent", "latest change"], ["name", "name"], ["time", "longest first"],
  ["calls", "most model calls"], ["cost", "most expensive"]];

export function runView(where) {
  const top = h("div", {});
  const body = h("div", {});
  const node = h("div", {}, top, body);
  const tab = where.tab || "problems";
  const part = tab === "events" ? eventsPart(where) : tab === "who" ? whoPart() : problemsPart(where);
  body.append(part.node);
  let before = "";
  const view = { node, title: where.run, seq: 0, refresh, wants: () => true };

  async function refresh() {
    const [head] = await Promise.all([ask("run", { run: where.run }), part.refresh()]);
    view.seq = head.seq;
    view.finished = Boolean(head.report.finished_at);
    const report = head.report;
    part.head?.(report);
    const now = JSON.stringify(head);
    if (now === before) return;
    before = now;
    view.title = report.config || where.run;
    fill(top, headline(where, head, tab));
  }
  return view;
}

function headline(where, head, tab) {
  const { report } = head;
  const ended = Object.values(report.outcomes).reduce((sum, count) => sum + count, 0);
  const whole = Math.max(report.problem_count ?? 0, ended + report.open);
  const solved = report.outcomes.solved ?? 0;
  const state = report.finished_at ? "finished" : head.standing ? "standing" : "running";
  const model = report.language_model;
  const tokens = model.input_tokens + model.output_tokens;
  return [
    crumbs([["Runs", {}], [where.run, null]]),
    h("div", { class: "head" },
      h("h1", {}, report.config || "Run", " ", h("span", { class: `state ${state}` }, state)),
      h("p", { class: "lead" }, `started ${moment(report.started_at)}`,
        report.parent_run ? [", replays ", h("a", { href: link({ run: report.parent_run }), "data-link": true }, report.parent_run)] : null)),
    tiles([
      ["Proved", h("span", {}, number(solved), h("span", { class: "of" }, ` of ${number(whole)}`))],
      ["Open", number(report.open)],
      ["Time", seconds(report.elapsed_s), `Lean ${seconds(report.lean_ms / 1000)}`],
      ["Model calls", number(report.llm_calls), tokens ? `${number(tokens)} tokens` : "no model asked"],
      report.llm_calls ? ["Cost", dollars(report.cost_usd)] : null,
      report.retrieved ? ["Lemma-use precision", percent(report.used / report.retrieved), `${number(report.used)} of ${number(report.retrieved)} retrieved`] : null,
    ]),
    outcomeBar({ ...report.outcomes, open: report.open }, whole),
    head.state === "lost" ? h("p", { class: "notice warn" }, "The bus does not answer now. What was read before is shown; the rest comes when it is back.") : null,
    head.state === "reading" ? h("p", { class: "notice" }, "Reading what is stored of this run …") : null,
    tabs("Parts of the run", [
      ["problems", "Problems", { run: where.run }, whole],
      ["events", "Events", { run: where.run, tab: "events" }],
      ["who", "Who did what", { run: where.run, tab: "who" }],
    ], tab),
  ];
}

function problemsPart(where) {
  const filters = h("div", { class: "chips", role: "group", "aria-label": "Show problems" });
  const list = h("div", {});
  const note = h("p", { class: "faint", role: "status" });
  const sort = h("select", { id: "sort", onchange: () => turn({ sort: sort.value }) },
    SORTS.map(([name, text]) => h("option", { value: name, selected: (where.sort || "order") === name }, text)));
  let typing;
  const search = h("input", { id: "search", type: "search", value: where.text, placeholder: "name or message", autocomplete: "off",
    oninput: () => { clearTimeout(typing); typing = setTimeout(() => turn({ text: search.value }, true), 250); } });
  const node = h("div", {}, h("div", { class: "tools" }, filters,
    h("div", { class: "fields" },
      h("label", { for: "search" }, "Search"), search, h("label", { for: "sort" }, "Order"), sort)), note, list);
  let before = "";

  function turn(change, typed = false) {
    Object.assign(where, { from: "" }, change);
    go(where, { replace: true, quiet: true });
    before = "";
    refresh().catch(() => {});
    if (!typed) search.blur();
  }

  async function refresh() {
    const from = Number(where.from) || 0;
    const page = await ask("problems", { run: where.run, only: where.only, text: where.text, sort: where.sort, offset: from, limit: ROWS });
    const now = JSON.stringify(page);
    if (now === before) return;
    before = now;
    const all = Object.entries(page.counts).reduce((sum, [name, count]) => (name === "doubt" ? sum : sum + count), 0);
    const choices = [["", "All", all], ["open", "Open", page.counts.open],
      ...Object.keys(OUTCOMES).filter((name) => name !== "open").map((name) => [name, OUTCOMES[name].text, page.counts[name]]),
      ["doubt", "Doubtful statements", page.counts.doubt]];
    fill(filters, choices.filter(([name, , count]) => count || name === where.only || !name).map(([name, text, count]) =>
      h("button", { type: "button", class: "choice", "data-key": `only-${name}`, "aria-pressed": String(where.only === name),
        onclick: () => turn({ only: name }) }, text, h("span", { class: "count" }, number(count ?? 0)))));
    const waiting = Object.entries(page.stages).map(([stage, count]) => `${count} ${stage}`).join(", ");
    fill(note, waiting ? `Open problems: ${waiting}.` : "");
    fill(list, page.total ? [problems(where, page), pager(where, page, from, turn)] : none(where, all));
  }
  return { node, refresh };
}

function none(where, all) {
  return all ? empty("No problem is like that.", h("p", {}, "Choose another filter, or clear the search."))
    : empty("No problem yet.", h("p", {}, "Workers are starting, or nothing was submitted to this run so far."));
}

function problems(where, page) {
  const costly = page.rows.some((row) => row.calls);
  const head = ["Problem", "State", ["Tried", "num"], ["Time", "num"], costly ? ["Model calls", "num"] : null,
    costly ? ["Cost", "num"] : null, "What happened"].filter(Boolean);
  return table("Problems of the run", head, page.rows.map((row) => ({
    cells: [
      h("span", { class: "what" }, problemLink(where.run, row.problem, row.name),
        row.line && row.name !== `line ${row.line}` ? h("small", { class: "faint" }, `line ${row.line}`) : null,
        row.children ? chip(plural(row.children, "child", "children")) : null,
        row.doubts.length && row.outcome !== "statement_false" ? chip("doubtful", "warn") : null),
      badge(row.outcome, row.stage),
      row.candidates ? h("span", { title: `${row.candidates} candidates, ${row.verdicts} judged, attempt ${row.attempt}` },
        number(row.candidates), h("span", { class: "of" }, ` in ${row.attempt}`)) : "",
      row.elapsed_s === null ? "" : seconds(row.elapsed_s),
      ...(costly ? [row.calls ? number(row.calls) : "", row.cost_usd ? dollars(row.cost_usd) : ""] : []),
      h("span", { class: "message" }, row.message),
    ],
  })), "problems");
}

function pager(where, page, from, turn) {
  if (page.total <= ROWS) return null;
  const to = Math.min(from + ROWS, page.total);
  const step = (place, text, on) => h("button", { type: "button", class: "quiet", disabled: !on, "data-key": text, onclick: () => turn({ from: String(place) }) }, text);
  return h("div", { class: "pager" }, step(Math.max(0, from - ROWS), "Previous", from > 0),
    h("span", {}, `${number(from + 1)} to ${number(to)} of ${number(page.total)}`),
    step(from + ROWS, "Next", to < page.total));
}

function whoPart() {
  const node = h("div", {});
  let report = null;
  return {
    node,
    head: (found) => { report = found; paint(); },
    refresh: async () => {},
  };

  function paint() {
    const workers = [...report.workers].sort((a, b) => b.total - a.total);
    fill(node, workers.length ? [
      h("h2", {}, "Processes"),
      table("Processes of the run", ["Process", "Role", ["Events", "num"], ["Lean", "num"], "Of which"], workers.map((worker) => ({
        cells: [h("span", { class: "mono" }, worker.source.split("/")[1] ?? worker.source), h("span", { class: `role r-${role(worker.source)}` }, role(worker.source)),
          number(worker.total), worker.lean_ms ? seconds(worker.lean_ms / 1000) : "",
          h("span", { class: "faint" }, Object.entries(worker.events).map(([name, count]) => `${count} ${words(name)}`).join(", "))],
      })))] : empty("Nobody did anything yet."),
    report.model_uses.length ? [h("h2", {}, "Language models"),
      table("Use of language models", ["Agent", "Model", ["Calls", "num"], "How they ended", ["Tokens in", "num"], ["Out", "num"], ["Cost", "num"]],
        report.model_uses.map((use) => ({ cells: [use.agent, use.model, number(use.calls),
          Object.entries(use.outcomes).map(([name, count]) => `${count} ${words(name)}`).join(", "),
          number(use.input_tokens), number(use.output_tokens), dollars(use.cost_usd)] })))] : null,
    h("h2", {}, "Versions"),
    h("dl", { class: "pairs" }, Object.entries(report.versions).sort().map(([name, value]) => [h("dt", {}, name), h("dd", { class: "mono" }, value)])),
    Object.keys(report.advisories).length ? [h("h2", {}, "Known holes of the Lean kernels used"),
      h("ul", {}, Object.entries(report.advisories).map(([id, text]) => h("li", {}, h("span", { class: "mono" }, id), text ? `: ${text}` : "")))] : null);
  }
}
