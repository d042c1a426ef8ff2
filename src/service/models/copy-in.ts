import { createHash } from 'node:crypto'
import { createReadStream, statSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { diskFailure } from '#base/disk-failure.ts'
import { AppError } from '#contract/errors.ts'
import type { StoredFile } from '../store/models.ts'
import { requireSpace } from './disk-space.ts'
import type { ModelFolder } from './model-folder.ts'
import { onnxMetadata } from './onnx-file.ts'

export interface Wish {
  readonly role: string
  readonly path: string
  /** What it will be called here. */
  readonly name: string
  /** Null: not known, so that only a damage that shows is found now, and every later change. */
  readonly sha256: string | null
}

/**
 * Copies files of a model in, each read once, checked and made sure of, then gives the folder its name.
 *
 * @throws AppError `model-mismatch`, `disk-full`, `disk-failed`; what `signal` was aborted with, and then nothing is kept
 */
export async function copyIn(
  id: string,
  wishes: readonly Wish[],
  folder: ModelFolder,
  reserve: number,
  signal: AbortSignal,
): Promise<StoredFile[]> {
  const from = `${id}.import`
  folder.dropIncoming(from)
  try {
    const incoming = folder.incomingOf(from)
    await requireSpace(
      incoming,
      wishes.reduce((sum, { path }) => sum + statSync(path).size, 0),
      reserve,
    )
    const files: StoredFile[] = []
    for (const wish of wishes) files.push(await copyOne(wish, join(incoming, wish.name), signal))
    folder.admit(id, from)
    return files
  } catch (error) {
    folder.dropIncoming(from)
    throw diskFailure(error) ?? error
  }
}

async function copyOne({ role, path, name, sha256: wanted }: Wish, to: string, signal: AbortSignal): Promise<StoredFile> {
  const sum = createHash('sha256')
  const file = await open(to, 'wx', 0o600)
  let bytes = 0
  try {
    for await (const chunk of createReadStream(path, { highWaterMark: 1024 * 1024 })) {
      signal.throwIfAborted()
      sum.update(chunk as Buffer)
      await file.writeFile(chunk as Buffer)
      bytes += (chunk as Buffer).length
    }
    await file.sync()
  } finally {
    await file.close()
  }
  const sha256 = sum.digest('hex')
  if (wanted !== null && sha256 !== wanted)
    throw new AppError('model-mismatch', `${name} is another file than the one that is published under this name.`)
  if (wanted === null && extname(name) === '.onnx' && onnxMetadata(to) === null)
    throw new AppError('model-mismatch', `${name} is damaged, cut off, or no model file.`)
  return { role, name, bytes, sha256, checksum_from: wanted === null ? 'own' : 'catalogue', mtime_ms: statSync(to).mtimeMs }
}
