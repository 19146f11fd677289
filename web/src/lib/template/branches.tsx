import { createElement, type ReactNode } from 'react'
import { isRecorded, markOf, markOfValue } from './recorder'

interface IfProps<T> {
  /** Of the page's data, or what a format makes of it. */
  value: T
  children: ReactNode | ((value: NonNullable<T>) => ReactNode)
  /** Where the value is empty, zero, false or absent. */
  otherwise?: ReactNode
}

/** Shows something where a value of the page's data is there. At build, both ways are drawn. */
export function If<T>({ value, children, otherwise }: IfProps<T>): ReactNode {
  const shown = () => (typeof children === 'function' ? children(value as NonNullable<T>) : children)
  if (import.meta.env.SSR && isRecorded(value)) return bothWays(value, shown(), otherwise)
  return value ? shown() : otherwise
}

function bothWays(value: unknown, shown: ReactNode, otherwise: ReactNode): ReactNode {
  const when = markOfValue(value)
  if (otherwise === undefined) return createElement('t-if', { when }, shown)
  return createElement(
    't-if',
    { when },
    createElement('t-then', null, shown),
    createElement('t-else', null, otherwise),
  )
}

interface SwitchProps<T extends string> {
  on: T
  /** All values for which something is shown, the most frequent first; none is empty. */
  cases: readonly T[]
  children: (value: T) => ReactNode
}

/** Shows what goes with one of a few values of the page's data. At build, all of them are drawn. */
export function Switch<T extends string>({ on, cases, children }: SwitchProps<T>): ReactNode {
  if (import.meta.env.SSR && isRecorded(on)) return allCases(on, cases, children)
  return cases.includes(on) ? children(on) : null
}

function allCases<T extends string>(on: T, cases: readonly T[], draw: (value: T) => ReactNode): ReactNode {
  const drawn = cases.map((value) =>
    createElement('t-case', { key: value, is: markOf(JSON.stringify(value)) }, draw(value)),
  )
  return createElement('t-switch', { on: markOfValue(on) }, drawn)
}

/** What a select shows at first. At build, React leaves this to the server. */
export function chosen(value: unknown): { 'data-chosen'?: string } {
  if (import.meta.env.SSR && isRecorded(value)) return { 'data-chosen': markOfValue(value) }
  return {}
}
