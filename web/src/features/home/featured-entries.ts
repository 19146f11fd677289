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
    title: 'Fractions you can eat',
    description: 'Share a cake among five, then among seven, and lose no crumb.',
    icon: 'algebra',
  },
  {
    id: 2,
    title: 'The swinging spoon',
    description: 'Time a pendulum at home and find g without buying anything.',
    icon: 'physics',
  },
  {
    id: 3,
    title: 'Twenty leaves, one walk',
    description: 'Draw them, sort them by your own rule, then by the key.',
    icon: 'biology',
  },
  {
    id: 4,
    title: 'Red cabbage says',
    description: 'Make an indicator in the kitchen and test everything but the cat.',
    icon: 'chemistry',
  },
  {
    id: 5,
    title: 'A letter from 1842',
    description: 'Write what a weaver of your age might have written home.',
    icon: 'history',
  },
  {
    id: 6,
    title: 'FizzBuzz for my aunt',
    description: 'Explain every line to someone who has never programmed.',
    icon: 'code',
  },
  {
    id: 7,
    title: 'Ten first lines',
    description: 'One story, ten beginnings. Circle the best and keep going.',
    icon: 'literature',
  },
  {
    id: 8,
    title: 'Three triangles',
    description: 'Fold, cut and draw: three proofs that angles add up to 180°.',
    icon: 'geometry',
  },
  {
    id: 9,
    title: 'Tongue twisters',
    description: 'Record one in three languages. Which sound makes you laugh?',
    icon: 'language',
  },
  {
    id: 10,
    title: 'My street from memory',
    description: 'Draw the map in your chair, then correct it in red outside.',
    icon: 'globe',
  },
  {
    id: 11,
    title: 'Twelve bars of blues',
    description: 'Hear the chords, mark the blue notes, add a verse of your own.',
    icon: 'music',
  },
  {
    id: 12,
    title: 'Is your die honest?',
    description: 'Roll it 120 times, draw the bars and make up your mind.',
    icon: 'chart',
  },
  {
    id: 13,
    title: 'One cup, three lights',
    description: 'Draw it in the morning, at noon and at night. No eraser.',
    icon: 'art',
  },
  {
    id: 14,
    title: 'Fifteen evenings of moon',
    description: 'Sketch it at the same hour and explain why it grows.',
    icon: 'star',
  },
  {
    id: 15,
    title: 'Three roads to a root',
    description: 'Solve one quadratic three ways and say which was quickest.',
    icon: 'algebra',
  },
  {
    id: 16,
    title: 'Paper bridge',
    description: 'Ten strips of paper, thirty centimeters, and a pile of coins.',
    icon: 'geometry',
  },
  {
    id: 17,
    title: 'Why bicycles stay up',
    description: 'Three explanations; find the experiment that embarrasses each.',
    icon: 'physics',
  },
  {
    id: 18,
    title: 'Twelve cards, sorted',
    description: 'Sort like a machine, count like one, choose like a person.',
    icon: 'code',
  },
  {
    id: 19,
    title: 'Balloons full of yeast',
    description: 'How much sugar does yeast really like? Measure the girth.',
    icon: 'biology',
  },
  {
    id: 20,
    title: 'Two diaries, one fire',
    description: 'What two witnesses of 1666 disagree on, and why it matters.',
    icon: 'history',
  },
  {
    id: 21,
    title: 'Never trust the narrator',
    description: 'Find the sentence where you stopped believing the book.',
    icon: 'literature',
  },
  {
    id: 22,
    title: 'False friends',
    description: 'Ten words that look alike and do not mean it. Be polite.',
    icon: 'language',
  },
  {
    id: 23,
    title: 'One good question',
    description: 'Ask thirty people, draw the answer, then change the wording.',
    icon: 'chart',
  },
  {
    id: 24,
    title: 'In defense of Pluto',
    description: 'Three minutes before the assembly, and not one untruth.',
    icon: 'star',
  },
]
