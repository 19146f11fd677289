import { describe, expect, test } from 'vitest'
import { percent, rounded } from './rounded'

describe('a limit shows only where it is reached', () => {
  test.each([
    [0, '0%'],
    [100, '100%'],
    [76.5, '76.5%'],
    [66.666, '66.7%'],
    [99.95, '99.9%'],
    [(100 * 259) / 260, '99.6%'],
    [99.999999, '99.9%'],
    [0.04, '0.1%'],
    [1e-6, '0.1%'],
    [100 - 1e-12, '100%'],
    [1e-12, '0%'],
  ])('%d percent is %s', (value, text) => expect(percent(value)).toBe(text))

  test.each([
    [99.6, '99%'], // SERG-Delft/andy#99
    [(100 * 137) / 138, '99%'], // jsnyders/ClimbingComp#14
    [(100 * 211) / 212, '99%'], // Razviar/mtgap#74
    [(100 * 358) / 359, '99%'], // console-rs/indicatif#705
    [(100 * 259) / 260, '99%'], // Submitty/Submitty#1617
    [0.3, '1%'],
    [50.5, '51%'],
  ])('%d percent is %s without decimals', (value, text) => expect(percent(value, 0)).toBe(text))

  test('of every mark and total', () => {
    for (let total = 1; total <= 1000; total += 37) {
      for (let part = 0; part <= 200; part++) {
        const value = (total * part) / 200
        for (const decimals of [0, 1, 2]) {
          const shown = rounded(value, total, decimals)
          // A single mark without decimals has no room between its limits.
          if (total === 1 && decimals === 0) continue
          expect([shown === 0, shown === total]).toEqual([part === 0, part === 200])
          expect(Math.abs(shown - value)).toBeLessThanOrEqual(10 ** -decimals)
        }
      }
    }
  })
})
