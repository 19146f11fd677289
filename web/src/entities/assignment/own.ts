import type { SessionUser } from '@/lib/boot'

interface Created {
  creatorEmail: string | null
  /** Said of assignments in circles, whose addresses only organizers see. */
  mine?: boolean
}

/** Reports whether the viewer created an assignment. */
export const isOwn = ({ creatorEmail, mine }: Created, user: SessionUser | null): boolean =>
  user !== null && (mine || user.email === creatorEmail)

/**
 * Reports whether the viewer may read an assignment's results, also in an archived circle: its creator may, and the
 * organizers of its circle, who see addresses in it.
 */
export const mayReadResults = (
  assignment: Created & { circleId: string | null },
  user: SessionUser | null,
): boolean =>
  user !== null &&
  (isOwn(assignment, user) || (assignment.circleId !== null && assignment.creatorEmail !== null))
