import { Fragment, createElement, type ReactNode } from 'react'
import { expressionOf, markOf } from './recorder'

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
  const expression = import.meta.env.SSR ? expressionOf(value) : undefined
  if (expression === undefined) return value ? shown() : otherwise
  if (otherwise === undefined) return createElement('t-if', { when: markOf(expression) }, shown())
  return createElement(
    't-if',
    { when: markOf(expression) },
    createElement('t-then', null, shown()),
    createElement('t-else', null, otherwise),
  )
}

interface SwitchProps<T extends string> {
  on: T
  /** All values for which something is shown. */
  cases: readonly T[]
  children: (value: T) => ReactNode
}

/** Shows what goes with one of a few values of the page's data. At build, all of them are drawn. */
export function Switch<T extends string>({ on, cases, children }: SwitchProps<T>): ReactNode {
  const expression = import.meta.env.SSR ? expressionOf(on) : undefined
  if (expression === undefined) return cases.includes(on) ? children(on) : null
  return createElement(
    't-switch',
    { on: markOf(expression) },
    cases.map((value) => (
      <Fragment key={value}>
        {createElement('t-case', { is: markOf(JSON.stringify(value)) }, children(value))}
      </Fragment>
    )),
  )
}

/** What a select shows at first. At build, React leaves this to the server. */
export function chosen(value: unknown): { 'data-chosen'?: string } {
  const expression = import.meta.env.SSR ? expressionOf(value) : undefined
  return expression === undefined ? {} : { 'data-chosen': markOf(expression) }
}
