// Asking the server; every answer is JSON, every error has words.

export class AskError extends Error {
  constructor(message, status, noBus) {
    super(message);
    this.status = status;
    this.noBus = noBus;
  }
}

export async function ask(name, parameters = {}) {
  const asked = new URLSearchParams();
  for (const [key, value] of Object.entries(parameters)) {
    if (value !== "" && value !== null && value !== undefined) asked.set(key, value);
  }
  const query = asked.toString();
  let reply;
  try {
    reply = await fetch(`/api/${name}${query ? `?${query}` : ""}`, { cache: "no-store" });
  } catch {
    throw new AskError("The server of this page does not answer. Is `ragsolver web` still running?", 0, true);
  }
  const found = await reply.json().catch(() => ({ error: `answer ${reply.status}` }));
  if (!reply.ok) throw new AskError(found.error ?? `answer ${reply.status}`, reply.status, found.bus === false);
  return found;
}
