/** How many members a circle has. */
export function MemberCount({ members }: { members: number }) {
  const figure = <span className="font-display font-bold text-ink tabular-nums">{members}</span>
  return <span className="text-soft">{members === 1 ? <>{figure} member</> : <>{figure} members</>}</span>
}
