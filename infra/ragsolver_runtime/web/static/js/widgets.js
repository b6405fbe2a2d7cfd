// Pieces that several views share.

import { h } from "./dom.js";
import { OUTCOMES, number, words } from "./format.js";
import { link } from "./route.js";

export function badge(outcome, stage = "") {
  const name = outcome ?? "open";
  const shown = OUTCOMES[name] ?? { text: words(name), mark: "·", tone: "calm" };
  const text = name === "open" && stage && stage !== "ended" ? stage : shown.text;
  return h("span", { class: `badge ${shown.tone}` }, h("span", { "aria-hidden": "true" }, shown.mark), text);
}

export function chip(text, tone = "") {
  return h("span", { class: `chip ${tone}` }, text);
}

export function tiles(entries) {
  return h("dl", { class: "tiles" }, entries.filter(Boolean).map(([label, value, note]) =>
    h("div", { class: "tile" }, h("dt", {}, label), h("dd", {}, value), note ? h("small", {}, note) : null)));
}

/** A bar of counts by outcome, with the same in words for those who do not see it. */
export function outcomeBar(counts, total) {
  const names = Object.keys(OUTCOMES).filter((name) => counts[name]);
  const known = names.reduce((sum, name) => sum + counts[name], 0);
  const whole = Math.max(total ?? 0, known, 1);
  const said = names.map((name) => `${counts[name]} ${OUTCOMES[name].text}`).join(", ") || "nothing yet";
  return h("div", { class: "outcome" },
    h("div", { class: "bar", role: "img", "aria-label": said }, names.map((name) =>
      h("span", { class: `seg ${OUTCOMES[name].tone}`, style: { width: `${(100 * counts[name]) / whole}%` } }))),
    h("ul", { class: "legend", "aria-hidden": "true" }, names.length ? names.map((name) =>
      h("li", {}, h("i", { class: `dot ${OUTCOMES[name].tone}` }), `${number(counts[name])} ${OUTCOMES[name].text}`))
      : h("li", {}, "nothing yet")));
}

/** A table that becomes cards where it is narrow. `head`: [label, class]; rows: {key, cells, extra}. */
export function table(caption, head, rows, extra = "") {
  const labels = head.map((item) => (Array.isArray(item) ? item : [item, ""]));
  return h("div", { class: "scroll" }, h("table", { class: `cards ${extra}`, role: "table" },
    h("caption", { class: "hidden" }, caption),
    h("thead", { role: "rowgroup" }, h("tr", { role: "row" }, labels.map(([label, kind]) =>
      h("th", { scope: "col", role: "columnheader", class: kind }, label)))),
    h("tbody", { role: "rowgroup" }, rows.map((row) => [
      h("tr", { role: "row", class: row.class }, row.cells.map((cell, place) =>
        h("td", { role: "cell", class: labels[place][1], "data-label": labels[place][0] }, cell))),
      row.below ? h("tr", { class: "below" }, h("td", { colspan: labels.length }, row.below)) : null,
    ]))));
}

export function tabs(label, entries, active) {
  return h("nav", { class: "tabs", "aria-label": label }, entries.filter(Boolean).map(([name, text, where, count]) =>
    h("a", { href: link(where), "data-link": true, "data-key": `tab-${name}`,
      "aria-current": name === active ? "page" : null },
    text, count ? h("span", { class: "count" }, number(count)) : null)));
}

export function empty(title, ...more) {
  return h("div", { class: "empty" }, h("p", { class: "empty-title" }, title), more);
}

export function command(text) {
  return h("pre", { class: "command" }, h("code", {}, text));
}

export function crumbs(entries) {
  return h("nav", { class: "crumbs", "aria-label": "Where you are" }, h("ol", {}, entries.map(([text, where]) =>
    h("li", {}, where ? h("a", { href: link(where), "data-link": true }, text) : h("span", {}, text)))));
}

export function copier(text, what) {
  const button = h("button", { type: "button", class: "quiet", onclick: async () => {
    try {
      await navigator.clipboard.writeText(text);
      button.textContent = "Copied";
    } catch {
      button.textContent = "Cannot copy here";
    }
    setTimeout(() => (button.textContent = `Copy ${what}`), 1500);
  } }, `Copy ${what}`);
  return button;
}

/** A part that opens and closes; what is inside is made when it is opened first. */
export function fold(summary, make, { open = false, key = "", onopen = null } = {}) {
  const body = h("div", { class: "fold-body" });
  let made = false;
  const details = h("details", { class: "fold", open, ontoggle: () => {
    if (details.open && !made) {
      made = true;
      const found = make();
      if (found instanceof Promise) {
        body.replaceChildren(h("p", { class: "faint" }, "Loading …"));
        found.then((node) => body.replaceChildren(node), (error) => body.replaceChildren(h("p", { class: "error" }, error.message)));
      } else body.replaceChildren(...[found].flat());
    }
    onopen?.(details.open);
  } }, h("summary", key ? { "data-key": key } : {}, summary), body);
  return details;
}

export function problemLink(run, problem, text, more = {}) {
  return h("a", { href: link({ run, problem, ...more }), "data-link": true, "data-key": `p-${problem}` }, text ?? problem);
}
