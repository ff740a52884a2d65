// Sounds for the countdown and the shutter, synthesized here so that no file is loaded. Off by default.
let context = null;
let enabled = false;

/** Turns the sounds on or off; a browser may block them until the first touch. */
export function enable(on) {
  enabled = on;
  if (!on || context) return;
  context = new AudioContext({ latencyHint: "interactive" });
  addEventListener("pointerdown", () => context.resume(), { passive: true });
}

/** Plays a second of the countdown; the last one is higher. */
export function tick(last) {
  if (ready()) tone(last ? 1320 : 880, 0.12, 0.25);
}

/** Plays the shutter: two short bursts of noise, like a camera's curtains. */
export function shutter() {
  if (!ready()) return;
  burst(0, 2600);
  burst(0.09, 1500);
}

/** Plays the sign of a saved photo: two rising notes. */
export function saved() {
  if (!ready()) return;
  tone(784, 0.14, 0.18);
  tone(1175, 0.3, 0.18, 0.13);
}

function ready() {
  if (!enabled || !context) return false;
  if (context.state === "suspended") context.resume();
  return true;
}

function envelope(level, seconds, at) {
  const gain = context.createGain();
  gain.gain.setValueAtTime(0, at);
  gain.gain.linearRampToValueAtTime(level, at + 0.008);
  gain.gain.exponentialRampToValueAtTime(0.001, at + seconds);
  gain.connect(context.destination);
  return gain;
}

function tone(frequency, seconds, level, delay = 0) {
  const at = context.currentTime + delay;
  const source = context.createOscillator();
  source.frequency.value = frequency;
  source.connect(envelope(level, seconds, at));
  source.start(at);
  source.stop(at + seconds);
}

function burst(delay, frequency) {
  const at = context.currentTime + delay, seconds = 0.06;
  const buffer = context.createBuffer(1, context.sampleRate * seconds, context.sampleRate);
  const samples = buffer.getChannelData(0);
  for (let index = 0; index < samples.length; index++) samples[index] = Math.random() * 2 - 1;
  const source = new AudioBufferSourceNode(context, { buffer });
  const filter = new BiquadFilterNode(context, { type: "bandpass", frequency, Q: 0.8 });
  source.connect(filter).connect(envelope(0.5, seconds, at));
  source.start(at);
}
