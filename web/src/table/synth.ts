/** An office in six sounds, made of noise and sine waves. */
import type { Sound } from "./sound";

let heard: AudioContext | null = null;
let hiss: AudioBuffer | null = null;

const VOLUME = 0.32;

/** `wait` is in seconds. */
export function play(name: Sound, wait = 0): void {
  heard ??= new AudioContext();
  // Before the first touch of the page a browser keeps silent; then it must be woken.
  if (heard.state === "suspended") void heard.resume();
  MAKERS[name](heard, heard.currentTime + wait + 0.01);
}

/** What is heard of a sound: rises at once, and dies away. */
function fading(audio: AudioContext, at: number, loud: number, length: number, rise = 0.004): GainNode {
  const gain = audio.createGain();
  gain.gain.setValueAtTime(0.0001, at);
  gain.gain.exponentialRampToValueAtTime(loud * VOLUME, at + rise);
  gain.gain.exponentialRampToValueAtTime(0.0001, at + length);
  gain.connect(audio.destination);
  return gain;
}

function noise(audio: AudioContext, at: number, length: number, loud: number, filter: BiquadFilterType, from: number, to: number, rise = 0.004): void {
  if (hiss === null) {
    hiss = audio.createBuffer(1, audio.sampleRate, audio.sampleRate);
    const data = hiss.getChannelData(0);
    for (let i = 0; i < data.length; i += 1) data[i] = Math.random() * 2 - 1;
  }
  const source = audio.createBufferSource();
  source.buffer = hiss;
  const shape = audio.createBiquadFilter();
  shape.type = filter;
  shape.Q.value = 0.9;
  shape.frequency.setValueAtTime(from, at);
  shape.frequency.exponentialRampToValueAtTime(to, at + length);
  source.connect(shape).connect(fading(audio, at, loud, length, rise));
  source.start(at, Math.random() * 0.5, length + 0.05);
}

function tone(audio: AudioContext, at: number, length: number, loud: number, from: number, to = from, type: OscillatorType = "sine"): void {
  const source = audio.createOscillator();
  source.type = type;
  source.frequency.setValueAtTime(from, at);
  source.frequency.exponentialRampToValueAtTime(to, at + length);
  source.connect(fading(audio, at, loud, length));
  source.start(at);
  source.stop(at + length + 0.05);
}

const MAKERS: Record<Sound, (audio: AudioContext, at: number) => void> = {
  // A sheet slides over the desk and lies still.
  paper(audio, at) {
    noise(audio, at, 0.16, 0.5, "bandpass", 2600, 5200, 0.05);
    noise(audio, at + 0.13, 0.05, 0.35, "highpass", 3000, 2000);
  },
  // Partitions on carpet.
  thud(audio, at) {
    tone(audio, at, 0.16, 0.9, 130, 58);
    noise(audio, at, 0.08, 0.4, "lowpass", 700, 180);
  },
  // Rubber on paper, with the spring of the stamp after it.
  stamp(audio, at) {
    tone(audio, at, 0.1, 1, 210, 70);
    noise(audio, at, 0.06, 0.9, "lowpass", 1800, 300);
    noise(audio, at + 0.09, 0.05, 0.25, "bandpass", 3400, 2200);
  },
  // Three notes, for points.
  chime(audio, at) {
    [784, 988, 1319].forEach((note, place) => {
      tone(audio, at + place * 0.085, 0.5, 0.5, note);
      tone(audio, at + place * 0.085, 0.25, 0.12, note * 2.01);
    });
  },
  // Castors.
  chair(audio, at) {
    noise(audio, at, 0.3, 0.3, "bandpass", 420, 760, 0.08);
    for (let i = 0; i < 5; i += 1) noise(audio, at + i * 0.055, 0.03, 0.22, "bandpass", 1500, 900);
  },
  // The bell on the counter, once.
  bell(audio, at) {
    tone(audio, at, 1.1, 0.5, 1760);
    tone(audio, at, 0.7, 0.22, 1760 * 2.76);
    tone(audio, at, 0.4, 0.1, 1760 * 5.4);
  },
};
