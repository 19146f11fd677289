import { Problem, explain } from '@/lib/problem'

const sentences: Record<string, string> = {
  'auth/invalid-credential': 'The e-mail or the password is not right.',
}

/** What went wrong while signing in: the code the specification asks for, and a plain sentence beside it. */
export interface Failure {
  code?: string
  sentence: string
}

export function loginFailure(error: unknown): Failure {
  if (!(error instanceof Problem)) return { sentence: explain(error) }
  return { code: error.code, sentence: sentences[error.code] ?? explain(error) }
}
