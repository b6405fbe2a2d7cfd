// What happens in a run, as it happens: one connection, which goes on where it was cut.

const SAID = {
  live: "Live",
  reading: "Reading",
  finished: "Finished",
  lost: "Bus does not answer",
  connecting: "Connecting",
};

export class Live {
  constructor(indicator) {
    this.indicator = indicator;
    this.run = "";
    this.seq = 0;
    this.listener = () => {};
    this.finished = false;
    this.state = "";
    document.addEventListener("visibilitychange", () => (document.hidden ? this.#stop() : this.#start()));
  }

  /** Follows a run from a place in the stream; the same run goes on undisturbed. */
  follow(run, seq, listener) {
    this.listener = listener;
    if (run === this.run) {
      this.seq = Math.max(this.seq, seq);
      return;
    }
    this.#stop();
    this.run = run;
    this.seq = seq;
    this.show(run ? "connecting" : "");
    this.#start();
  }

  show(state) {
    this.state = state;
    const shown = state === "live" && this.finished ? "finished" : state;
    this.indicator.dataset.state = shown;
    this.indicator.textContent = SAID[shown] ?? "";
  }

  /** Whether anything is still expected. */
  expects(finished) {
    this.finished = finished;
    this.show(this.state);
  }

  #start() {
    if (!this.run || this.events || document.hidden) return;
    const asked = new URLSearchParams({ run: this.run, after: String(this.seq) });
    const events = new EventSource(`/api/stream?${asked}`);
    this.events = events;
    events.addEventListener("line", (message) => {
      this.seq = Math.max(this.seq, Number(message.lastEventId));
      this.listener(JSON.parse(message.data));
    });
    events.addEventListener("state", (message) => this.show(JSON.parse(message.data).state));
    events.addEventListener("error", () => {
      this.show("connecting");
      // The browser tries again by itself, but not after an answer that was an error.
      if (events.readyState === EventSource.CLOSED && this.events === events) {
        this.#stop();
        this.again = setTimeout(() => this.#start(), 1500);
      }
    });
  }

  #stop() {
    clearTimeout(this.again);
    this.events?.close();
    this.events = null;
  }
}
