import type { FieldValues, Path, UseFormSetError } from 'react-hook-form'
import { isProblem } from './problem'

/** Puts what the API said about single fields under those fields. Tells whether it said any such thing. */
export function showFieldErrors<T extends FieldValues>(
  error: unknown,
  fields: readonly Path<T>[],
  setError: UseFormSetError<T>,
): boolean {
  if (!isProblem(error)) return false
  let shown = false
  for (const { location, message } of error.fields) {
    const field = fields.find((name) => location === name || location.endsWith(`.${name}`))
    if (!field) continue
    setError(field, { message }, { shouldFocus: !shown })
    shown = true
  }
  return shown
}
