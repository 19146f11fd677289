import { useSearchParams } from 'react-router'
import { CreateAssignment } from '@/features/assignments/create-assignment'
import { ForField } from '@/features/circles/for-field'
import { NowhereToPublish } from '@/features/circles/nowhere-to-publish'

/** The address names the circle that the assignment is for. */
export function Component() {
  const [params, setParams] = useSearchParams()
  const circle = params.get('circle') ?? ''
  function choose(id: string) {
    setParams(
      (before) => {
        if (id) before.set('circle', id)
        else before.delete('circle')
        return before
      },
      { replace: true, preventScrollReset: true },
    )
  }
  return (
    <NowhereToPublish>
      <CreateAssignment circle={circle} forField={<ForField value={circle} onChange={choose} />} />
    </NowhereToPublish>
  )
}
