import { useParams } from 'react-router'
import { MarkPage } from '@/features/reviews/mark-page'

export function Component() {
  const { id = '' } = useParams()
  return <MarkPage id={id} />
}
