import type { ReactNode } from 'react'
import {
  choose as chosen,
  each,
  falsePartOf,
  hasMark,
  isRecorded,
  markOfExpression,
  markOfTest,
  not as negated,
  overChoices,
  presenceOf,
  refuse,
  shapeOf,
  truthOf,
  valueOfTest,
  written,
} from './values'

/**
 * JavaScript's operators as the build's copy of the app calls them (web/scripts/both-ways.mjs). Where no page data is
 * involved they do what the operator does. `at` is file and line, for the message of a refusal.
 */

const isMarked = (value: unknown): boolean => typeof value === 'string' && hasMark(value)
const isPageData = (value: unknown): boolean => isRecorded(value) || isMarked(value)

export const and = (a: unknown, b: () => unknown, at: string): unknown =>
  isPageData(a) ? chosen(truthOf(a, at), b, () => falsePartOf(a)) : a && b()

export const or = (a: unknown, b: () => unknown, at: string): unknown =>
  isPageData(a) ? chosen(truthOf(a, at), () => a, b) : a || b()

export const nullish = (a: unknown, b: () => unknown, _at: string): unknown =>
  isRecorded(a) ? chosen(presenceOf(a), () => a, b) : (a ?? b())

export const choose = (test: unknown, yes: () => unknown, no: () => unknown, at: string): unknown =>
  chosen(truthOf(test, at), yes, no)

export const not = (value: unknown, at: string): unknown => negated(truthOf(value, at))

/** `value?.…` */
export function optional(value: unknown, rest: (value: unknown) => unknown): unknown {
  if (isRecorded(value))
    return chosen(
      presenceOf(value),
      () => rest(value),
      () => undefined,
    )
  return value === null || value === undefined ? undefined : rest(value)
}

export function equal(a: unknown, b: unknown, at: string): unknown {
  if (isMarked(a) || isMarked(b)) return refuse(at, 'a text made of page data cannot be compared')
  if (!isRecorded(a) && !isRecorded(b)) return a === b
  return overChoices(a, (one) => overChoices(b, (other) => equalValues(one, other, at)))
}

function equalValues(a: unknown, b: unknown, at: string): unknown {
  if (!isRecorded(a)) return isRecorded(b) ? equalValues(b, a, at) : a === b
  if (b === null || b === undefined) return negated(presenceOf(a))
  if (shapeOf(a)?.kind === 'test' && typeof b === 'boolean') return b ? a : negated(truthOf(a, at))
  if (!isRecorded(b) && (typeof b === 'object' || typeof b === 'function')) {
    return refuse(at, 'page data cannot be compared with an object')
  }
  return valueOfTest(`(same ${written(a)} ${written(b)})`)
}

export const unequal = (a: unknown, b: unknown, at: string): unknown => not(equal(a, b, at), at)

/** `==`, which the sources use for null alone. */
export const loose = (a: unknown, b: unknown, at: string): unknown =>
  b === null ? negated(presenceOf(a)) : equal(a, b, at)

export const looseNot = (a: unknown, b: unknown, at: string): unknown => not(loose(a, b, at), at)

type Compare = (a: unknown, b: unknown, at: string) => unknown

function comparison(name: string, compute: (a: number, b: number) => boolean): Compare {
  const compare: Compare = (a, b, at) => {
    if (isMarked(a) || isMarked(b)) return refuse(at, 'a text made of page data cannot be compared')
    return overChoices(a, (one) =>
      overChoices(b, (other) => {
        if (!isRecorded(one) && !isRecorded(other)) return compute(one as number, other as number)
        return valueOfTest(`(${name} ${written(one)} ${written(other)})`)
      }),
    )
  }
  return compare
}

export const less = comparison('lt', (a, b) => a < b)
export const more = comparison('gt', (a, b) => a > b)
export const atMost = comparison('le', (a, b) => a <= b)
export const atLeast = comparison('ge', (a, b) => a >= b)

export function add(a: unknown, b: unknown, at: string): unknown {
  if (!isRecorded(a) && !isRecorded(b)) return (a as string) + (b as string)
  if (typeof a === 'string' || typeof b === 'string') return `${a as string}${b as string}`
  return refuse(at, 'page data cannot be computed with')
}

/** The value of a parameter with a default, which holds where page data has none. */
export const defaulted = (value: unknown, byDefault: () => unknown, at: string): unknown =>
  isRecorded(value) ? nullish(value, byDefault, at) : value

export function withoutDefaults(value: unknown, names: readonly string[], at: string): unknown {
  for (const name of names) {
    if (isRecorded(value) || isRecorded((value as Record<string, unknown>)[name])) {
      refuse(at, `a default for page data is not drawn; write ${name} ?? …`)
    }
  }
  return value
}

/** Passes on values that are known at build, and refuses others. */
export function plain(value: unknown, at: string, what: string): unknown {
  if (isPageData(value))
    refuse(at, `\`${what}\` would take one branch for all page data; write it with ?: or &&`)
  return value
}

export function typeOf(value: () => unknown, at: string): string {
  let known: unknown
  try {
    known = value()
  } catch {
    return 'undefined'
  }
  return typeof plain(known, at, 'typeof')
}

