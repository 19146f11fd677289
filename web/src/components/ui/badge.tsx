import type { ReactNode } from 'react'
import { cx } from '@/lib/cx'

type Tone = 'success' | 'warning' | 'error' | 'quiet'

const tones: Record<Tone, string> = {
  success: 'text-leaf',
  warning: 'text-amber',
  error: 'text-red',
  quiet: 'text-soft',
}

/** A word in a thin ring of its own colour. */
export function Badge({ tone, children }: { tone: Tone; children: ReactNode }) {
  return (
    <span
      className={cx(
        'inline-flex items-center rounded-full border border-current bg-raised px-2.5 text-xs leading-6 font-semibold max-sm:rounded-xl sm:whitespace-nowrap',
        tones[tone],
      )}
    >
      {children}
    </span>
  )
}

const levels = {
  easy: { word: 'Easy', tone: 'success' },
  medium: { word: 'Medium', tone: 'warning' },
  hard: { word: 'Hard', tone: 'error' },
} as const

export type Level = keyof typeof levels

/** The level's word in its colour: hard red, medium amber, easy leaf. */
export function LevelBadge({ level }: { level: Level }) {
  return <Badge tone={levels[level].tone}>{levels[level].word}</Badge>
}
