// Evaluations: configurations compared, and searches measured.

import { ask } from "./api.js";
import { fill, h } from "./dom.js";
import { percent, plural } from "./format.js";
import { link } from "./route.js";
import { command, crumbs, empty, table } from "./widgets.js";

const KINDS = { solving: "configurations compared", retrieval: "search measured" };

export function evaluationsView() {
  const node = h("div", {});
  let before = "";
  async function refresh() {
    const found = await ask("reports");
    const now = JSON.stringify(found);
    if (now === before) return;
    before = now;
    fill(node, h("div", { class: "head" }, h("h1", {}, "Evaluations"), h("p", { class: "lead" }, found.reports.length ? `${plural(found.reports.length, "report")} in ${found.folders.join(", ")}.` : "")),
      found.reports.length ? h("ul", { class: "runs" }, found.reports.map((one) => h("li", { class: "card run" },
        h("div", { class: "run-what" }, h("h2", {}, h("a", { href: link({ report: one.report }), "data-link": true }, one.title)), h("p", { class: "mono faint" }, one.name)),
        h("div", { class: "run-facts" }, h("p", {}, KINDS[one.kind]), h("p", { class: "faint" }, plural(one.pictures.length, "plot"))))))
        : empty("No report yet.", h("p", {}, found.folders.length ? `There is none below ${found.folders.join(", ")}.` : "Name folders of reports when the page is started."),
          command("ragsolver eval solve problems.jsonl --configs full,no_rag -o report\nragsolver web --reports report")));
  }
  return { node, title: "Evaluations", refresh };
}

export function evaluationView(where) {
  const node = h("div", {});
  let before = "";
  const view = { node, title: "Evaluation", refresh };
  async function refresh() {
    const found = await ask("report", { report: where.report });
    const now = JSON.stringify(found);
    if (now === before) return;
    before = now;
    view.title = found.line.title;
    fill(node, crumbs([["Evaluations", { page: "evaluations" }], [found.line.name, null]]),
      h("div", { class: "head" }, h("h1", {}, found.line.title), h("p", { class: "lead" }, KINDS[found.line.kind])),
      found.intervals.length ? intervals(found) : null,
      found.line.pictures.length ? h("section", {}, h("h2", {}, "Plots"), h("div", { class: "plots" }, found.line.pictures.map((name) => {
        const address = `/api/picture?${new URLSearchParams({ report: where.report, name })}`;
        const title = name.split("/").pop().replace(/\.\w+$/, "").replaceAll("_", " ");
        return h("figure", {}, h("a", { href: address, target: "_blank", rel: "noopener" }, h("img", { src: address, alt: `Plot: ${title}`, loading: "lazy" })), h("figcaption", {}, title));
      }))) : null,
      found.sections.map((section) => h("section", {}, section.title === found.line.title ? null : h("h2", {}, section.title), section.blocks.map(block))));
  }
  return view;
}

function intervals(found) {
  return h("section", {}, h("h2", {}, found.measure),
    h("div", { class: "intervals" }, found.intervals.map((one) => {
      const low = one.low ?? one.value;
      const high = one.high ?? one.value;
      const said = `${one.name}: ${percent(one.value)}${one.low === null ? "" : `, ${percent(low)} to ${percent(high)}`}`;
      return [h("div", { class: "interval-name" }, one.name),
        h("div", { class: "interval", role: "img", "aria-label": said, title: said },
          h("span", { class: "whisker", style: { left: `${100 * low}%`, width: `${100 * (high - low)}%` } }), h("span", { class: "point", style: { left: `${100 * one.value}%` } })),
        h("div", { class: "num" }, percent(one.value))];
    }), h("div", {}), h("div", { class: "interval-axis", "aria-hidden": "true" }, [0, 25, 50, 75, 100].map((value) => h("span", { style: { left: `${value}%` } }, `${value} %`))), h("div", {})));
}

function block(one) {
  if (one.kind === "table") return one.rows.length ? table("Table of the report", one.head.map((name, place) => [name, place ? "num" : ""]), one.rows.map((row) => ({ cells: row })), "tight wide") : h("p", { class: "faint" }, "Nothing to compare.");
  if (one.kind === "list") return h("ul", {}, one.lines.map((text) => h("li", {}, text)));
  return one.lines.map((text) => h("p", {}, text));
}
