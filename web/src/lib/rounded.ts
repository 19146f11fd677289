/** Differences below it are errors of sums. */
const noise = 1e-9

/**
 * `value` of `total` with so many decimals. A limit, 0 or `total`, shows only where it is reached: 9.97 of 10 is 9.9,
 * and .02 is .1. The server rounds by the same rule, in RoundPercent.
 */
export function rounded(value: number, total: number, decimals = 1): number {
  const near = Number(value.toFixed(decimals))
  const least = 10 ** -decimals
  if (near === 0) return value > noise ? least : 0
  return near >= total && total - value > noise ? Number((total - least).toFixed(decimals)) : near
}

/** 0 to 100 with at most one decimal: '76.5%'. */
export const percent = (value: number, decimals = 1): string => `${rounded(value, 100, decimals)}%`
