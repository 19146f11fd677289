/** Every script that a part of the build cannot start without: its own, and what that imports statically. */
export function scriptsOf(manifest, key, seen = new Set()) {
  const { file, imports = [] } = manifest[key]
  if (file.endsWith('.js')) seen.add(file)
  for (const next of imports) {
    if (!seen.has(manifest[next].file)) scriptsOf(manifest, next, seen)
  }
  return seen
}
