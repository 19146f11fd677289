import { useSearchParams } from 'react-router'
import { UndoPage } from '@/features/auth/undo-page'

export function Component() {
  const [search] = useSearchParams()
  return <UndoPage token={search.get('token') ?? ''} />
}
