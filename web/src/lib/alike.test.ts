import { expect, test } from 'vitest'
import alike from '../../../testdata/alike.json'
import { passwordFaults } from './password'
import { note } from './rules'
import { isWebAddress, stripBidiControls } from './text'

// A form accepts and refuses what the server does: TestTheBrowserHasTheSameRules reads the same cases.

test.each(alike.webAddresses as [string, boolean][])('%j is a web address: %s', (text, is) =>
  expect(isWebAddress(text)).toBe(is),
)

test.each(alike.endings as [string, number, boolean][])('%j, %i times, may end one: %s', (text, times, is) =>
  expect(isWebAddress(`https://example.org/${text.repeat(times)}`)).toBe(is),
)

test.each(alike.notes as [string, number, boolean][])('%j, %i times, is a note: %s', (text, times, is) =>
  expect(note.safeParse(text.repeat(times)).success).toBe(is),
)

const faults: Record<string, string> = {
  upper: 'Password must have at least one uppercase letter',
  lower: 'Password must have at least one lowercase letter',
  short: 'Password must be at least 6 characters',
}

test.each(alike.passwords as [string, string[]][])('the password %j lacks %j', (password, missing) =>
  expect(passwordFaults(password)).toEqual(missing.map((fault) => faults[fault])),
)

test.each(alike.titles as [string, string][])('%j is shown as %j', (title, shown) =>
  expect(stripBidiControls(title)).toBe(shown),
)
