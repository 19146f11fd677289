/** Copies what a field shows, or selects it where the clipboard cannot be written. Reports whether it is copied. */
export async function copyText(field: HTMLInputElement): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(field.value)
    return true
  } catch {
    field.select()
    return false
  }
}
