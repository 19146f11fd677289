import { Polygon } from '@visx/shape'
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
      return <Polygon sides={4} size={size + 1.5} center={{ x, y }} {...look} />
    case 'hard':
      // The middle of a triangle lies below that of its box.
      return <Polygon sides={3} size={size + 2} rotate={90} center={{ x, y: y + 1 }} {...look} />
    case 'easy':
    case undefined:
      return <circle cx={x} cy={y} r={size} {...look} />
  }
}
