import { existsSync, statSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { sleep } from '#base/clock.ts'
import { diskFailure } from '#base/durable-file.ts'
import { AppError } from '#contract/errors.ts'
import type { StoredFile } from '../store/models.ts'
import type { CatalogueEntry } from './catalogue.ts'
import { requireSpace, RESERVE_BYTES, fits, sumsOf, keptBytes, dropPart, finishPart, openPart } from './model-folder.ts'
import { type WantedFile, wantedFiles, webPage } from './manifest.ts'
import type { ModelFolder, PartFile } from './model-folder.ts'
import { Interruption, openSource, type Source, type SourceOptions, type SourceAnswer, refusalOf } from './source.ts'

export interface InstallTuning extends SourceOptions {
  readonly reserve?: number
  readonly pauses?: readonly number[]
  readonly syncEvery?: number
}

interface InstallPorts {
  readonly folder: ModelFolder
  readonly mirror: string | null
  readonly signal: AbortSignal
  readonly onProgress: (share: number) => void
  readonly tuning?: InstallTuning
}

const pauses = [500, 1000, 2000, 5000, 10_000, 20_000] as const

export async function installFiles(entry: CatalogueEntry, ports: InstallPorts): Promise<StoredFile[]> {
  const { folder, tuning = {} } = ports
  const source = openSource(tuning)
  try {
    const wanted = await patiently(() => wantedFiles(entry, ports.mirror, source, ports.signal), ports)
    // After a crash, all files may be in place without a database record.
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
  const reserve = tuning.reserve ?? RESERVE_BYTES
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

async function patiently<Result>(ask: () => Promise<Result>, { signal, tuning = {} }: InstallPorts): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await ask()
    } catch (error) {
      if (signal.aborted) throw signal.reason
      if (!(error instanceof Interruption)) throw error
      await waitAfter(error, (tuning.pauses ?? pauses)[attempt], signal, 'The download server can’t be reached.')
    }
  }
}

async function waitAfter(error: Interruption, pause: number | undefined, signal: AbortSignal, failure: string): Promise<void> {
  if (pause === undefined) throw new AppError('download-failed', failure, [], { cause: error })
  await sleep(error.waitMs ?? pause, signal)
}

interface DownloadPorts {
  readonly source: Source
  readonly signal: AbortSignal
  readonly reserve: number
  readonly pauses: readonly number[]
  readonly syncEvery?: number | undefined
  readonly onBytes: (bytes: number) => void
}

const LOOK_EVERY = 4 * 1024 * 1024

/**
 * Downloads one file and verifies its checksum. Partial data survives a restart. If the checksum of an interrupted download is
 * wrong, starts over once.
 *
 * @returns its SHA-256
 */
async function downloadFile(folder: string, wanted: WantedFile, ports: DownloadPorts): Promise<string> {
  const done = join(folder, wanted.name)
  if (existsSync(done)) {
    const sums = await sumsOf(done, wanted.bytes, ports.signal)
    if (sums.bytes === wanted.bytes && fits(sums, wanted.check)) return sums.sha256
    rmSync(done)
  }
  for (let isSecond = false; ; isSecond = true) {
    const wasPieced = await arrive(folder, wanted, ports)
    const sums = await sumsOf(join(folder, `${wanted.name}.part`), wanted.bytes, ports.signal)
    if (fits(sums, wanted.check)) {
      finishPart(folder, wanted.name)
      return sums.sha256
    }
    dropPart(folder, wanted.name)
    ports.onBytes(0)
    if (!wasPieced || isSecond)
      throw new AppError('model-mismatch', `${wanted.name} has the wrong checksum, so Afterword deleted it.`)
  }
}

