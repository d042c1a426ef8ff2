import { AppError } from '#contract/errors.ts'
import { sentUploadSchema } from '#contract/model/documentation-requests.ts'
import { jsonOf, letGo, notAService } from './answer.ts'

export interface UploadSource {
  /** Chosen by the caller, so that an upload can be resumed even if every answer was lost. */
  readonly id: string
  readonly session_id: string
  readonly bytes: number
  readonly sha256: string | null
  read(start: number, end: number): AsyncIterable<Uint8Array>
}

export interface UploadProgress {
  readonly signal?: AbortSignal
  readonly onOffset?: (offset: number) => void
  readonly mayGoOn?: (bytes: number) => boolean
  readonly mostPart?: number
}

export interface UploadPart {
  readonly method: 'HEAD' | 'GET' | 'POST' | 'PATCH'
  readonly headers: Readonly<Record<string, string>>
  readonly body?: Uint8Array<ArrayBuffer>
}
type Send = (path: string, part: UploadPart) => Promise<Response>

interface Line {
  readonly send: Send
  readonly pace: Pace
  readonly elapsed: () => number
}

const version = { 'Tus-Resumable': '1.0.0' }
const MAX_SETBACKS = 5

/**
 * Uploads with tus 1.0 (core, creation, checksum), from where an earlier call stopped. False if `mayGoOn` stopped it early.
 * @throws AppError `gone` if the service discarded the upload or has other audio under this id; `service-unreachable` if the
 *   connection broke or an answer is invalid; `checksum-mismatch`; `recording-damaged`; `upload-moved-on`; other codes of the
 *   service; the reason of `signal`
 */
export async function sendUpload(source: UploadSource, line: Line, progress: UploadProgress): Promise<boolean> {
  const { onOffset, mayGoOn = () => true } = progress
  const upload = uploadOf(source, line, progress)
  let offset = (await upload.offset()) ?? (await upload.begin())
  for (let setbacks = 0; offset < source.bytes;) {
    onOffset?.(offset)
    const end = Math.min(offset + Math.min(line.pace.next(), progress.mostPart ?? MAX_PART), source.bytes)
    if (!mayGoOn(end - offset)) return false
    const next = await upload.part(offset, end)
    if (next <= offset) setbacks += 1
    if (setbacks > MAX_SETBACKS) throw new AppError('upload-moved-on')
    offset = next
  }
  onOffset?.(offset)
  await upload.requireWhole()
  return true
}

function uploadOf(source: UploadSource, { send, pace, elapsed }: Line, { signal }: UploadProgress) {
  const at = `/uploads/${source.id}`

  async function offset(): Promise<number | null> {
    try {
      const response = await tus(send(at, { method: 'HEAD', headers: version }), 200)
      return standingOf(response, source)
    } catch (error) {
      if (failedWith(error, 'not-found')) return null
      throw error
    }
  }

  /** The upload's id is the idempotency key, so a repeated request creates only one upload. */
  async function begin(): Promise<number> {
    const length = { 'Upload-Length': String(source.bytes), 'Upload-Metadata': metadataOf(source) }
    const headers = { ...version, ...length, 'Idempotency-Key': source.id }
    try {
      const response = await tus(send('/uploads', { method: 'POST', headers }), 201)
      if (response.headers.get('location')?.endsWith(at) !== true) throw notAService()
      // If the answer is a replay, an earlier request created the upload, so some bytes may have arrived.
      return response.headers.has('idempotency-replayed') ? ((await offset()) ?? 0) : 0
    } catch (error) {
      const before = failedWith(error, 'already-exists') ? await offset() : null
      if (before === null) throw error
      return before
    }
  }

  async function part(start: number, end: number): Promise<number> {
    const body = await collect(source.read(start, end), end - start)
    const headers = await headersOf(start, body)
    const begun = elapsed()
    try {
      const reached = offsetOf(await tus(send(at, { method: 'PATCH', headers, body }), 204))
      if (reached <= start || reached > end) throw notAService()
      pace.arrived(body.length, elapsed() - begun)
      return reached
    } catch (error) {
      if (failedWith(error, 'service-unreachable')) pace.broke()
      if (failedWith(error, 'too-large') && body.length > MIN_PART) {
        pace.tooLarge(body.length)
        return start
      }
      const moved = failedWith(error, 'upload-moved-on') ? await offset() : null
      if (moved === null || moved === start) throw error
      return moved
    }
  }

  async function requireWhole(): Promise<void> {
    const response = await send(at, { method: 'GET', headers: { Accept: 'application/json' } })
    checkWhole(await jsonOf(response, signal), source)
  }

  return { offset, begin, part, requireWhole }
}

