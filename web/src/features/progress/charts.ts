import { memo } from 'react'
import { DistributionChart as Distribution } from './distribution-chart'
import { LevelsChart as Levels } from './levels-chart'
import { MarksChart as Marks } from './marks-chart'

/** The charts. Their code is fetched when there is data to draw. */
export const LevelsChart = memo(Levels)
export const MarksChart = memo(Marks)
export const DistributionChart = memo(Distribution)
