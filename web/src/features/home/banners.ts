import { t } from '@lingui/core/macro'

interface Banner {
  src: string
  alt: string
}

/** Drawn at 1280 × 480 with what matters in the middle 720 × 480, which is all that a narrow frame shows. */
export const banners = (): readonly Banner[] => [
  {
    src: '/art/banners/ring.svg',
    alt: t`Six hands around a table pass sheets of paper in a ring; in the middle stands a circled A plus.`,
  },
  {
    src: '/art/banners/mark.svg',
    alt: t`A hand with a red pen circles the mark 9 out of 10 on a page of mathematics, beside tea and a biscuit.`,
  },
  {
    src: '/art/banners/friends.svg',
    alt: t`Three friends at one desk hand a page to each other; above them float a mark, 8 out of 10, and a heart.`,
  },
  {
    src: '/art/banners/due.svg',
    alt: t`A cat sleeps on a pile of papers under a calendar with one day circled in red; an alarm clock rings.`,
  },
  {
    src: '/art/banners/plane.svg',
    alt: t`A student throws a paper plane; it flies a loop and a friend on the other side is ready to catch it.`,
  },
]