async function headersOf(start: number, body: Uint8Array<ArrayBuffer>): Promise<Record<string, string>> {
  return {
    ...version,
    'Content-Type': 'application/offset+octet-stream',
    'Upload-Offset': String(start),
    'Upload-Checksum': `sha256 ${base64(new Uint8Array(await crypto.subtle.digest('SHA-256', body)))}`,
  }
}

function checkWhole(answer: unknown, { id, bytes }: UploadSource): void {
  const said = sentUploadSchema.safeParse(answer)
  if (!said.success || said.data.id !== id) throw notAService()
  if (!said.data.complete || said.data.bytes !== bytes) throw new AppError('checksum-mismatch')
}

/** Requires the `Tus-Resumable` header, which a captive portal does not send. */
async function tus(sending: Promise<Response>, status: number): Promise<Response> {
  const response = await sending
  await letGo(response)
  if (response.status !== status || response.headers.get('tus-resumable') !== version['Tus-Resumable']) throw notAService()
  return response
}

function standingOf(response: Response, { bytes, sha256 }: UploadSource): number {
  const announced = hashIn(response.headers.get('upload-metadata') ?? '')
  const isOther = sha256 !== null && announced !== null && announced !== sha256
  if (isOther || Number(response.headers.get('upload-length')) !== bytes)
    throw new AppError('gone', 'Other audio stands under this name.')
  const offset = offsetOf(response)
  if (offset > bytes) throw notAService()
  return offset
}

function offsetOf(response: Response): number {
  const offset = Number(response.headers.get('upload-offset') ?? Number.NaN)
  if (Number.isSafeInteger(offset) && offset >= 0) return offset
  throw notAService()
}

function metadataOf({ id, session_id, sha256 }: UploadSource): string {
  const fields = Object.entries({ id, session_id, ...(sha256 === null ? {} : { sha256 }) })
  return fields.map(([name, value]) => `${name} ${btoa(value)}`).join(',')
}

function hashIn(metadata: string): string | null {
  const [, value] =
    metadata
      .split(',')
      .map((field) => field.trim().split(' '))
      .find(([name]) => name === 'sha256') ?? []
  try {
    return value === undefined ? null : atob(value)
  } catch {
    return null
  }
}

async function collect(parts: AsyncIterable<Uint8Array>, bytes: number): Promise<Uint8Array<ArrayBuffer>> {
  const whole = new Uint8Array(bytes)
  let at = 0
  for await (const part of parts) {
    if (at + part.length > bytes) throw new AppError('recording-damaged')
    whole.set(part, at)
    at += part.length
  }
  if (at < bytes) throw new AppError('recording-damaged')
  return whole
}

const base64 = (bytes: Uint8Array): string => btoa(String.fromCharCode(...bytes))

const failedWith = (error: unknown, code: AppError['code']): boolean => error instanceof AppError && error.code === code

type Pace = ReturnType<typeof createPace>

export const MAX_PART = 1024 * 1024
const MIN_PART = 32 * 1024
const FIRST_PART = 256 * 1024
const AIM_MS = 2000

export function createPace() {
  let part = FIRST_PART
  let most = MAX_PART
  return {
    next: (): number => part,
    arrived(bytes: number, ms: number): void {
      const fitting = (bytes / Math.max(1, ms)) * AIM_MS
      part = Math.round(Math.min(most, 2 * part, Math.max(MIN_PART, fitting)))
    },
    broke: (): void => void (part = Math.max(MIN_PART, Math.floor(part / 2))),
    tooLarge(bytes: number): void {
      most = Math.max(MIN_PART, Math.floor(bytes / 2))
      part = Math.min(part, most)
    },
  }
}
