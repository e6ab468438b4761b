// Spray over the winners: small squares in the players' colours, thrown up from the lower edge, for less than three
// seconds.

const DROPS = 90;
const LASTS = 2400; // ms

export function spray(canvas, discs) {
  const pen = canvas.getContext("2d");
  const { width, height } = canvas.getBoundingClientRect();
  if (!pen || !width) return;
  canvas.width = width;
  canvas.height = height;
  const colours = [...discs].map((disc) => disc.getAttribute("fill"));
  const unit = Math.min(width, height) / 100;
  const drops = Array.from({ length: DROPS }, (_, number) => ({
    x: width * (0.2 + 0.6 * Math.random()),
    across: (Math.random() - 0.5) * width * 0.7,
    up: height * (0.9 + 0.8 * Math.random()),
    side: unit * (1 + 2 * Math.random()),
    turn: Math.random() * 9,
    colour: colours[number % colours.length],
  }));
  const begun = performance.now();
  const draw = (now) => {
    const time = Math.max(0, now - begun) / LASTS;
    pen.clearRect(0, 0, width, height);
    if (time >= 1 || !canvas.isConnected) return;
    pen.globalAlpha = Math.min(1, 3 - 3 * time);
    for (const { x, across, up, side, turn, colour } of drops) {
      pen.setTransform(1, 0, 0, 1, x + across * time, height - up * 2 * time + up * 2.2 * time * time);
      pen.rotate(turn * time);
      pen.fillStyle = colour;
      pen.fillRect(-side / 2, -side / 2, side, side * 0.6);
      pen.setTransform(1, 0, 0, 1, 0, 0);
    }
    requestAnimationFrame(draw);
  };
  requestAnimationFrame(draw);
}
