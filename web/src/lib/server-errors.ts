import type { FieldValues, Path, UseFormSetError } from 'react-hook-form'
import { isProblem } from './problem'

/**
 * Puts what the API said about single fields under those fields, also within them (`body.rubric.criteria[0].title`).
 * Reports whether it showed any.
 */
export function showFieldErrors<T extends FieldValues>(
  error: unknown,
  fields: readonly Path<T>[],
  setError: UseFormSetError<T>,
): boolean {
  if (!isProblem(error)) return false
  let shown = false
  for (const { location, message } of error.fields) {
    const path = location.replace(/^body\./, '').replaceAll(/\[(\d+)\]/g, '.$1')
    if (!fields.some((name) => path === name || path.startsWith(`${name}.`))) continue
    setError(path as Path<T>, { message }, { shouldFocus: !shown })
    shown = true
  }
  return shown
}
