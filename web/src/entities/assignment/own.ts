import type { SessionUser } from '@/lib/boot'

interface Created {
  creatorEmail: string | null
  /** Said of assignments in circles, whose addresses only organizers see. */
  mine?: boolean
}

/** Reports whether the viewer created an assignment. */
export const isOwn = ({ creatorEmail, mine }: Created, user: SessionUser | null): boolean =>
  user !== null && (mine || user.email === creatorEmail)
