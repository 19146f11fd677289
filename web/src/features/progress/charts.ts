/** What draws: fetched when there is something to draw. */
export { LevelsChart } from './levels-chart'
export { MarksChart } from './marks-chart'
