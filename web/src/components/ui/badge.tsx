import { t } from '@lingui/core/macro'
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

export type Level = 'easy' | 'medium' | 'hard'

const toneOf: Record<Level, Tone> = { easy: 'success', medium: 'warning', hard: 'error' }
const levelWords = (): Record<Level, string> => ({ easy: t`Easy`, medium: t`Medium`, hard: t`Hard` })

/** The level's word in its colour: hard red, medium amber, easy leaf. */
export function LevelBadge({ level }: { level: Level }) {
  return <Badge tone={toneOf[level]}>{levelWords()[level]}</Badge>
}
