import { useQuery } from '@tanstack/react-query'
import { Loading, RenderedText } from '@/components/ui'
import { explain } from '@/lib/problem'
import { previewQuery } from './queries'

/** A text as the server would show it. */
export function Preview({ text }: { text: string }) {
  const written = text.trim() !== ''
  const { data, error } = useQuery({ ...previewQuery(text), enabled: written })
  if (!written) return <p className="text-soft">Nothing to preview yet.</p>
  if (data !== undefined) return <RenderedText html={data} />
  if (error) return <p role="alert">{explain(error)}</p>
  return <Loading label="Loading the preview" />
}
