import { createElement, type ReactNode } from 'react'

/**
 * At build, pages are drawn with recorded values in the place of their data: whatever a component reads of one is
 * written down as a path of the server's template, `$.assignment.title`. What it computes from one has to be said by
 * format() or the components of branches.tsx: a recorded value has no methods, and its truth and identity tell
 * nothing. Nothing here is in the browser's code.
 */
const expressions = new WeakMap<object, string>()
/** What stands in the drawing that is being made, by the number of its mark. */
let marks: string[] = []
let lists = 0

const opening = '\uE000'
const closing = '\uE001'
/** A mark in drawn HTML; its number is the first group. */
export const markPattern = `${opening}(\\d+)${closing}`

/** Runs `draw` and returns what it made, with the expressions that its marks stand for. */
export function recording<T>(draw: () => T): { drawn: T; expressions: readonly string[] } {
  marks = []
  lists = 0
  const drawn = draw()
  return { drawn, expressions: marks }
}

/** The mark of an expression, for the place where its value will stand. */
export function markOf(expression: string): string {
  marks.push(expression)
  return `${opening}${marks.length - 1}${closing}`
}

/** What a recorded value stands for; undefined for any other. */
function expressionOf(value: unknown): string | undefined {
  return typeof value === 'object' && value !== null ? expressions.get(value) : undefined
}

export const isRecorded = (value: unknown): boolean => expressionOf(value) !== undefined

/** The mark of a recorded value, or of one that is known. */
export const markOfValue = (value: unknown): string => markOf(written(value))

/** A value as the server's template says it. */
function written(value: unknown): string {
  const expression = expressionOf(value)
  if (expression !== undefined) return expression
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') {
    return JSON.stringify(value)
  }
  throw new Error(`A template cannot hold ${String(value)}`)
}

/** A function of the server's, called with values of which some are recorded. */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- who asks says what it will be
export function recordCall<T>(name: string, args: readonly unknown[]): T {
  return record<T>(`(${[name, ...args.map(written)].join(' ')})`)
}

/** A value that stands for an expression: text where text is wanted, its fields by name, a list that maps once. */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- who asks says what it will be
export function record<T>(expression: string): T {
  const fields = new Map<string, unknown>()
  const fieldOf = (name: string) => {
    if (!fields.has(name)) fields.set(name, read(expression, name))
    return fields.get(name)
  }
  const value: object = new Proxy(
    {},
    {
      get: (_, name) => {
        if (name === Symbol.iterator) return () => [markOf(expression)].values()
        // Of a number nothing is known: no comparison with it holds.
        if (name === Symbol.toPrimitive)
          return (hint: string) => (hint === 'number' ? NaN : markOf(expression))
        return typeof name === 'symbol' ? undefined : fieldOf(name)
      },
      set: () => false,
    },
  )
  expressions.set(value, expression)
  return value as T
}

/** React, promises and keys of queries ask every value for these. */
const notFields = new Set(['$$typeof', '@@iterator', 'then', 'constructor'])

function read(expression: string, name: string): unknown {
  if (notFields.has(name)) return undefined
  if (name === 'toJSON') return () => expression
  if (name === 'length') return recordCall('len', [record(expression)])
  if (name === 'map') return (draw: DrawItem) => each(expression, draw)
  return record(`${expression}.${name}`)
}

type DrawItem = (item: unknown, index: unknown) => ReactNode

/** Draws an item once, for the server to repeat. */
function each(expression: string, draw: DrawItem): ReactNode {
  const n = ++lists
  const item = draw(record(`$e${n}`), record(`$i${n}`))
  return createElement('t-each', { key: n, of: markOf(expression), as: n }, item)
}
