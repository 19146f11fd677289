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

/** The checks of a new password, each with the sentence it is refused with. */
const passwordChecks: [RegExp, string][] = [
  [/\p{Lu}/u, 'Password must have at least one uppercase letter'],
  [/\p{Ll}/u, 'Password must have at least one lowercase letter'],
  [/^.{6,}$/su, 'Password must be at least 6 characters'],
]

/** What is missing in a new password, in the order it is told. */
export function passwordFaults(password: string): string[] {
  return passwordChecks.filter(([rule]) => !rule.test(password)).map(([, sentence]) => sentence)
}