/** `object[key]`; a key that is page data picks among all keys of a plain object. */
export function index(object: unknown, key: unknown, at: string): unknown {
  const entries = object as Record<string, unknown>
  if (isMarked(key)) return refuse(at, 'a text made of page data cannot be a key')
  if (!isRecorded(key)) {
    if (isRecorded(object) && typeof key !== 'string') return refuse(at, 'page data has no numbered fields')
    return entries[key as string]
  }
  if (isRecorded(object)) return refuse(at, 'page data cannot be a key of page data')
  return Object.keys(entries).reduceRight<unknown>(
    (rest, name) =>
      choose(
        equal(key, name, at),
        () => entries[name],
        () => rest,
        at,
      ),
    undefined,
  )
}

export function length(value: unknown, at: string): unknown {
  if (isMarked(value)) return refuse(at, 'the length of a text made of page data is not known')
  return (value as { length: unknown }).length
}

type Anything = (...args: readonly unknown[]) => unknown

/** Whether JavaScript itself brings a function: it would take a recorded value for an object. */
function isNative(called: unknown): boolean {
  return (
    typeof called === 'function' &&
    !called.name.startsWith('bound ') &&
    /\{\s*\[native code\]\s*\}$/.test(Function.prototype.toString.call(called))
  )
}

const keeping = new Set(['push', 'unshift', 'concat', 'set', 'resolve', 'assign', 'fromEntries', 'stringify'])
const deciding = new Set(['filter', 'findIndex', 'findLast', 'findLastIndex'])

type Fold = (elements: readonly unknown[], by: unknown, at: string) => unknown

/** Methods of a list whose answer is made of comparisons, which may be page data. */
const folds: Record<string, Fold> = {
  includes: (elements, by, at) =>
    elements.reduce((found, one) => or(found, () => equal(one, by, at), at), false),
  some: (elements, by, at) =>
    elements.reduce((found, one, i) => or(found, () => (by as Anything)(one, i), at), false),
  every: (elements, by, at) =>
    elements.reduce((all, one, i) => and(all, () => (by as Anything)(one, i), at), true),
  find: (elements, by, at) => findFrom(elements, 0, by as Anything, at),
}

function findFrom(elements: readonly unknown[], i: number, by: Anything, at: string): unknown {
  if (i >= elements.length) return undefined
  return choose(
    by(elements[i], i),
    () => elements[i],
    () => findFrom(elements, i + 1, by, at),
    at,
  )
}

/** `object.name(…)` */
export function method(object: unknown, name: string, args: readonly unknown[], at: string): unknown {
  if (isRecorded(object)) {
    if (name !== 'map') return refuse(at, `page data has no ${name}(); wrap the call in format()`)
    const [draw] = args as [(item: unknown, index: unknown) => ReactNode]
    return overChoices(object, (list) => (isRecorded(list) ? each(list, draw) : method(list, name, args, at)))
  }
  const called = (object as Record<string, Anything>)[name] as Anything
  if (!isNative(called)) return Reflect.apply(called, object, args)
  const folded = Array.isArray(object) ? folds[name] : undefined
  if (folded) return folded(object as unknown[], args[0], at)
  if (isMarked(object) || (!keeping.has(name) && args.some(isPageData))) {
    return refuse(at, `${name}() cannot take page data; wrap the call in format()`)
  }
  const passed = deciding.has(name) ? args.map((arg) => decidedAtBuild(arg, name, at)) : args
  return Reflect.apply(called, object, passed)
}

/** A predicate whose answer may not be page data. */
function decidedAtBuild(predicate: unknown, name: string, at: string): unknown {
  if (typeof predicate !== 'function') return predicate
  return (...args: readonly unknown[]) => {
    if (predicate === Boolean) plain(args[0], at, name)
    return plain((predicate as Anything)(...args), at, name)
  }
}

/** A call of one of the language's own functions. */
export function native(called: Anything, args: readonly unknown[], at: string): unknown {
  if (!args.some(isPageData)) return called(...args)
  if ((called as unknown) === Boolean) return valueOfTest(truthOf(args[0], at))
  return refuse(at, `${called.name}() cannot take page data; wrap the call in format()`)
}

/** HTML's attributes that are there or not. */
const switches = new Set(
  'autoFocus checked controls defaultChecked disabled hidden inert multiple muted open readOnly required selected'.split(
    ' ',
  ),
)

/** The attributes of an HTML element, for the server to decide about those that are page data. */
export function attributes(tag: string, props: object | undefined, at: string): object | undefined {
  if (!props || !Object.values(props).some((value) => isRecorded(value) || isStyle(value))) return props
  return Object.fromEntries(Object.entries(props).map(([name, value]) => attribute(tag, name, value, at)))
}

const isStyle = (value: unknown) =>
  typeof value === 'object' && value !== null && Object.values(value).some(isRecorded)

function attribute(tag: string, name: string, value: unknown, at: string): [string, unknown] {
  if (name === 'style' && (isRecorded(value) || isStyle(value)))
    return refuse(at, 'page data cannot be style')
  if (!isRecorded(value)) return [name, value]
  // React leaves what a select shows at first to the server.
  if (tag === 'select' && name === 'value') return ['data-chosen', markOfExpression(value)]
  if (!switches.has(name)) return [name, value]
  const test = truthOf(value, at)
  return typeof test === 'boolean' ? [name, test] : [`data-if-${name.toLowerCase()}`, markOfTest(test)]
}
