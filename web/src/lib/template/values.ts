import { createElement, type ReactNode } from 'react'
import { assuming, either, known, negated, type Test } from './tests'

/**
 * At build, pages are drawn with recorded values in place of their data. A recorded value remembers the expression
 * of the server's template that it stands for; its fields are further paths, `$.assignment.title`. The operators of
 * the components' own source are recorded too (operators.ts). None of this is in the browser's code.
 */

type Shape =
  /** The value of a path or function of the template. Never null if `certain`; an object is truthy besides. */
  | { kind: 'data'; go: string; certain?: 'value' | 'object' | undefined }
  /** The same where it is known to be falsy: '', 0, false or null. */
  | { kind: 'falsy'; go: string }
  | { kind: 'test'; go: string }
  | { kind: 'choice'; test: string; yes: unknown; no: unknown }

const shapes = new WeakMap<object, Shape>()

export const shapeOf = (value: unknown): Shape | undefined =>
  typeof value === 'object' && value !== null ? shapes.get(value) : undefined

export const isChoice = (value: unknown): boolean => shapeOf(value)?.kind === 'choice'

export const isRecorded = (value: unknown): boolean => shapeOf(value) !== undefined

/** A mark stands in the drawn HTML for an expression, or for a value as text. */
export type Mark = { go: string } | { value: unknown; spelled: boolean }

const opening = '\uE000'
const closing = '\uE001'
/** A mark in drawn HTML; its number is the first group. */
export const markPattern = `${opening}(\\d+)${closing}`

export const hasMark = (text: string): boolean => text.includes(opening)

let marks: Mark[] = []
let lists = 0
let failure: Error | undefined
let active = false

export const isRecording = (): boolean => active

/** Runs `draw` and returns its result and the meaning of its marks. */
export function recording<T>(draw: () => T): { drawn: T; marks: readonly Mark[] } {
  marks = []
  lists = 0
  failure = undefined
  active = true
  try {
    const drawn = draw()
    // React draws a fallback where a component throws inside a Suspense boundary.
    if (failure) throw failure
    return { drawn, marks }
  } finally {
    active = false
  }
}

/** Ends the build. */
export function refuse(at: string, message: string): never {
  failure ??= new Error(`${at}: ${message}`)
  throw failure
}

function mark(one: Mark): string {
  marks.push(one)
  return `${opening}${marks.length - 1}${closing}`
}

export const markOfTest = (go: string): string => mark({ go })

/** The mark of a value's expression. */
export const markOfExpression = (value: unknown): string => mark({ go: written(value) })

/** Page data by its path; `object` if it is always there. */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- the caller knows the type
export function record<T>(go: string, certain?: 'value' | 'object'): T {
  return valueOf({ kind: 'data', go, certain }) as T
}

/** A function of the server's templates, called with values of which some are recorded. */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- the caller knows the type
export function recordCall<T>(name: string, args: readonly unknown[]): T {
  return record<T>(`(${[name, ...args.map(written)].join(' ')})`, 'value')
}

/** A value as the server's templates write it. */
export function written(value: unknown): string {
  const shape = shapeOf(value)
  if (shape && shape.kind !== 'choice') return shape.go
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  if (typeof value === 'string' && !hasMark(value)) return JSON.stringify(value)
  throw new Error(
    `A template cannot hold ${typeof value === 'string' ? 'a text made of page data' : typeof value}`,
  )
}

export const valueOfTest = (test: Test): unknown =>
  typeof test === 'boolean' ? test : valueOf({ kind: 'test', go: test })

export const not = (value: Test): unknown => valueOfTest(negated(value))

/** Whether JavaScript takes the value for true. */
export function truthOf(value: unknown, at: string): Test {
  const shape = shapeOf(value)
  if (!shape) {
    if (typeof value !== 'string' || !hasMark(value)) return Boolean(value)
    if (value.replaceAll(new RegExp(markPattern, 'g'), '') !== '') return true
    return refuse(at, 'whether a text made of page data is empty is not known at build')
  }
  switch (shape.kind) {
    case 'data':
      return shape.certain === 'object' || `(truthy ${shape.go})`
    case 'falsy':
      return false
    case 'test':
      return shape.go
    case 'choice':
      return either(
        shape.test,
        () => truthOf(shape.yes, at),
        () => truthOf(shape.no, at),
      )
  }
}

/** Whether the value is neither null nor undefined. */
export function presenceOf(value: unknown): Test {
  const shape = shapeOf(value)
  switch (shape?.kind) {
    case undefined:
      return value !== null && value !== undefined
    case 'data':
      return shape.certain !== undefined || `(present ${shape.go})`
    case 'falsy':
      return `(present ${shape.go})`
    case 'test':
      return true
    case 'choice':
      return either(
        shape.test,
        () => presenceOf(shape.yes),
        () => presenceOf(shape.no),
      )
  }
}

/** A test that is one value or another. */
const testOf = (value: unknown): Test | undefined => {
  if (typeof value === 'boolean') return value
  const shape = shapeOf(value)
  return shape?.kind === 'test' ? shape.go : undefined
}