async function arrive(folder: string, wanted: WantedFile, ports: DownloadPorts): Promise<boolean> {
  const { pauses, signal } = ports
  const part = await openPart(folder, wanted, ports.syncEvery)
  let isPieced = part.offset > 0
  let failures = 0
  try {
    while (part.offset < wanted.bytes) {
      const before = part.offset
      try {
        await attempt(folder, part, wanted, ports)
      } catch (error) {
        await part.sync().catch(() => {})
        if (signal.aborted) throw signal.reason
        if (!(error instanceof Interruption)) throw diskFailure(error) ?? error
        failures = part.offset > before ? 0 : failures + 1
        await waitAfter(error, pauses[failures], signal, interrupted)
      }
      if (part.offset < wanted.bytes) isPieced = true
    }
    await part.sync()
    await part.close()
    return isPieced
  } catch (error) {
    await part.close()
    const failure = diskFailure(error) ?? error
    if (failure instanceof AppError && failure.code === 'model-mismatch') dropPart(folder, wanted.name)
    throw failure
  }
}

const interrupted = 'The connection was interrupted several times. The downloaded part is saved. Resume when you’re online.'

async function attempt(folder: string, part: PartFile, wanted: WantedFile, ports: DownloadPorts): Promise<void> {
  const { source, signal, onBytes, reserve } = ports
  await requireSpace(folder, wanted.bytes - part.offset, reserve)
  const answer = await source.get(wanted.address, rangeOf(part), signal)
  try {
    await place(answer, part, wanted)
    onBytes(part.offset)
    let looked = part.offset
    for await (const chunk of answer.body) {
      const bytes = chunk as Buffer
      if (part.offset + bytes.length > wanted.bytes) throw tooLong(wanted)
      await part.append(bytes)
      onBytes(part.offset)
      if (part.offset - looked < LOOK_EVERY) continue
      looked = part.offset
      await requireSpace(folder, wanted.bytes - part.offset, reserve)
    }
  } catch (error) {
    if (error instanceof AppError || error instanceof Interruption || diskFailure(error) !== null) throw error
    throw new Interruption('cut')
  } finally {
    answer.body.destroy()
  }
  if (part.offset < wanted.bytes) throw new Interruption('short')
}

function rangeOf(part: PartFile): Record<string, string> {
  if (part.offset === 0) return {}
  // Without a strong ETag, only the final checksum detects a changed file of the same size.
  return { range: `bytes=${part.offset}-`, ...(part.etag === null ? {} : { 'if-range': part.etag }) }
}

async function place(answer: SourceAnswer, part: PartFile, wanted: WantedFile): Promise<void> {
  const { status, headers } = answer
  if (status === 416) {
    await part.begin(null)
    throw new Interruption('range refused')
  }
  if (status !== 200 && status !== 206) throw refusalOf(answer)
  if (/^text\/html/i.test(headers['content-type'] ?? '')) throw new AppError('model-mismatch', webPage)
  if (status === 200) await part.begin(strongTag(headers.etag))
  else if (!startsAt(headers['content-range'], part.offset, wanted.bytes) || isOther(headers.etag, part.etag)) {
    await part.begin(null)
    throw new Interruption('another range')
  }
  const length = headers['content-length']
  if (length !== undefined && Number(length) > wanted.bytes - part.offset) throw tooLong(wanted)
  if (status === 200 && length !== undefined && Number(length) !== wanted.bytes) throw tooLong(wanted)
}

function startsAt(range: string | undefined, offset: number, bytes: number): boolean {
  const found = /^bytes (\d+)-\d+\/(\d+|\*)$/.exec(range ?? '')
  return found !== null && Number(found[1]) === offset && (found[2] === '*' || Number(found[2]) === bytes)
}

/** Some servers ignore If-Range and send a range of the current file. */
const isOther = (tag: string | undefined, before: string | null): boolean =>
  tag !== undefined && before !== null && strongTag(tag) !== before

const strongTag = (tag: string | undefined): string | null => (tag === undefined || tag.startsWith('W/') ? null : tag)

function tooLong({ name }: WantedFile): AppError {
  return new AppError('model-mismatch', `${name} has the wrong size, so Afterword deleted it.`)
}
