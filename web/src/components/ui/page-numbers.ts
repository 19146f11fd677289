/**
 * The numbers to offer, null where an ellipsis stands: the first, the last, the current one and its neighbours.
 * A gap of one page shows that page, since an ellipsis would be no shorter.
 */
export function pageNumbers(page: number, totalPages: number): (number | null)[] {
  const at = Math.min(page, totalPages)
  const wanted = [1, at - 1, at, at + 1, totalPages]
  const shown = [...new Set(wanted)].filter((n) => n >= 1 && n <= totalPages).toSorted((a, b) => a - b)
  const numbers: (number | null)[] = []
  let before = 0
  for (const n of shown) {
    if (n - before === 2) numbers.push(n - 1)
    else if (n - before > 2) numbers.push(null)
    numbers.push(n)
    before = n
  }
  return numbers
}
