import { plural } from '@lingui/core/macro'
import { Button } from './button'

/**
 * Says how many rows wait at the top of a list, and shows them on request. It lies over the rows and moves none of
 * them when it comes.
 */
export function NewRows({ count, onShow }: { count: number; onShow: () => void }) {
  return (
    <div role="status" className="sticky top-3 z-1 grid h-0 justify-items-center">
      {count > 0 && (
        <Button size="sm" className="h-9 shadow-lift" onClick={onShow}>
          {plural(count, { one: '# new', other: '# new' })}
        </Button>
      )}
    </div>
  )
}
