// Building the page. Text of problems, models and lemmas comes in as children only, and children
// become text nodes: nothing is ever parsed as HTML.

/** An element: h("a", {href: "/", class: "x", onclick: f}, "text", child, [more]). */
export function h(tag, attributes, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "style") Object.assign(element.style, value);
    else if (name === "href") setLink(element, value);
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  return put(element, children);
}

/** Appends children; whatever is no node becomes text. */
export function put(element, children) {
  for (const child of children.flat(Infinity)) {
    if (child === null || child === undefined || child === false || child === "") continue;
    element.append(child instanceof Node ? child : String(child));
  }
  return element;
}

function setLink(element, value) {
  // Only pages of ours and of the web: a link never runs anything.
  const address = new URL(value, location.href);
  if (!["http:", "https:"].includes(address.protocol)) return;
  element.setAttribute("href", value);
  if (address.origin !== location.origin) {
    element.setAttribute("target", "_blank");
    element.setAttribute("rel", "noopener noreferrer");
  }
}

/** New content; what had the focus has it again, by its `data-key`. */
export function fill(element, ...children) {
  const key = element.contains(document.activeElement)
    ? document.activeElement.closest("[data-key]")?.dataset.key
    : undefined;
  element.replaceChildren();
  put(element, children);
  if (key !== undefined) {
    const again = [...element.querySelectorAll("[data-key]")].find((e) => e.dataset.key === key);
    again?.focus({ preventScroll: true });
  }
  return element;
}
