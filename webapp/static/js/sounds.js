// The sounds of the reveal, made on the spot. A TV sounds from its first scan, a phone once somebody has turned sound on,
// which is remembered. Where a browser waits for a touch or a key first, any will do, and a button says so.

const KEPT = "sound";
let context = null;

function note(kind, pitches, seconds, loud, to = 0) {
  for (const pitch of pitches) {
    const tone = context.createOscillator();
    const volume = context.createGain();
    const now = context.currentTime;
    tone.type = kind;
    tone.frequency.setValueAtTime(pitch, now);
    if (to) tone.frequency.exponentialRampToValueAtTime(to, now + seconds);
    volume.gain.setValueAtTime(0.0001, now);
    volume.gain.exponentialRampToValueAtTime(loud / pitches.length, now + 0.008);
    volume.gain.exponentialRampToValueAtTime(0.0001, now + seconds);
    tone.connect(volume).connect(context.destination);
    tone.start(now);
    tone.stop(now + seconds);
  }
}

let line = 0;
const SOUNDS = {
  ebb: () => ((line = 0), note("sawtooth", [110, 165, 220], 0.9, 0.2)),
  line: () => note("triangle", [330 * 2 ** (line++ / 12)], 0.18, 0.3),
  hush: () => note("triangle", [1800], 0.04, 0.1),
  level: () => note("triangle", [1800], 0.04, 0.15),
  rung: () => note("triangle", [1800], 0.04, 0.15),
  place: () => note("sine", [180], 0.09, 0.3, 90),
  flag: () => note("sine", [523, 1444, 2824], 1.6, 0.4),
};

document.addEventListener("beat", ({ detail }) => context?.state === "running" && SOUNDS[detail.kind]?.());

export async function sound() {
  const Context = window.AudioContext || window.webkitAudioContext;
  if (!Context) return false;
  context = context || new Context();
  await Promise.race([context.resume(), new Promise((done) => setTimeout(done, 300))]); // it may wait for a touch
  return context.state === "running";
}

function buttons() {
  for (const button of document.querySelectorAll("[data-sound]:not([data-ready])")) {
    button.dataset.ready = "";
    button.hidden = !(window.AudioContext || window.webkitAudioContext) || context?.state === "running";
    button.addEventListener("click", async () => {
      button.hidden = await sound();
      if (!button.hidden) return;
      keep();
      SOUNDS.flag();
    });
  }
}

function keep() {
  try {
    localStorage.setItem(KEPT, "on");
  } catch {
    // asked again next time
  }
}

async function wanted() {
  try {
    if (!(document.body.classList.contains("tv") || localStorage.getItem(KEPT)) || !(await sound())) return;
  } catch {
    return;
  }
  for (const button of document.querySelectorAll("[data-sound]")) button.hidden = true;
}

document.addEventListener("parts", buttons);
for (const kind of ["keydown", "pointerup"]) document.addEventListener(kind, wanted, { once: true });
buttons();
wanted();
