import { extname } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Entry files are next to this one: source (`.ts`) in tests, bundle (`.js`) in the built app. */
export function threadFile(name: string): URL {
  const extension = extname(fileURLToPath(import.meta.url))
  return new URL(`./${name}${extension}`, import.meta.url)
}
