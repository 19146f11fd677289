/** How many members a circle has. */
export function MemberCount({ members }: { members: number }) {
  return (
    <span className="text-soft">
      <span className="font-display font-bold text-ink tabular-nums">{members}</span>{' '}
      {members === 1 ? 'member' : 'members'}
    </span>
  )
}
