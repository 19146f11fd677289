/** Saves content as a file on the user's device. */
export function save(content: Blob, name: string): void {
  const address = URL.createObjectURL(content)
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  // Browsers read it after the click, Safari later than others.
  setTimeout(() => URL.revokeObjectURL(address), 60_000)
}
