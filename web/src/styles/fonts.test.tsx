import { expect, test } from 'vitest'
import { render } from '@/test/render'

/** Faces of one family stand in for each other, letter by letter, only where they are for the same weights. */
test.each([
  ['Display', 'font-display font-bold'],
  ['Text', 'font-sans font-semibold'],
])('a word with letters beyond ASCII is in %s throughout', async (family, className) => {
  await render(<p className={className}>¿Qué día? Tomás, søen, Łódź</p>)
  await document.fonts.ready
  const faces = [...document.fonts].filter((face) => face.family.replaceAll('"', '') === family)
  expect(new Set(faces.map(({ weight }) => weight)).size).toBe(1)
  await expect.poll(() => faces.map(({ status }) => status)).toEqual(['loaded', 'loaded', 'loaded'])
})
