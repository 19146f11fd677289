/** A class of twelve, each with three reviews of others; u12 gives full marks to all, u5 is strict. */
const marks: Record<string, number>[] = [
  { u2: 15, u3: 14, u5: 12 },
  { u3: 9, u4: 10, u12: 20 },
  { u4: 17, u5: 14, u6: 18 },
  { u5: 8, u6: 12, u7: 11 },
  { u6: 19, u7: 18, u12: 20 },
  { u7: 6, u8: 7, u12: 20 },
  { u8: 14, u9: 13, u10: 15 },
  { u9: 16, u10: 17, u11: 15 },
  { u10: 12, u11: 11, u12: 20 },
  { u11: 18, u5: 16, u1: 19 },
  { u12: 20, u1: 8, u2: 9 },
  { u1: 13, u2: 14, u3: 12 },
]

export const sampleClass = `assignment,submission,reviewer,mark,total\n${marks
  .flatMap((reviews, at) =>
    Object.entries(reviews).map(([reviewer, mark]) => `Essay,work ${at + 1},${reviewer},${mark},20`),
  )
  .join('\n')}\n`
