/**
 * One stroke of a pen around a 100 × 100 box: an ellipse that starts at the upper right, wobbles, and ends a
 * little past its start without closing. The seed decides the wobble, so that no two marks look alike and
 * each one always looks the same.
 */
export function penCircle(seed: string): string {
  const random = numbersFrom(seed)
  const points = 9
  const start = -0.95 + (random() - 0.5) * 0.5
  const sweep = Math.PI * 2 + 0.28 + random() * 0.3
  const tilt = (random() - 0.5) * 0.22
  const at = (i: number): [number, number] => {
    const t = i / points
    const angle = start - sweep * t
    // The end runs a little outside the start, as a wrist does.
    const radius = 43.5 + t * 3 + (random() - 0.5) * 3.2
    const x = Math.cos(angle) * radius
    const y = Math.sin(angle) * radius
    return [50 + x * Math.cos(tilt) - y * Math.sin(tilt), 50 + x * Math.sin(tilt) + y * Math.cos(tilt)]
  }
  return smooth(Array.from({ length: points + 1 }, (_, i) => at(i)))
}

/** One quick line under a word, in a box of 100 × 20. */
export function penLine(seed: string): string {
  const random = numbersFrom(seed)
  const y = () => 8 + (random() - 0.5) * 5
  return smooth([
    [2, y() + 3],
    [28, y()],
    [55, y() + 1],
    [80, y() - 1],
    [98, y() + 2],
  ])
}

/** A Catmull-Rom curve through the points, as cubic Béziers. */
function smooth(points: [number, number][]): string {
  const at = (i: number) => points[Math.min(Math.max(i, 0), points.length - 1)] ?? [0, 0]
  let path = `M${fixed(at(0))}`
  for (let i = 0; i < points.length - 1; i++) {
    const [p0, p1, p2, p3] = [at(i - 1), at(i), at(i + 1), at(i + 2)]
    const c1: [number, number] = [p1[0] + (p2[0] - p0[0]) / 6, p1[1] + (p2[1] - p0[1]) / 6]
    const c2: [number, number] = [p2[0] - (p3[0] - p1[0]) / 6, p2[1] - (p3[1] - p1[1]) / 6]
    path += `C${fixed(c1)} ${fixed(c2)} ${fixed(p2)}`
  }
  return path
}

function fixed([x, y]: readonly [number, number]): string {
  return `${x.toFixed(1)} ${y.toFixed(1)}`
}

/** Numbers in [0, 1) that depend on the seed alone (FNV-1a, then mulberry32). */
function numbersFrom(seed: string): () => number {
  let state = 0x811c9dc5
  for (const char of seed) state = Math.imul(state ^ (char.codePointAt(0) ?? 0), 0x01000193)
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296
  }
}
