/** Joins class names; leaves out falsy ones. */
export function cx(...[first, ...others]: (string | false | null | undefined)[]): string {
  return others.reduce<string>((all, name) => `${all}${name ? ` ${name}` : ''}`, first || '')
}
