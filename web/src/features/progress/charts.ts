import { memo } from 'react'
import { DistributionChart as Distribution } from './distribution-chart'
import { LevelsChart as Levels } from './levels-chart'
import { MarksChart as Marks } from './marks-chart'

/** What draws: fetched when there is something to draw, and drawn anew when that has changed. */
export const LevelsChart = memo(Levels)
export const MarksChart = memo(Marks)
export const DistributionChart = memo(Distribution)
