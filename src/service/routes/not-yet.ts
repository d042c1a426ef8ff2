import { AppError } from '#contract/errors.ts'
import type { HandlersOf } from '../handler.ts'

/** Published operations whose engines this release does not have: the declared 503, saying so. */
export function notYetHandlers(): HandlersOf<'readAnalytics'> {
  const without = (hint: string) => (): never => {
    throw new AppError('engine-not-ready', hint)
  }
  return {
    readAnalytics: without('This release computes no analytics. Sessions and notes can be listed instead.'),
  }
}
