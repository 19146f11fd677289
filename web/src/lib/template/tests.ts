/** Whether something holds: known at build, or a condition of the server's template. */
export type Test = boolean | string

interface Compound {
  operator: 'and' | 'or' | 'not'
  parts: readonly string[]
}

const compounds = new Map<string, Compound>()
/** The conditions that hold where the build is drawing: inside the branches of `if`s. */
let assumptions: ReadonlyMap<string, boolean> = new Map()

function compound(operator: Compound['operator'], ...parts: string[]): string {
  const go = `(${[operator, ...parts].join(' ')})`
  compounds.set(go, { operator, parts })
  return go
}

export function negated(test: Test): Test {
  if (typeof test === 'boolean') return !test
  const { operator, parts } = compounds.get(test) ?? {}
  const [a = test, b = test] = parts ?? []
  if (operator === 'not') return a
  if (operator === 'and') return or(negated(a), negated(b))
  if (operator === 'or') return and(negated(a), negated(b))
  return compound('not', test)
}

function and(a: Test, b: Test): Test {
  if (a === false || b === false) return false
  if (a === true) return b
  return b === true || a === b ? a : compound('and', a, b)
}

function or(a: Test, b: Test): Test {
  if (a === true || b === true) return true
  if (a === false) return b
  return b === false || a === b ? a : compound('or', a, b)
}

/** `test ? yes : no` */
export function either(unknown: Test, yes: () => Test, no: () => Test): Test {
  const test = known(unknown)
  if (typeof test === 'boolean') return test ? yes() : no()
  const ifSo = assuming(test, true, () => known(yes()))
  const ifNot = assuming(test, false, () => known(no()))
  if (ifSo === ifNot) return ifSo
  if (ifSo === true) return or(test, ifNot)
  if (ifNot === false) return and(test, ifSo)
  if (ifSo === false) return and(negated(test), ifNot)
  if (ifNot === true) return or(negated(test), ifSo)
  return or(and(test, ifSo), and(negated(test), ifNot))
}

/** The test as far as it is open under the assumptions. */
export function known(test: Test): Test {
  if (typeof test === 'boolean') return test
  const assumed = assumptions.get(test)
  if (assumed !== undefined) return assumed
  const { operator, parts } = compounds.get(test) ?? {}
  const [a = test, b = test] = parts ?? []
  if (operator === 'not') return negated(known(a))
  if (operator === 'and') return and(known(a), known(b))
  return operator === 'or' ? or(known(a), known(b)) : test
}

/** Runs `f` where the test is known to have the outcome. */
export function assuming<T>(test: string, outcome: boolean, f: () => T): T {
  const before = assumptions
  const inside = new Map(before)
  assume(inside, test, outcome)
  assumptions = inside
  try {
    return f()
  } finally {
    assumptions = before
  }
}

function assume(all: Map<string, boolean>, test: string, outcome: boolean): void {
  all.set(test, outcome)
  const { operator, parts = [] } = compounds.get(test) ?? {}
  if (operator === 'not') for (const part of parts) assume(all, part, !outcome)
  // All parts of what holds hold; no part of an `or` that does not hold does.
  if (operator === (outcome ? 'and' : 'or')) for (const part of parts) assume(all, part, outcome)
}
