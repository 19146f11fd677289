import { t } from '@lingui/core/macro'
import { useMutation } from '@tanstack/react-query'
import { Button, Card, failed, toast } from '@/components/ui'
import { acceptHandover } from '@/entities/circle/members'
import type { Circle } from '@/entities/circle/queries'

/** Asks the member whom an owner chose whether they take over. */
export function AcceptOwnership({ circle: { _id: id } }: { circle: Circle }) {
  const { mutateAsync, isPending } = useMutation(acceptHandover)

  async function accept() {
    try {
      await mutateAsync({ id })
      toast(t`You are an owner now`)
    } catch (error) {
      void failed(error)
    }
  }

  return (
    <section aria-label={t`Handover`} className="mt-5">
      <Card className="flex flex-wrap items-center justify-between gap-x-5 gap-y-3 px-5 py-4">
        <p>{t`An owner has asked you to take over this circle. You would become owner in their place.`}</p>
        <Button size="sm" busy={isPending} onClick={accept}>
          {t`Accept`}
        </Button>
      </Card>
    </section>
  )
}
