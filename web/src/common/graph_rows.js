// The layout of a graph with many boxes, in time that grows with its size: rows by the longest path,
// boxes above their neighbours, edges over more than one row in lanes at the right of the boxes they
// pass. dagre draws small graphs better, and needs a second for a hundred boxes with long edges.

const LANE = 10; // The distance of lanes.
const SWEEPS = 8;
const HOLD = 0.15; // How much the middle attracts a box, beside its neighbours: a chain stays upright.

/**
 * @param {{width: number, height: number}[]} sizes
 * @param {{from: number, to: number, label?: string}[]} edges by the numbers of the boxes
 * @param {{ranksep: number, nodesep: number}} gaps
 */
export function inRows(sizes, edges, { ranksep, nodesep }) {
  const row = rowsOf(sizes.length, edges);
  const rows = [];
  sizes.forEach((_, index) => {
    rows[row[index]] = [...(rows[row[index]] ?? []), index];
  });
  const short = edges.filter(({ from, to }) => row[to] - row[from] === 1);
  const centres = placedAcross(rows, sizes, short, nodesep);
  const boxes = [];
  let y = 0;
  for (const members of rows) {
    const tall = Math.max(...members.map((index) => sizes[index].height));
    for (const index of members) {
      const { width, height } = sizes[index];
      boxes[index] = { x: centres[index] - width / 2, y: y + (tall - height) / 2, width, height };
    }
    y += tall + ranksep;
  }
  const left = Math.min(...boxes.map((box) => box.x));
  for (const box of boxes) box.x -= left;
  const long = edges.filter(({ from, to }) => row[to] - row[from] !== 1);
  const { lanes, right } = besides(boxes, long);
  const paths = short.map((edge) => ({
    ...edge,
    points: downwards(boxes[edge.from], boxes[edge.to]),
  }));
  const width = Math.max(right, ...boxes.map((box) => box.x + box.width));
  return { boxes, paths: [...paths, ...lanes], width, height: y - ranksep };
}

/** The row of each box: one above the first that needs it. An edge of a cycle does not count. */
function rowsOf(size, edges) {
  const next = Array.from({ length: size }, () => []);
  for (const { from, to } of edges) next[from].push(to);
  const depth = new Array(size).fill(-1);
  const isOpen = new Array(size).fill(false);
  for (let root = 0; root < size; root += 1) {
    const stack = [root];
    while (stack.length > 0) {
      const id = stack.at(-1);
      const missing = isOpen[id] ? [] : next[id].filter((to) => !isOpen[to]);
      isOpen[id] = true;
      if (missing.length > 0) stack.push(...missing);
      else {
        stack.pop();
        depth[id] = 1 + Math.max(-1, ...next[id].map((to) => depth[to]));
      }
    }
  }
  const deepest = Math.max(...depth);
  return depth.map((one) => deepest - one);
}

/** The centre of each box: near its neighbours' centres, in the order that this gives. */
function placedAcross(rows, sizes, edges, gap) {
  const neighbours = sizes.map(() => []);
  const inputs = new Array(sizes.length).fill(0);
  for (const { to } of edges) inputs[to] += 1;
  const outputs = new Array(sizes.length).fill(0);
  for (const { from } of edges) outputs[from] += 1;
  // An argument stands beside its kernel, and does not move it.
  const isLeaf = (index) => inputs[index] === 0 && outputs[index] === 1;
  for (const { from, to } of edges) {
    neighbours[from].push(to);
    if (!isLeaf(from)) neighbours[to].push(from);
  }
  const isHeard = (index) => !isLeaf(index);
  const centres = new Array(sizes.length).fill(0);
  for (const members of rows) spread(members, () => 0, centres, sizes, gap, isHeard);
  for (let sweep = 0; sweep < SWEEPS; sweep += 1) {
    for (const members of sweep % 2 ? [...rows].reverse() : rows) {
      const goals = new Map();
      for (const index of members) {
        const near = neighbours[index];
        const sum = near.reduce((total, other) => total + centres[other], 0);
        goals.set(index, sum / (near.length + HOLD));
      }
      members.sort((a, b) => Number(isLeaf(a)) - Number(isLeaf(b)) || goals.get(a) - goals.get(b));
      spread(members, (index) => goals.get(index), centres, sizes, gap, isHeard);
    }
  }
  return centres;
}

/**
 * Puts the boxes of a row side by side: each as near to its goal as those at its left allow, then all
 * of them back to the left by what they were moved in the mean. `counts` says which have a say in that.
 */
function spread(members, goal, centres, sizes, gap, counts) {
  let right = Number.NEGATIVE_INFINITY;
  for (const index of members) {
    const half = sizes[index].width / 2;
    centres[index] = Math.max(goal(index), right + gap + half);
    right = centres[index] + half;
  }
  const heard = members.some(counts) ? members.filter(counts) : members;
  const moved = heard.reduce((sum, index) => sum + centres[index] - goal(index), 0) / heard.length;
  for (const index of members) centres[index] -= moved;
}

function downwards(a, b) {
  const start = { x: a.x + a.width / 2, y: a.y + a.height };
  const end = { x: b.x + b.width / 2, y: b.y };
  if (Math.abs(start.x - end.x) < 1) return [start, end];
  const middle = (start.y + end.y) / 2;
  return [start, { x: start.x, y: middle }, { x: end.x, y: middle }, end];
}

/** Paths in lanes at the right of the boxes that they pass. */
function besides(boxes, edges) {
  const taken = [];
  let right = 0;
  const lanes = edges.map(({ from, to, label }) => {
    const [a, b] = [boxes[from], boxes[to]];
    const [start, end] = [a.y + a.height / 2, b.y + b.height / 2];
    const [top, bottom] = [Math.min(start, end), Math.max(start, end)];
    const passed = boxes.filter((box) => box.y < bottom && box.y + box.height > top);
    let x = Math.max(...passed.map((box) => box.x + box.width)) + LANE;
    const crosses = (lane) => lane.top < bottom && top < lane.bottom && Math.abs(lane.x - x) < LANE;
    while (taken.some(crosses)) x += LANE;
    taken.push({ x, top, bottom });
    right = Math.max(right, x + 2);
    return {
      from,
      to,
      label,
      lane: x,
      points: [
        { x: a.x + a.width, y: start },
        { x, y: start },
        { x, y: (start + end) / 2 },
        { x, y: end },
        { x: b.x + b.width, y: end },
      ],
    };
  });
  return { lanes, right };
}
