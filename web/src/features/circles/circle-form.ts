import { t } from '@lingui/core/macro'
import { optionalText, requiredText } from '@/lib/rules'
import { z } from '@/lib/zod'
import type { Settings } from '@/entities/circle/mutations'

export const name = requiredText(100, () => t`Name the circle.`)
export const description = optionalText(2000)

/** The settings of a circle, as its owners change them. */
export const circleSchema: z.ZodMiniType<Settings, Settings> = z.object({
  name,
  description,
  listed: z.boolean(),
  join: z.enum(['invite', 'ask', 'open']),
  publishing: z.enum(['members', 'organizers']),
  grading: z.enum(['members', 'organizers']),
  countsAccuracy: z.boolean(),
})
