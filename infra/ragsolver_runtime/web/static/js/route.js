// Where one is: all of it in the query, so that any name makes a link and every view has one.

const KEYS = ["page", "run", "problem", "tab", "only", "text", "sort", "from", "name", "at", "report"];

export function current() {
  const asked = new URLSearchParams(location.search);
  return Object.fromEntries(KEYS.map((key) => [key, asked.get(key) ?? ""]));
}

export function link(where) {
  const asked = new URLSearchParams();
  for (const key of KEYS) if (where[key]) asked.set(key, where[key]);
  const text = asked.toString();
  return text ? `/?${text}` : "/";
}

/** Goes there; with `replace` the place before is not one to come back to. */
export function go(where, { replace = false, quiet = false } = {}) {
  const address = typeof where === "string" ? where : link(where);
  if (replace) history.replaceState(null, "", address);
  else history.pushState(null, "", address);
  if (!quiet) window.dispatchEvent(new Event("went"));
}

/** Links of ours change the view and not the document. */
export function listen() {
  document.addEventListener("click", (event) => {
    const anchor = event.target.closest?.("a[data-link]");
    const plain = event.button === 0 && !(event.ctrlKey || event.metaKey || event.shiftKey || event.altKey);
    if (!anchor || !plain || event.defaultPrevented) return;
    event.preventDefault();
    go(anchor.getAttribute("href"));
  });
}
