// The connection to the station: its events, the page's commands, and the heartbeat.
//
// An EventSource cannot have a deadline, and a socket unit accepts connections for a stopped service.
// In that case nothing arrives and nothing fails. Therefore this file reads the stream itself, and
// reconnects after a silence longer than the heartbeats allow.
import { sleep } from "./dom.js";

const SILENCE = 2000;
const PATIENCE = 5000;
const PAUSES = [200, 500, 1000, 1000, 2000];

/** The reason why a command failed: the station's problem document, or a missing answer. */
export class Refusal extends Error {
  constructor(status, problem) {
    super(problem?.detail ?? problem?.title ?? "no answer");
    this.status = status;
    this.problem = problem;
  }
}

export class Station extends EventTarget {
  /** The newest state; null before the first one. */
  state = null;
  /** Whether heartbeats arrive. */
  connected = false;
  /** Whether the station has ever answered. */
  met = false;
  /** The time of the next attempt, by performance.now(); null during an attempt. */
  nextAttempt = null;

  #page = crypto.getRandomValues(new Uint32Array(2)).join("-");
  #heard = -Infinity;
  #began = 0;
  #attempt = null;
  #lastId = "";
  #failures = 0;
  #beating = false;

  /** Starts the connection, which never ends by itself. */
  start(screen) {
    this.#run();
    setInterval(() => this.#watch(), 200);
    setInterval(() => this.#beat(screen()), 2000);
  }

  /** Sends a command for the present session. */
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
        // The loop reconnects after any end: a closed, refused or silent connection.
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

  /** Ignores an answer to a command that is older than the state from the events. */
  #take(state, fromEvents = false) {
    const known = this.state;
    if (known?.instance === state.instance && state.number < known.number) return;
    if (!fromEvents && known && known.instance !== state.instance) return;
    state.received = performance.now();
    this.state = state;
    this.#changed();
  }

  /** Measures the silence only after all arrived data was read, because a busy page is not a dead station. */
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
