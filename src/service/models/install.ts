import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as later } from 'node:timers/promises'
import { diskFailure } from '#base/disk-failure.ts'
import { AppError } from '#contract/errors.ts'
import type { StoredFile } from '../store/models.ts'
import type { CatalogueEntry } from './catalogue-entry.ts'
import { fits, sumsOf } from './checksum.ts'
import { requireSpace, reserveBytes } from './disk-space.ts'
import { downloadFile } from './download.ts'
import { type WantedFile, wantedFiles } from './manifest.ts'
import type { ModelFolder } from './model-folder.ts'
import { keptBytes } from './part-file.ts'
import { Interruption, openSource, type Source, type SourceOptions } from './source.ts'

export interface InstallTuning extends SourceOptions {
  readonly reserve?: number
  readonly pauses?: readonly number[]
  readonly syncEvery?: number
}

interface InstallPorts {
  readonly folder: ModelFolder
  readonly mirror: string | null
  readonly signal: AbortSignal
  /** Share of all bytes that are here. */
  readonly onProgress: (share: number) => void
  readonly tuning?: InstallTuning
}

const pauses = [500, 1000, 2000, 5000, 10_000, 20_000] as const

/**
 * All files of a model, each checked, then all at once in their place. Cut off at any point, nothing of it counts as
 * installed, and the next attempt goes on from what is here.
 *
 * @throws AppError; what `signal` was aborted with
 */
export async function installFiles(entry: CatalogueEntry, ports: InstallPorts): Promise<StoredFile[]> {
  const { folder, tuning = {} } = ports
  const source = openSource(tuning)
  try {
    const wanted = await patiently(() => wantedFiles(entry, ports.mirror, source, ports.signal), ports)
    // Named, but cut off before it was recorded.
    const here = existsSync(folder.pathOf(entry.id)) ? await filesAsWanted(folder.pathOf(entry.id), wanted) : null
    if (here !== null) return here
    await fetchAll(entry.id, wanted, source, ports)
    folder.admit(entry.id)
    const admitted = await filesAsWanted(folder.pathOf(entry.id), wanted)
    if (admitted === null) throw new AppError('disk-failed')
    return admitted
  } catch (error) {
    if (ports.signal.aborted) throw ports.signal.reason
    throw diskFailure(error) ?? error
  } finally {
    source.close()
  }
}

async function fetchAll(id: string, wanted: readonly WantedFile[], source: Source, ports: InstallPorts): Promise<void> {
  const { folder, signal, onProgress, tuning = {} } = ports
  const reserve = tuning.reserve ?? reserveBytes
  const incoming = folder.incomingOf(id)
  const total = wanted.reduce((sum, { bytes }) => sum + bytes, 0)
  const here = new Map(wanted.map((file) => [file.name, bytesHere(incoming, file)]))
  const sum = (): number => [...here.values()].reduce((all, bytes) => all + bytes, 0)
  await requireSpace(incoming, total - sum(), reserve)
  for (const file of wanted) {
    await downloadFile(incoming, file, {
      source,
      signal,
      reserve,
      pauses: tuning.pauses ?? pauses,
      syncEvery: tuning.syncEvery,
      onBytes: (bytes) => {
        here.set(file.name, bytes)
        onProgress(sum() / total)
      },
    })
    here.set(file.name, file.bytes)
  }
}

function bytesHere(incoming: string, file: WantedFile): number {
  return existsSync(join(incoming, file.name)) ? file.bytes : keptBytes(incoming, file)
}

/** What the disk holds, where it is what it must be; else null. */
async function filesAsWanted(path: string, wanted: readonly WantedFile[]): Promise<StoredFile[] | null> {
  const files: StoredFile[] = []
  for (const { role, name, bytes, check, checksum_from } of wanted) {
    const file = join(path, name)
    if (!existsSync(file)) return null
    const sums = await sumsOf(file, bytes)
    if (sums.bytes !== bytes || !fits(sums, check)) return null
    files.push({ role, name, bytes, sha256: sums.sha256, checksum_from, mtime_ms: statSync(file).mtimeMs })
  }
  return files
}

/** The list of files is small: asked for again where something on the way broke off. */
async function patiently<Result>(ask: () => Promise<Result>, { signal, tuning = {} }: InstallPorts): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await ask()
    } catch (error) {
      if (signal.aborted) throw signal.reason
      if (!(error instanceof Interruption)) throw error
      const pause = (tuning.pauses ?? pauses)[attempt]
      if (pause === undefined)
        throw new AppError('download-failed', 'The source of the model cannot be reached.', [], { cause: error })
      await later(error.waitMs ?? pause, undefined, { signal }).catch(() => {
        throw signal.reason
      })
    }
  }
}
