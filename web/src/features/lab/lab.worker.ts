import { compare, type Comparison } from './compare'
import { FileError, limits, readClass } from './read-class'

/** The class that the page asks the worker to grade. */
export interface LabRequest {
  reviews: Blob
  known?: Blob
  /** The reviewer whose reviews are left out of the last column. */
  without?: string
}

export type LabAnswer = { comparison: Comparison } | { problem: string }

async function answer({ reviews, known, without }: LabRequest): Promise<LabAnswer> {
  const bytes = Math.max(reviews.size, known?.size ?? 0)
  if (bytes > limits.bytes) {
    const size = Math.ceil(bytes / 1e6)
    return {
      problem: `The file has ${size} MB; this page reads up to 20 MB. For more, run studycircle grade-model.`,
    }
  }
  try {
    const bytesOf = async (file: Blob) => new Uint8Array(await file.arrayBuffer())
    return {
      comparison: compare(readClass(await bytesOf(reviews), known && (await bytesOf(known))), without),
    }
  } catch (error) {
    return { problem: error instanceof FileError ? error.message : 'The file cannot be read.' }
  }
}

addEventListener('message', (event: MessageEvent<LabRequest>) => {
  void answer(event.data).then((made) => postMessage(made))
})
