import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** What is delivered with the app: three folders up from source, two from what is built. */
export function resources(): string {
  const here = fileURLToPath(new URL('../../resources', import.meta.url))
  return existsSync(here) ? here : fileURLToPath(new URL('../../../resources', import.meta.url))
}
