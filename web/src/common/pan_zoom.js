// Moving and scaling a drawing: buttons, ctrl + wheel, pinch, drag, and arrow keys.

const SMALLEST = 0.08;
const LARGEST = 3;
const READABLE = 0.6; // The width is fitted down to this scale.
const STILL = 4; // A pointer that moved less than this many px clicked.

/**
 * Lets the reader move the content of an SVG.
 * @param {SVGSVGElement} svg
 * @param {SVGGElement} content the group that is moved
 * @param {{width: number, height: number}} size of the drawing
 */
export function panZoom(svg, content, size) {
  let scale = 1;
  let x = 0;
  let y = 0;

  const apply = () => content.setAttribute("transform", `translate(${x} ${y}) scale(${scale})`);
  const zoomAt = (factor, at) => {
    const next = Math.min(LARGEST, Math.max(SMALLEST, scale * factor));
    x = at.x - ((at.x - x) * next) / scale;
    y = at.y - ((at.y - y) * next) / scale;
    scale = next;
    apply();
  };
  const move = (dx, dy) => {
    x += dx;
    y += dy;
    apply();
  };
  const zoom = (factor) => {
    const { width, height } = svg.getBoundingClientRect();
    zoomAt(factor, { x: width / 2, y: height / 2 });
  };
  /** All of the drawing's width as far as it stays readable, or all of it. */
  const fit = (whole = false) => {
    const { width, height } = svg.getBoundingClientRect();
    if (width === 0 || size.width === 0) return;
    const across = (width - 24) / size.width;
    const down = whole ? (height - 24) / size.height : across;
    scale = Math.min(1, Math.max(whole ? SMALLEST : READABLE, Math.min(across, down)));
    x = (width - size.width * scale) / 2;
    y = whole ? Math.max(12, (height - size.height * scale) / 2) : 12;
    apply();
  };
  /** Moves a box into view if it is outside. */
  const reveal = (box) => {
    const { width, height } = svg.getBoundingClientRect();
    if (width === 0) return;
    const left = x + box.x * scale;
    const top = y + box.y * scale;
    const inside =
      left >= 0 &&
      top >= 0 &&
      left + Math.min(box.width * scale, width) <= width + 1 &&
      top + Math.min(box.height * scale, height) <= height + 1;
    if (inside) return;
    x = width / 2 - (box.x + box.width / 2) * scale;
    const middle = height / 2 - (box.y + box.height / 2) * scale;
    y = Math.min(12, Math.max(middle, 12 - box.y * scale));
    apply();
  };

  byPointer(svg, { move, zoomAt });
  byWheel(svg, zoomAt);
  byKeys(svg, { move, zoom, fit });
  return { zoom, fit, reveal };
}

function byPointer(svg, { move, zoomAt }) {
  /** @type {Map<number, {x: number, y: number}>} */
  const pointers = new Map();
  let travelled = 0;
  svg.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    if (pointers.size === 0) travelled = 0;
    pointers.set(event.pointerId, { x: event.clientX, y: event.clientY });
  });
  svg.addEventListener("pointermove", (event) => {
    const before = pointers.get(event.pointerId);
    if (!before) return;
    const now = { x: event.clientX, y: event.clientY };
    const [dx, dy] = [now.x - before.x, now.y - before.y];
    travelled += Math.hypot(dx, dy);
    if (travelled < STILL) return;
    if (!svg.hasPointerCapture(event.pointerId)) svg.setPointerCapture(event.pointerId);
    const other = [...pointers].find(([id]) => id !== event.pointerId)?.[1];
    if (other) {
      const { left, top } = svg.getBoundingClientRect();
      zoomAt(distance(now, other) / Math.max(1, distance(before, other)), {
        x: (now.x + other.x) / 2 - left,
        y: (now.y + other.y) / 2 - top,
      });
      move(dx / 2, dy / 2);
    } else move(dx, dy);
    pointers.set(event.pointerId, now);
  });
  const end = (event) => pointers.delete(event.pointerId);
  svg.addEventListener("pointerup", end);
  svg.addEventListener("pointercancel", end);
  // The end of a drag is no click.
  svg.addEventListener(
    "click",
    (event) => {
      if (travelled >= STILL && event.detail > 0) event.stopPropagation();
      travelled = 0;
    },
    true,
  );
}

function distance(a, b) {
  return Math.hypot(a.x - b.x, a.y - b.y);
}

// Without ctrl the wheel scrolls the page. A pinch on a touch pad is a wheel with ctrl.
function byWheel(svg, zoomAt) {
  svg.addEventListener(
    "wheel",
    (event) => {
      if (!event.ctrlKey && !event.metaKey) return;
      event.preventDefault();
      const { left, top } = svg.getBoundingClientRect();
      zoomAt(Math.exp(-event.deltaY / 300), { x: event.clientX - left, y: event.clientY - top });
    },
    { passive: false },
  );
}

const STEP = 60;

function byKeys(svg, { move, zoom, fit }) {
  const does = {
    ArrowLeft: () => move(STEP, 0),
    ArrowRight: () => move(-STEP, 0),
    ArrowUp: () => move(0, STEP),
    ArrowDown: () => move(0, -STEP),
    "+": () => zoom(1.25),
    "=": () => zoom(1.25),
    "-": () => zoom(0.8),
    0: () => fit(),
  };
  svg.addEventListener("keydown", (event) => {
    const run = does[event.key];
    if (!run || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    event.stopPropagation();
    run();
  });
}