/** One of two values, as the test says; both where it is not known at build. */
export function choose(unknown: Test, yes: () => unknown, no: () => unknown): unknown {
  const test = known(unknown)
  if (typeof test === 'boolean') return test ? yes() : no()
  const values = {
    yes: assuming(test, true, () => settled(yes())),
    no: assuming(test, false, () => settled(no())),
  }
  if (Object.is(values.yes, values.no)) return values.yes
  const tests = { yes: testOf(values.yes), no: testOf(values.no) }
  if (tests.yes !== undefined && tests.no !== undefined) {
    return valueOfTest(
      either(
        test,
        () => tests.yes as Test,
        () => tests.no as Test,
      ),
    )
  }
  return valueOf({ kind: 'choice', test, ...values })
}

/** The branch of a choice that is already decided where the build is drawing. */
function settled(value: unknown): unknown {
  const shape = shapeOf(value)
  if (shape?.kind !== 'choice') return value
  const test = known(shape.test)
  return typeof test === 'boolean' ? settled(test ? shape.yes : shape.no) : value
}

/** Applies `f` to the value, or to both values of a choice. */
export function overChoices(value: unknown, f: (one: unknown) => unknown): unknown {
  const shape = shapeOf(value)
  if (shape?.kind !== 'choice') return f(value)
  return choose(
    shape.test,
    () => overChoices(shape.yes, f),
    () => overChoices(shape.no, f),
  )
}

/** The value of `value && …` where `value` is falsy. */
export function falsePartOf(value: unknown): unknown {
  return overChoices(value, (one) => {
    const shape = shapeOf(one)
    if (shape?.kind === 'test') return false
    return shape?.kind === 'data' ? valueOf({ kind: 'falsy', go: shape.go }) : one
  })
}

const lazy = Symbol.for('react.lazy')
/** React and promises ask every value for these. */
const notFields = new Set(['@@iterator', 'then', 'constructor', '_debugInfo', '_store', 'props'])

function valueOf(shape: Shape): object {
  const fields = new Map<string, unknown>()
  const fieldOf = (name: string) => {
    if (!fields.has(name)) fields.set(name, readField(shape, name))
    return fields.get(name)
  }
  const cannot = (what: string) => () => refuse(nameOf(shape), `page data cannot be ${what}`)
  const value = new Proxy(
    {},
    {
      get: (_, name) => {
        // React asks a lazy node what to draw in its place.
        if (name === '$$typeof') return lazy
        if (name === '_init') return () => nodeOf(shape)
        if (name === '_payload') return {}
        if (name === Symbol.toPrimitive) return (hint: string) => textOf(shape, hint)
        if (name === Symbol.iterator) return cannot('iterated over; use map')
        if (name === 'toJSON') return () => nameOf(shape)
        return typeof name === 'symbol' || notFields.has(name) ? undefined : fieldOf(name)
      },
      set: cannot('changed'),
      has: cannot('searched by in'),
    },
  )
  shapes.set(value, shape)
  return value
}

const nameOf = (shape: Shape): string => (shape.kind === 'choice' ? `a choice by ${shape.test}` : shape.go)

function textOf(shape: Shape, hint: string): string {
  if (hint === 'number') return refuse(nameOf(shape), 'page data cannot be computed with')
  if (shape.kind === 'choice') {
    const value = settled(valueOf(shape))
    if (typeof value === 'string' || (hint === 'string' && !isRecorded(value))) return String(value)
  }
  return mark({ value: valueOf(shape), spelled: hint === 'string' })
}

function nodeOf(shape: Shape): ReactNode {
  switch (shape.kind) {
    case 'data':
    case 'falsy':
      return textOf(shape, 'default')
    case 'test':
      return null
    case 'choice': {
      const when = mark({ go: shape.test })
      const yes = shape.yes as ReactNode
      if (isEmpty(shape.no)) return createElement('t-if', { when }, yes)
      return createElement(
        't-if',
        { when },
        createElement('t-then', null, yes),
        createElement('t-else', null, shape.no as ReactNode),
      )
    }
  }
}

/** React draws nothing for it. */
const isEmpty = (value: unknown) =>
  value === null || value === undefined || value === '' || typeof value === 'boolean'

function readField(shape: Shape, name: string): unknown {
  if (shape.kind === 'choice') {
    // The source does not come here without an object to read a field of.
    const of = (value: unknown) =>
      value === null || value === undefined ? undefined : (value as Record<string, unknown>)[name]
    return choose(
      shape.test,
      () => of(shape.yes),
      () => of(shape.no),
    )
  }
  if (name === 'length') return recordCall('len', [valueOf(shape)])
  if (shape.kind !== 'data' || shape.go.startsWith('(')) return refuse(nameOf(shape), `there is no ${name}`)
  return record(`${shape.go}.${name}`)
}

type DrawItem = (item: unknown, index: unknown) => ReactNode

/** Draws an item of a list once, for the server to repeat. */
export function each(list: unknown, draw: DrawItem): ReactNode {
  const n = ++lists
  const item = draw(record(`$e${n}`), record(`$i${n}`, 'value'))
  return createElement('t-each', { key: n, of: mark({ go: written(list) }), as: n }, item)
}
