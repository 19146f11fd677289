/** The checks of a new password, each with the sentence it is refused with. The server checks again. */
const checks: [RegExp, string][] = [
  [/\p{Lu}/u, 'Password must have at least one uppercase letter'],
  [/\p{Ll}/u, 'Password must have at least one lowercase letter'],
  [/^.{6,}$/su, 'Password must be at least 6 characters'],
]

/** What is missing in a new password, in the order it is told. */
export function passwordFaults(password: string): string[] {
  return checks.filter(([rule]) => !rule.test(password)).map(([, sentence]) => sentence)
}
