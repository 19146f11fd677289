import { expect, test } from 'vitest'
import { remarksOn, type DraftReview } from './review-check'

const levels = [{ marks: 0 }, { marks: 5 }, { marks: 10 }]
const criteria = [
  { title: 'Argument', levels },
  { title: 'Language', levels },
]
const rubric = (chosen: [number, number], comments: string[], feedback = ''): DraftReview => ({
  criteria,
  levels: chosen,
  comments,
  feedback,
  share: (chosen[0] + chosen[1]) / 4,
})
const mark = (share: number, feedback: string): DraftReview => ({
  criteria: [],
  levels: [],
  comments: [],
  feedback,
  share,
})

test('a review without words', () => {
  expect(remarksOn(mark(0.5, ' \n'))).toEqual([expect.stringMatching(/^There is no feedback yet\./)])
  expect(remarksOn(rubric([1, 1], ['', '']))).toHaveLength(1)
})

test('a criterion without words, unless the feedback names it', () => {
  const comments = ['Step 2 needs a source.']
  expect(remarksOn(rubric([1, 1], comments))).toEqual(['“Language” has a level, but no comment.'])
  expect(remarksOn(rubric([1, 1], comments, 'Your language could be simpler.'))).toEqual([])
})

test('praise alone, unless everything was reached', () => {
  expect(remarksOn(mark(0.7, 'Great work, I like it.'))).toEqual([
    expect.stringMatching(/^So far there is only praise\./),
  ])
  expect(remarksOn(mark(1, 'Great work, I like it.'))).toEqual([])
  for (const helpful of [
    'Great work. Next time, name your sources.',
    'Good. Why step 2?',
    'Well done, but step 2 is wrong.',
  ]) {
    expect(remarksOn(mark(0.7, helpful)), helpful).toEqual([])
  }
})

test('words that contradict the level', () => {
  expect(remarksOn(rubric([2, 0], ['The evidence is missing.', 'Excellent and clear.']))).toEqual([
    'What you say about “Argument” sounds critical, but its level is the highest.',
    'What you say about “Language” sounds like praise, but its level is the lowest.',
  ])
  expect(remarksOn(rubric([0, 2], ['The evidence is missing.', 'Excellent, if you add sources.']))).toEqual(
    [],
  )
})

test('words that contradict the mark', () => {
  expect(remarksOn(mark(0, 'Excellent and clear.'))).toEqual([
    'Your words sound like praise, but the mark is near zero.',
  ])
  expect(remarksOn(mark(0.95, 'Poor and confusing.'))).toEqual([
    'Your words sound critical, but the mark is near full marks.',
  ])
})

test('nothing is guessed of other languages, or of levels worth the same', () => {
  expect(remarksOn(mark(0, 'Sehr schön geschrieben.'))).toEqual([])
  const same = [{ marks: 5 }, { marks: 5 }]
  const draft = { ...rubric([1, 1], ['The evidence is missing.']), criteria: [{ title: 'A', levels: same }] }
  expect(remarksOn(draft)).toEqual([])
})
