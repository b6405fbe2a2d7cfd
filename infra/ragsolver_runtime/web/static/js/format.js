// Numbers, times and names as a person reads them.

export const OUTCOMES = {
  solved: { text: "proved", mark: "✓", tone: "good" },
  statement_false: { text: "statement false", mark: "⊥", tone: "doubt" },
  not_proved: { text: "not proved", mark: "–", tone: "warn" },
  infrastructure: { text: "infrastructure", mark: "!", tone: "bad" },
  refused: { text: "refused", mark: "∅", tone: "calm" },
  cancelled: { text: "cancelled", mark: "×", tone: "calm" },
  open: { text: "open", mark: "…", tone: "open" },
};

export const ROLES = {
  intake: "takes inputs in",
  planner: "splits problems",
  retriever: "looks lemmas up",
  generator: "sketches",
  formalizer: "writes Lean",
  verifier: "asks Lean",
  critic: "judges and reports",
  model: "language model",
};

export function words(name) {
  return String(name ?? "").replaceAll("_", " ");
}

export function plural(count, one, many) {
  return `${number(count)} ${count === 1 ? one : (many ?? `${one}s`)}`;
}

export function number(value) {
  return Number(value ?? 0).toLocaleString("en-GB");
}

export function seconds(value) {
  if (value === null || value === undefined) return "";
  if (value < 0.9995) return `${Math.round(value * 1000)} ms`;
  if (value < 59.95) return `${value.toFixed(1)} s`;
  const whole = Math.round(value);
  const [hours, minutes, rest] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
  const two = (n) => String(n).padStart(2, "0");
  if (hours >= 48) return `${Math.floor(hours / 24)} d ${hours % 24} h`;
  return hours ? `${hours} h ${two(minutes)} min` : `${minutes} min ${two(rest)} s`;
}

/** Round times of an axis. */
export function tick(ms) {
  return ms ? seconds(ms / 1000).replace(".0 s", " s") : "0";
}

export function millis(value) {
  return seconds((value ?? 0) / 1000);
}

export function dollars(value) {
  if (!value) return "$0";
  return value < 0.01 ? "< $0.01" : `$${value.toFixed(2)}`;
}

export function moment(text) {
  if (!text) return "";
  const time = new Date(text);
  return time.toLocaleString("en-GB", {
    day: "numeric", month: "short", year: "numeric",
    hour: "2-digit", minute: "2-digit", second: "2-digit",
  });
}

export function clock(text) {
  if (!text) return "";
  const time = new Date(text);
  const two = (n, width = 2) => String(n).padStart(width, "0");
  return `${two(time.getHours())}:${two(time.getMinutes())}:${two(time.getSeconds())}.${two(time.getMilliseconds(), 3)}`;
}

export function percent(share) {
  return `${(100 * share).toFixed(1)} %`;
}

/** `verifier` of `verifier/host-12-ab`. */
export function role(source) {
  return String(source ?? "").split("/")[0];
}
