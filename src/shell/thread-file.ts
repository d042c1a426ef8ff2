import { extname } from 'node:path'
import { fileURLToPath } from 'node:url'

/** A thread's entry file lies beside this one, as source (`.ts`) in tests and as bundle (`.js`) in the built app. */
export function threadFile(name: string): URL {
  const extension = extname(fileURLToPath(import.meta.url))
  return new URL(`./${name}${extension}`, import.meta.url)
}
