import { CreateAssignment } from '@/features/assignments/create-assignment'
import { ForField } from '@/entities/circle/for-field'
import { NowhereToPublish } from '@/features/circles/nowhere-to-publish'
import { searchParams, useSearch, words } from '@/lib/search-params'

const params = searchParams({ circle: words() })

/** The address names the circle that the assignment is for. */
export function Component() {
  const [{ circle }, change] = useSearch(params)
  const choose = (id: string) => change({ circle: id }, { replace: true, preventScrollReset: true })
  return (
    <NowhereToPublish>
      <CreateAssignment circle={circle} forField={<ForField value={circle} onChange={choose} />} />
    </NowhereToPublish>
  )
}
