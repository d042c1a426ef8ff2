import { AppError } from '#contract/errors.ts'
import { MAX_TRANSCRIPT_CHARACTERS } from '#contract/model/transcript.ts'

type Spoken = string | { readonly segments: readonly { readonly text: string }[] }

export function isReadable(said: Spoken): boolean {
  const length = typeof said === 'string' ? said.length : said.segments.reduce((sum, { text }) => sum + text.length, 0)
  return length <= MAX_TRANSCRIPT_CHARACTERS
}

/** In characters of JSON. A longer body is not checked early: parsing takes time, and most of it is word times. */
const QUICKLY_PARSED = 2_000_000

/**
 * Early size check of a stored transcript; the exact check follows when it is read.
 * @throws AppError `too-large`
 */
export function requireReadableBody(body: string): void {
  if (body.length > MAX_TRANSCRIPT_CHARACTERS && body.length <= QUICKLY_PARSED)
    requireReadable(JSON.parse(body) as Exclude<Spoken, string>)
}

/** @throws AppError `too-large` */
export function requireReadable(said: Spoken): void {
  if (!isReadable(said))
    throw new AppError(
      'too-large',
      'A transcript of more than 600,000 characters (about twelve hours of speech) is not read at once.',
    )
}
