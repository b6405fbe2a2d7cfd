// What was looked up, and what was found.

import { fill, h } from "./dom.js";
import { millis, plural } from "./format.js";
import { chip, empty, fold } from "./widgets.js";

const MODES = { nl: "in words", formal: "by the formal statement", error: "after an error", exemplar: "for examples" };
const LEVEL = { used_in_proof: "used in the proof", used_in_sketch: "used in the sketch", consulted: "consulted" };

export function evidencePart() {
  const node = h("div", {});
  return { node, paint };

  function paint(page) {
    if (!page.findings.length) {
      fill(node, empty("Nothing was looked up.", h("p", {}, page.entry.outcome ? "The problem ended before a retrieval, or retrieval is off." : "The retriever has not answered yet.")));
      return;
    }
    fill(node, page.findings.map(finding));
  }
}

function finding(found) {
  const score = (value, digits) => (value === null || value === undefined ? "" : value.toFixed(digits));
  const reranked = found.hits.some((hit) => hit.scores.rerank !== null);
  const when = found.attempt ? `after attempt ${found.attempt}` : `for plan ${found.plan}`;
  const pin = found.versions;
  return h("section", { class: "card" },
    h("header", { class: "row" }, h("h2", {}, `Subgoal ${found.subgoal}, ${when}`),
      h("p", {}, chip(MODES[found.mode] ?? found.mode), chip(plural(found.hits.length, "hit")), found.latency_ms ? chip(millis(found.latency_ms)) : null)),
    found.goal ? h("p", { class: "prose" }, found.goal) : null,
    h("ul", { class: "queries" }, found.queries.map((query) => h("li", { class: "mono" }, query))),
    found.hits.length ? h("ol", { class: "hits" }, found.hits.map((hit) => {
      const one = hit.citation;
      const scores = [["meaning", score(hit.scores.dense, 2)], ["words", score(hit.scores.sparse, 1)], ["together", score(hit.scores.fused, 3)],
        reranked ? ["reranked", score(hit.scores.rerank, 3)] : ["", ""]].filter(([, value]) => value);
      return h("li", { class: one.level || null, title: one.signature || null },
        h("div", { class: "hit-head" }, h("span", { class: "cite-id" }, one.id), one.url ? h("a", { href: one.url, class: "mono" }, one.label) : h("span", { class: "mono" }, one.label),
          one.level ? chip(LEVEL[one.level], one.level) : null),
        h("p", { class: "signature mono" }, hit.text.startsWith(`${one.label} : `) ? hit.text.slice(one.label.length + 3) : hit.text),
        h("p", { class: "faint" }, [one.module, ...scores.map(([name, value]) => `${name} ${value}`)].filter(Boolean).join(" · ")));
    })) : empty("No passage was found."),
    fold("Index and models", () => h("dl", { class: "pairs" }, Object.entries(pin).filter(([, value]) => value).map(([name, value]) =>
      [h("dt", {}, name.replaceAll("_", " ")), h("dd", { class: "mono" }, value)]))));
}
