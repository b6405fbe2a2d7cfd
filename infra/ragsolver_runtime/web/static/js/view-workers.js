// Who waits for what: the consumers of the bus.

import { ask } from "./api.js";
import { fill, h } from "./dom.js";
import { number, ROLES } from "./format.js";
import { empty, table } from "./widgets.js";

export function workersView() {
  const node = h("div", {});
  let before = "";
  async function refresh() {
    const lags = await ask("lag");
    const now = JSON.stringify(lags);
    if (now === before) return;
    before = now;
    const most = Math.max(1, ...lags.map((lag) => lag.waiting + lag.working));
    fill(node, h("div", { class: "head" }, h("h1", {}, "Workers"),
      h("p", { class: "lead" }, "How far each role is behind the stream. Where many wait, more processes of that role help.")),
    lags.length ? table("Consumers of the bus", ["Role", "Behind", ["Waiting", "num"], ["Being worked on", "num"], ["Delivered again", "num"], ["Asking for work", "num"]],
      lags.map((lag) => ({ cells: [
        [h("span", { class: `role r-${lag.role}` }, lag.role), h("small", { class: "faint" }, lag.queue === lag.role ? ROLES[lag.role] ?? "" : "new problems")],
        h("div", { class: "bar lag", role: "img", "aria-label": `${lag.waiting} waiting, ${lag.working} worked on` },
          h("span", { class: "seg working", style: { width: `${(100 * lag.working) / most}%` } }), h("span", { class: "seg waiting", style: { width: `${(100 * lag.waiting) / most}%` } })),
        number(lag.waiting), number(lag.working), number(lag.redelivered), lag.asking ? number(lag.asking) : h("span", { class: "faint" }, "none")] })))
      : empty("No worker was ever started on this bus.", h("p", {}, "`ragsolver up` starts one process per role.")));
  }
  return { node, title: "Workers", refresh };
}
