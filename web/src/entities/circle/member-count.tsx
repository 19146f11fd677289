import { Plural, Trans } from '@lingui/react/macro'

/** How many members a circle has. */
export function MemberCount({ members }: { members: number }) {
  return (
    <span className="text-soft">
      <Trans>
        <span className="font-display font-bold text-ink tabular-nums">{members}</span>{' '}
        <Plural value={members} one="member" other="members" />
      </Trans>
    </span>
  )
}
