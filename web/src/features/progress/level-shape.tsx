import type { Level } from './levels'

interface LevelShapeProps {
  level: Level | undefined
  colour: string
  x: number
  y: number
  large?: boolean
}

/** A dot, a diamond or a triangle, with a rim of the surface around it where shapes lie close. */
export function LevelShape({ level, colour, x, y, large = false }: LevelShapeProps) {
  const size = large ? 7.5 : 5.5
  const look = { fill: colour, stroke: 'var(--raised)', strokeWidth: 1.5 }
  switch (level) {
    case 'medium':
      return <polygon points={corners(4, size + 1.5, x, y, 0)} {...look} />
    case 'hard':
      // The middle of a triangle lies below that of its box.
      return <polygon points={corners(3, size + 2, x, y + 1, 90)} {...look} />
    case 'easy':
    case undefined:
      return <circle cx={x} cy={y} r={size} {...look} />
  }
}

/** The corners of a regular polygon. The first one lies at an angle of `first` degrees, counted against the clock. */
function corners(sides: number, radius: number, x: number, y: number, first: number): string {
  return Array.from({ length: sides }, (_, i) => {
    const angle = ((first + (360 / sides) * i) * Math.PI) / 180
    return `${x + radius * Math.cos(angle)},${y - radius * Math.sin(angle)}`
  }).join(' ')
}
