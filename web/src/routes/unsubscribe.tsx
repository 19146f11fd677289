import { useParams } from 'react-router'
import { UnsubscribePage } from '@/features/notifications/unsubscribe-page'

export function Component() {
  const { id = '' } = useParams()
  return <UnsubscribePage token={id} />
}
