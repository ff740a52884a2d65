// The connection to the station: its events, what is sent to it, and the sign of life.
//
// An EventSource cannot be given a deadline, and a socket unit accepts for a service that is
// stopped: then nothing comes and nothing fails. So the stream is read here, and whatever is silent
// for longer than the heartbeats allow is dropped and begun again.
import { sleep } from "./dom.js";

const SILENCE = 2000;
const PATIENCE = 5000;
const PAUSES = [200, 500, 1000, 1000, 2000];

/** Why a command did nothing: the station's problem document, or that it did not answer. */
export class Refusal extends Error {
  constructor(status, problem) {
    super(problem?.detail ?? problem?.title ?? "no answer");
    this.status = status;
    this.problem = problem;
  }
}

export class Station extends EventTarget {
  /** The newest state; null until the first has come. */
  state = null;
  /** Whether heartbeats come. */
  connected = false;
  /** Whether the station was ever heard. */
  met = false;
  /** When the next attempt begins, by performance.now(); null while one is being made. */
  nextAttempt = null;

  #page = crypto.getRandomValues(new Uint32Array(2)).join("-");
  #heard = -Infinity;
  #began = 0;
  #attempt = null;
  #lastId = "";
  #failures = 0;
  #beating = false;

  /** Begins; never ends by itself. */
  start(screen) {
    this.#run();
    setInterval(() => this.#watch(), 200);
    setInterval(() => this.#beat(screen()), 2000);
  }

  /** Sends a command that means the present session. */
  async send(command, body = {}, { session = true } = {}) {
    const content = session && this.state?.session != null
      ? { session: this.state.session, ...body } : body;
    const answer = await this.#post(command, content, PATIENCE);
    if (!answer.ok) throw new Refusal(answer.status, await answer.json().catch(() => null));
    const state = await answer.json().catch(() => null);
    if (state?.state) this.#take(state);
    return state;
  }

  async #run() {
    for (;;) {
      this.nextAttempt = null;
      this.#changed();
      const attempt = (this.#attempt = new AbortController());
      this.#began = performance.now();
      try {
        await this.#read(attempt);
      } catch {
        // Ended, refused or given up by the watch: all the same, it is begun again.
      }
      attempt.abort();
      this.#attempt = null;
      const pause = PAUSES[Math.min(this.#failures++, PAUSES.length - 1)];
      this.nextAttempt = performance.now() + pause;
      this.#changed();
      await sleep(pause);
    }
  }

  async #read(attempt) {
    const headers = this.#lastId ? { "Last-Event-ID": this.#lastId } : {};
    const answer = await fetch("/api/v1/events", { signal: attempt.signal, headers, cache: "no-store" });
    if (!answer.ok || !answer.body) throw new Error(`events: ${answer.status}`);
    const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
    let text = "";
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      text += value;
      const events = text.split(/\r?\n\r?\n/);
      text = events.pop();
      if (text.length > 1 << 20) throw new Error("an event without end");
      for (const event of events) this.#hear(event);
    }
  }

  #hear(event) {
    let kind = "message", data = "", id = null;
    for (const line of event.split(/\r?\n/)) {
      const [, field, value] = /^([^:]*):? ?(.*)$/.exec(line);
      if (field === "event") kind = value;
      else if (field === "data") data += (data && "\n") + value;
      else if (field === "id") id = value;
    }
    this.#heard = performance.now();
    if (!this.connected) {
      this.connected = this.met = true;
      this.#failures = 0;
      if (kind !== "state") this.#changed();
    }
    if (id !== null) this.#lastId = id;
    if (kind === "state") this.#take(JSON.parse(data), true);
    else if (kind === "notice") this.dispatchEvent(new CustomEvent("notice", { detail: JSON.parse(data) }));
  }

  /** An answer to a command may be older than what the events have told already. */
  #take(state, fromEvents = false) {
    const known = this.state;
    if (known?.instance === state.instance && state.number < known.number) return;
    if (!fromEvents && known && known.instance !== state.instance) return;
    state.received = performance.now();
    this.state = state;
    this.#changed();
  }

  /** The silence is measured only when what has arrived is read: a busy page is not a dead station. */
  #watch() {
    if (this.#silence() < SILENCE) return;
    setTimeout(() => {
      if (this.#silence() < SILENCE) return;
      if (performance.now() - this.#began >= SILENCE) this.#attempt?.abort();
      if (!this.connected) return;
      this.connected = false;
      this.#changed();
    }, 30);
  }

  #silence() {
    return performance.now() - this.#heard;
  }

  #changed() {
    this.dispatchEvent(new Event("change"));
  }

  async #beat(screen) {
    if (this.#beating) return;
    this.#beating = true;
    const visible = document.visibilityState === "visible";
    await this.#post("heartbeat", { page: this.#page, screen, visible }, SILENCE).catch(() => {});
    this.#beating = false;
  }

  #post(command, body, deadline) {
    return fetch(`/api/v1/${command}`, {
      method: "POST", cache: "no-store", signal: AbortSignal.timeout(deadline),
      headers: { "Content-Type": "application/json" }, body: JSON.stringify(body),
    });
  }
}
