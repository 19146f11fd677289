import { useEffect } from 'react'

/** Sets the document's title while the page shows. The first one comes with the HTML. */
export function useTitle(title: string): void {
  useEffect(() => {
    document.title = title
  }, [title])
}
