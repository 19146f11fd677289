import { MarksTab } from '@/features/marks/marks-tab'

/** The marks of a circle, as a part of its page. */
export default function CircleMarks({ circle }: { circle: string }) {
  return <MarksTab circle={circle} />
}
