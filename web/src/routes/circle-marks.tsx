import { MarksTab } from '@/features/marks/marks-tab'
import { usePage } from './use-page'

/** The marks of a circle, as a part of its page. */
export default function CircleMarks({ circle }: { circle: string }) {
  const [page, setPage] = usePage()
  return <MarksTab circle={circle} page={page} onPage={setPage} />
}
