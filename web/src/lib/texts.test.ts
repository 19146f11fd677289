import { plural, t } from '@lingui/core/macro'
import { expect, test } from 'vitest'

test('what looks like an escape sequence in a user’s text stays as it was typed', () => {
  for (const title of [String.raw`What is \u0041?`, String.raw`\u202Egnp`, String.raw`C:\x41 and \\`]) {
    expect(t`Delete “${title}”?`).toBe(`Delete “${title}”?`)
    expect(plural(2, { one: `# copy of ${title}`, other: `# copies of ${title}` })).toBe(
      `2 copies of ${title}`,
    )
  }
})
