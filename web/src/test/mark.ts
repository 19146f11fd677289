import { http, HttpResponse } from 'msw'
import { settle } from '@/lib/grade-model/settle'

export const reviews = [
  { label: 'A', mark: 18, strictness: 0, weight: 1 },
  { label: 'B', mark: 12, strictness: -0.05, weight: 1 },
]
export const made = settle({ model: 'SC1', kappa: 1, total: 20, usual: 1.05, noise: 0.24, reviews })
export const explanation = {
  submissionId: 's1',
  assignmentTitle: 'Fractions in short',
  total: 20,
  givenMark: made.mark,
  model: 'SC1',
  usual: 1.05,
  usualMark: made.usualMark,
  noise: 0.24,
  estimate: made.estimate,
  interval: { low: made.low, high: made.high },
  open: made.open,
  reviews: reviews.map((review, at) => ({
    ...review,
    strictnessMarks: review.mark - (made.counted[at]?.as ?? 0),
    countsAs: made.counted[at]?.as ?? 0,
    counted: made.counted[at]?.weight ?? 0,
  })),
  mine: true,
  appealUntil: '2026-12-04',
  may: {
    appeal: true,
    settle: false,
    reopen: false,
    setMark: false,
    known: false,
    waits: false,
    sendBack: false,
  },
  timeline: [
    { kind: 'handed-in', time: 'past', day: '2026-11-13' },
    {
      kind: 'settled',
      time: 'past',
      day: '2026-11-20',
      by: 'model',
      reason: 'enough-reviews',
      mark: made.mark,
    },
  ],
  settlements: [{ n: 1, day: '2026-11-20', by: 'model', reason: 'enough-reviews', mark: made.mark }],
}

/** The answer that explains the mark. */
export const mark = (fields: object = {}) =>
  http.get('*/api/submissions/s1/mark', () => HttpResponse.json({ ...explanation, ...fields }))

export const received = {
  mayReply: true,
  data: [
    { _id: 'r1', label: 'A', mark: 18, levels: [1, 0], feedback: 'Clear and kind.', day: '2026-11-19' },
    { _id: 'r2', label: 'B', mark: 12, levels: [0, 1], day: '2026-11-20', helpful: false },
  ],
  rubric: {
    criteria: ['Argument', 'Language'].map((title) => ({
      title,
      levels: [
        { label: 'Weak', marks: 6 },
        { label: 'Strong', marks: 12 },
      ],
    })),
  },
}

/** The answer with the reviews. */
export const said = http.get('*/api/submissions/s1/reviews', () => HttpResponse.json(received))
