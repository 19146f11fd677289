import type { components } from '@/api/schema.gen'
import type { SessionUser } from '@/lib/boot'

type Schemas = components['schemas']

/** A signed-in user. */
function sampleUser(name: string): SessionUser {
  return {
    email: `${name.toLowerCase()}@example.org`,
    displayName: name,
    photoURL: '',
    accessToken: `token of ${name}`,
  }
}

export const ada = sampleUser('Ada')
export const ben = sampleUser('Ben')

/** An assignment of Ada's. */
export function sampleAssignment(fields: Partial<Schemas['Assignment']> = {}): Schemas['Assignment'] {
  return {
    _id: 'a1',
    title: 'Fractions in short',
    description: 'Say what you think.',
    format: 'plain',
    marks: 20,
    level: 'easy',
    thumbnail: 'https://example.org/picture.png',
    dueDate: '2099-05-06T23:59:59Z',
    circleId: null,
    circleName: null,
    creatorEmail: ada.email,
    creatorName: ada.displayName,
    createdAt: '2026-01-02T03:04:05Z',
    updatedAt: '2026-01-02T03:04:05Z',
    ...fields,
  }
}

export function sampleList(...data: Schemas['Assignment'][]): Schemas['AssignmentList'] {
  return { data, pagination: { page: 1, limit: 10, total: data.length, totalPages: data.length > 0 ? 1 : 0 } }
}

/** Ben's submission, as graders see it. */
export function samplePending(
  fields: Partial<Schemas['PendingSubmission']> = {},
): Schemas['PendingSubmission'] {
  return {
    _id: 's1',
    assignmentId: 'a1',
    assignmentTitle: 'Fractions in short',
    submittedBy: ben.email,
    docsLink: 'https://docs.google.com/document/d/1',
    status: 'pending',
    submittedAt: '2026-02-03T04:05:06Z',
    marks: 20,
    late: false,
    ...fields,
  }
}
