import type { Messages } from '@lingui/core'
import { activateTexts } from '@/lib/activate-texts'
import { t } from '@lingui/core/macro'
import { compare, type Comparison } from './compare'
import { FileError, limits, readClass } from './read-class'

/** The class that the page asks the worker to grade. */
export interface LabRequest {
  reviews: Blob
  known?: Blob
  /** The reviewer whose reviews are left out of the last column. */
  without?: string
}

/** The page's language and its texts. */
export interface Texts {
  locale: string
  messages: Messages
}

export type LabAnswer = { comparison: Comparison } | { problem: string }

async function answer({ reviews, known, without }: LabRequest): Promise<LabAnswer> {
  const bytes = Math.max(reviews.size, known?.size ?? 0)
  if (bytes > limits.bytes) {
    const size = Math.ceil(bytes / 1e6)
    return {
      problem: t`The file has ${size} MB; this page reads up to 20 MB. For more, run studycircle grade-model.`,
    }
  }
  try {
    const bytesOf = async (file: Blob) => new Uint8Array(await file.arrayBuffer())
    return {
      comparison: compare(readClass(await bytesOf(reviews), known && (await bytesOf(known))), without),
    }
  } catch (error) {
    return { problem: error instanceof FileError ? error.message : t`The file cannot be read.` }
  }
}

addEventListener(
  'message',
  ({ data: { texts, ...request } }: MessageEvent<LabRequest & { texts: Texts }>) => {
    activateTexts(texts.locale, texts.messages)
    void answer(request).then((made) => postMessage(made))
  },
)
