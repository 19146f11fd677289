import { t } from '@lingui/core/macro'
import type { ArtIconName } from './art-icon'

export interface FeaturedEntry {
  id: number
  title: string
  description: string
  icon: ArtIconName
}

/** Sample assignments: a fixed list, not from the server. */
export const featuredEntries = (): readonly FeaturedEntry[] => [
  {
    id: 1,
    title: t`Fractions you can eat`,
    description: t`Share a cake among five, then among seven, and lose no crumb.`,
    icon: 'algebra',
  },
  {
    id: 2,
    title: t`The swinging spoon`,
    description: t`Time a pendulum at home and find g without buying anything.`,
    icon: 'physics',
  },
  {
    id: 3,
    title: t`Twenty leaves, one walk`,
    description: t`Draw them, sort them by your own rule, then by the key.`,
    icon: 'biology',
  },
  {
    id: 4,
    title: t`Red cabbage says`,
    description: t`Make an indicator in the kitchen and test everything but the cat.`,
    icon: 'chemistry',
  },
  {
    id: 5,
    title: t`A letter from 1842`,
    description: t`Write what a weaver of your age might have written home.`,
    icon: 'history',
  },
  {
    id: 6,
    title: t`FizzBuzz for my aunt`,
    description: t`Explain every line to someone who has never programmed.`,
    icon: 'code',
  },
  {
    id: 7,
    title: t`Ten first lines`,
    description: t`One story, ten beginnings. Circle the best and keep going.`,
    icon: 'literature',
  },
  {
    id: 8,
    title: t`Three triangles`,
    description: t`Fold, cut and draw: three proofs that angles add up to 180°.`,
    icon: 'geometry',
  },
  {
    id: 9,
    title: t`Tongue twisters`,
    description: t`Record one in three languages. Which sound makes you laugh?`,
    icon: 'language',
  },
  {
    id: 10,
    title: t`My street from memory`,
    description: t`Draw the map in your chair, then correct it in red outside.`,
    icon: 'globe',
  },
  {
    id: 11,
    title: t`Twelve bars of blues`,
    description: t`Hear the chords, mark the blue notes, add a verse of your own.`,
    icon: 'music',
  },
  {
    id: 12,
    title: t`Is your die honest?`,
    description: t`Roll it 120 times, draw the bars and make up your mind.`,
    icon: 'chart',
  },
  {
    id: 13,
    title: t`One cup, three lights`,
    description: t`Draw it in the morning, at noon and at night. No eraser.`,
    icon: 'art',
  },
  {
    id: 14,
    title: t`Fifteen evenings of moon`,
    description: t`Sketch it at the same hour and explain why it grows.`,
    icon: 'star',
  },
  {
    id: 15,
    title: t`Three roads to a root`,
    description: t`Solve one quadratic three ways and say which was quickest.`,
    icon: 'algebra',
  },
  {
    id: 16,
    title: t`Paper bridge`,
    description: t`Ten strips of paper, thirty centimeters, and a pile of coins.`,
    icon: 'geometry',
  },
  {
    id: 17,
    title: t`Why bicycles stay up`,
    description: t`Three explanations; find the experiment that embarrasses each.`,
    icon: 'physics',
  },
  {
    id: 18,
    title: t`Twelve cards, sorted`,
    description: t`Sort like a machine, count like one, choose like a person.`,
    icon: 'code',
  },
  {
    id: 19,
    title: t`Balloons full of yeast`,
    description: t`How much sugar does yeast really like? Measure the girth.`,
    icon: 'biology',
  },
  {
    id: 20,
    title: t`Two diaries, one fire`,
    description: t`What two witnesses of 1666 disagree on, and why it matters.`,
    icon: 'history',
  },
  {
    id: 21,
    title: t`Never trust the narrator`,
    description: t`Find the sentence where you stopped believing the book.`,
    icon: 'literature',
  },
  {
    id: 22,
    title: t`False friends`,
    description: t`Ten words that look alike and do not mean it. Be polite.`,
    icon: 'language',
  },
  {
    id: 23,
    title: t`One good question`,
    description: t`Ask thirty people, draw the answer, then change the wording.`,
    icon: 'chart',
  },
  {
    id: 24,
    title: t`In defense of Pluto`,
    description: t`Three minutes before the assembly, and not one untruth.`,
    icon: 'star',
  },
]
