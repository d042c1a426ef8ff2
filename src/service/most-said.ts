import { AppError } from '#contract/errors.ts'

/** About twelve hours of speech: one request must not hold up all others for longer than a breath. */
const mostCharacters = 600_000

/**
 * Before any work is done on it.
 *
 * @throws AppError `too-large`
 */
export function requireReadable(said: string | { readonly segments: readonly { readonly text: string }[] }): void {
  const length = typeof said === 'string' ? said.length : said.segments.reduce((sum, { text }) => sum + text.length, 0)
  if (length > mostCharacters)
    throw new AppError(
      'too-large',
      'A transcript of more than 600,000 characters (about twelve hours of speech) is not read at once.',
    )
}
