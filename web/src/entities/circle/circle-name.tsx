import { AppLink } from '@/components/ui/app-link'

interface CircleNameProps {
  circleId: string | undefined
  name: string | undefined
}

/** The circle of a row in a list that mixes circles and the hall; nothing for the hall. */
export function CircleName({ circleId, name }: CircleNameProps) {
  return (
    circleId && (
      <p className="text-sm wrap-anywhere">
        <AppLink to={`/circle/${circleId}`} className="text-soft hover:text-ink">
          <bdi>{name}</bdi>
        </AppLink>
      </p>
    )
  )
}
