import { UpdateAssignment } from '@/features/assignments/update-assignment'
import { WithAssignment } from './with-assignment'

export function Component() {
  return <WithAssignment>{(assignment) => <UpdateAssignment assignment={assignment} />}</WithAssignment>
}
