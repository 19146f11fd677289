import { t } from '@lingui/core/macro'
import type { components } from '@/api/schema.gen'

export type Level = components['schemas']['Assignment']['level']

/** How charts name and colour a level; shape and pattern tell it too. */
export const levels = [
  { level: 'easy', word: () => t`Easy`, colour: 'var(--leaf)' },
  { level: 'medium', word: () => t`Medium`, colour: 'var(--amber)' },
  { level: 'hard', word: () => t`Hard`, colour: 'var(--red)' },
] as const

/** Of imported work whose assignment was not imported, no level is known. */
const unknown = { level: undefined, word: () => '--', colour: 'var(--soft)' } as const

export const lookOf = (level: Level | undefined) => levels.find((look) => look.level === level) ?? unknown
