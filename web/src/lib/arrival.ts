import type { createBrowserRouter } from 'react-router'

type Router = Pick<ReturnType<typeof createBrowserRouter>, 'state' | 'subscribe'>

let router: Router | null = null

/** Lets actions know when the page that they lead to is there. */
export function followNavigation(of: Router): void {
  router = of
}

/** Whether the next page is on its way. */
export const isLeaving = (): boolean => router !== null && router.state.navigation.state !== 'idle'

/** Waits until the next page is there, if one is on its way. */
export async function arrival(): Promise<void> {
  if (!isLeaving()) return
  await new Promise<void>((resolve) => {
    const stop = router?.subscribe(({ navigation }) => {
      if (navigation.state !== 'idle') return
      stop?.()
      resolve()
    })
  })
}
