// Calls of language models: who asked what, and what came back.

import { ask } from "./api.js";
import { fill, h } from "./dom.js";
import { dollars, millis, number, plural, words } from "./format.js";
import { go } from "./route.js";
import { chip, copier, empty, fold } from "./widgets.js";

const TONES = { answered: "good", "on its way": "open", granted: "calm" };

export function modelPart(where) {
  const node = h("div", {});
  const opened = new Set((where.at || "").split(",").filter(Boolean));
  return { node, paint };

  function paint(page) {
    if (!page.calls.length) {
      fill(node, empty("No language model was asked.", h("p", {}, "The portfolio works without one. With a key, run it with --config llm.")));
      return;
    }
    const { totals } = page;
    fill(node, h("p", { class: "lead" }, `${plural(totals.calls, "call")} of ${page.budget}, ${number(totals.input_tokens)} tokens read, `,
      `${number(totals.output_tokens)} written, ${dollars(totals.cost_usd)}`, totals.lost ? `, ${totals.lost} lost` : "", totals.reused ? `, ${totals.reused} from the recording` : "", "."),
    h("ul", { class: "calls" }, page.calls.map(line)));
  }

  function line(call) {
    const key = String(call.call);
    const head = h("span", { class: "candidate-head" }, h("span", { class: "mono faint" }, key),
      h("span", { class: `role r-${call.agent}` }, call.agent), h("span", {}, call.granted_to ? `${plural(call.calls, "call")} granted to ${call.granted_to}` : words(call.purpose)),
      h("span", { class: `badge ${TONES[call.outcome] ?? "warn"}` }, words(call.outcome)),
      call.retry ? chip(`try ${call.retry + 1}`) : null, call.recorded ? chip("recorded") : null,
      h("span", { class: "faint" }, call.model ? `${call.model}, ${number(call.tokens_in)} in, ${number(call.tokens_out)} out, ${millis(call.latency_ms)}` : ""));
    if (!call.model && !call.error) return h("li", { class: "closed" }, head);
    return h("li", {}, fold(head, () => exchange(where, call), { open: opened.has(key), key: `call-${key}`, onopen: (open) => {
      if (open) opened.add(key);
      else opened.delete(key);
      where.at = [...opened].join(",");
      go(where, { replace: true, quiet: true });
    } }));
  }
}

async function exchange(where, call) {
  const found = await ask("call", { run: where.run, problem: where.problem, call: call.call });
  return h("div", { class: "talk" },
    h("p", { class: "faint" }, found.prompt ? `Prompt ${found.prompt}. ` : "", found.stop_reason ? `Stopped: ${words(found.stop_reason)}. ` : "", `${dollars(call.cost_usd)}.`),
    found.turns.map((turn) => h("section", { class: `turn ${turn.role}` }, h("h3", {}, turn.role === "user" ? call.agent : turn.role),
      turn.text.length > 1500 ? fold(`${turn.text.slice(0, 160).replaceAll(/\s+/g, " ")} …`, () => h("pre", {}, turn.text)) : h("pre", {}, turn.text))),
    found.turns.length ? null : h("p", { class: "faint" }, "The request was not recorded."),
    found.line.error ? h("p", { class: "notice bad" }, found.line.error) : null,
    found.answer ? h("section", { class: "turn assistant" }, h("div", { class: "row" }, h("h3", {}, "model"), copier(found.answer, "answer")), answer(found)) : null);
}

/** An answer: fields of a JSON object one by one, anything else as it came. */
function answer(found) {
  if (!found.is_json) return h("pre", {}, found.answer);
  const value = JSON.parse(found.answer);
  if (Array.isArray(value)) return h("pre", {}, found.answer);
  return h("dl", { class: "answer" }, Object.entries(value).map(([name, item]) => [h("dt", {}, words(name)), h("dd", {}, shown(item))]));
}

function shown(item) {
  if (item === null || item === "") return h("span", { class: "faint" }, "nothing");
  if (Array.isArray(item)) return item.length ? h("ol", {}, item.map((one) => h("li", {}, shown(one)))) : h("span", { class: "faint" }, "nothing");
  if (typeof item === "object") return h("dl", { class: "answer" }, Object.entries(item).map(([name, one]) => [h("dt", {}, words(name)), h("dd", {}, shown(one))]));
  return h("pre", {}, String(item));
}
