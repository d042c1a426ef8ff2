import type { WrittenEntry } from '../catalogue-entry.ts'

type WrittenFile = WrittenEntry['files'][number]

/** The repositories of the maintainer of sherpa-onnx, who publishes each model as single files. */
export const repository = (name: string): string => `https://huggingface.co/csukuangfj/${name}`

/** Its exact length and checksum stand in the repository's own list, which is read at install. */
export function hosted(repositoryName: string, role: string, name: string): WrittenFile {
  const address = `${repository(repositoryName)}/resolve/main/${encodeURIComponent(name)}`
  return { role, name, address, bytes: null, sha256: null }
}
