import { extname } from 'node:path'
import { fileURLToPath } from 'node:url'

export function threadFile(name: string): URL {
  const extension = extname(fileURLToPath(import.meta.url))
  return new URL(`./${name}${extension}`, import.meta.url)
}
