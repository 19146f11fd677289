import { i18n } from '@lingui/core'
import { t } from '@lingui/core/macro'
import { useEffect, useRef, useState } from 'react'
import type { Comparison } from './compare'
import type { LabAnswer, LabRequest, Texts } from './lab.worker'

export interface LabState {
  busy: boolean
  comparison?: Comparison
  problem?: string
  /** The excluded reviewer. */
  without?: string
}

/** Grades in a worker. A new request ends one under way. */
export function useLab() {
  const [state, setState] = useState<LabState>({ busy: false })
  const worker = useRef<Worker>(null)
  useEffect(() => () => worker.current?.terminate(), [])

  function run(request: LabRequest) {
    worker.current?.terminate()
    const started = new Worker(new URL('./lab.worker.ts', import.meta.url), { type: 'module' })
    worker.current = started
    setState(({ comparison }) => ({ busy: true, comparison, without: request.without }))
    started.addEventListener('message', ({ data }: MessageEvent<LabAnswer>) => {
      started.terminate()
      setState({ busy: false, without: request.without, ...data })
    })
    started.addEventListener('error', () =>
      setState({ busy: false, problem: t`The class could not be graded. Try a smaller file.` }),
    )
    const texts: Texts = { locale: i18n.locale, messages: i18n.messages }
    started.postMessage({ ...request, texts })
  }
  return { state, run }
}
