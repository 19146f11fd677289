import { useEffect } from 'react'
import { useBrand } from '@/lib/site'
import { stripBidiControls } from '@/lib/text'

/**
 * A page's title with the fields in braces filled in: `{assignment.title} | Assignment Details`. A part between ' | '
 * with an unknown field is left out.
 */
export function titleOf(template: string, values: Readonly<Record<string, unknown>>): string {
  const parts = template.split(' | ').map((part) => {
    let known = true
    const text = part.replaceAll(/\{([\w.]+)\}/g, (_, path: string) => {
      const value = valueAt(values, path)
      known &&= value !== undefined
      return stripBidiControls(value ?? '')
    })
    return known ? text : null
  })
  return parts.filter((part) => part !== null).join(' | ')
}

function valueAt(values: unknown, path: string): string | undefined {
  const found = path
    .split('.')
    .reduce<unknown>((value, field) => (isRecord(value) ? value[field] : undefined), values)
  return typeof found === 'string' ? found : undefined
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null

/** Sets the document's title while the page shows. The first one comes with the HTML. */
export function useTitle(template: string, values?: Readonly<Record<string, unknown>>): void {
  const brand = useBrand()
  useEffect(() => {
    document.title = titleOf(template, { brand, ...values })
  }, [template, brand, values])
}
