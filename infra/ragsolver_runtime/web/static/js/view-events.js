// Events of a run or of a problem, the latest first; each as it is stored.

import { ask } from "./api.js";
import { fill, h } from "./dom.js";
import { clock, number, role, words } from "./format.js";
import { go } from "./route.js";
import { chip, copier, empty, fold, problemLink } from "./widgets.js";

const SHOWN = 100;

export function eventsPart(where) {
  const list = h("div", {});
  const note = h("p", { class: "faint", role: "status" });
  const names = h("select", { id: "event-name", onchange: () => turn({ name: names.value }) });
  let typing;
  const search = h("input", { id: "event-text", type: "search", value: where.text, placeholder: "problem, process or text", autocomplete: "off",
    oninput: () => { clearTimeout(typing); typing = setTimeout(() => turn({ text: search.value }), 250); } });
  const node = h("div", {}, h("div", { class: "tools" }, h("div", { class: "fields" },
    h("label", { for: "event-name" }, "Event"), names, h("label", { for: "event-text" }, "Search"), search)), note, list);
  const opened = new Map();
  let before = "";
  let limit = SHOWN;

  function turn(change) {
    Object.assign(where, change);
    limit = SHOWN;
    go(where, { replace: true, quiet: true });
    before = "";
    refresh().catch(() => {});
  }

  async function refresh() {
    const found = await ask("events", { run: where.run, problem: where.problem, name: where.name, text: where.text, limit });
    const now = JSON.stringify(found);
    if (now === before) return;
    before = now;
    fill(names, h("option", { value: "" }, "all"), found.names.map((name) => h("option", { value: name, selected: name === where.name }, words(name))));
    fill(note, found.total ? `${number(found.total)} events, the latest first.` : "");
    fill(list, found.lines.length ? h("ul", { class: "events" }, found.lines.map(line)) : empty("No event is like that."),
      found.more ? h("p", { class: "pager" }, limit < 500 ? h("button", { type: "button", class: "quiet", "data-key": "more", onclick: () => { limit = 500; before = ""; refresh().catch(() => {}); } }, "Show more")
        : h("span", { class: "faint" }, "Older events: narrow the search, or `ragsolver trace export`.")) : null);
  }

  function line(event) {
    const head = h("span", { class: "event-head" }, h("span", { class: "mono faint" }, clock(event.time)), h("span", { class: `role r-${role(event.source)}` }, role(event.source)),
      h("span", { class: "event-name" }, words(event.name)), event.recorded ? chip("recorded") : null,
      h("span", { class: "event-text" }, !where.problem && event.problem ? [h("b", {}, event.problem), " "] : "", h("span", { class: "mono" }, event.text)));
    return h("li", {}, fold(head, () => raw(event), { open: opened.has(event.seq), key: `e-${event.seq}`,
      onopen: (open) => (open ? opened.set(event.seq, true) : opened.delete(event.seq)) }));
  }

  async function raw(event) {
    const found = await ask("event", { run: where.run, seq: event.seq });
    const text = JSON.stringify(found, null, 2);
    return h("div", {}, h("div", { class: "row" }, h("span", { class: "faint" }, `sequence ${event.seq}, ${event.source}`),
      h("span", {}, event.problem && !where.problem ? [problemLink(where.run, event.problem, "problem"), " "] : null, copier(text, "JSON"))),
    h("pre", { class: "code json", tabindex: "0", role: "region", "aria-label": "Event as JSON" }, text));
  }
  return { node, refresh };
}
