import { AppError } from '#contract/errors.ts'

/** Audio that stands somewhere; any stretch of it can be read again. */
export interface UploadSource {
  /** Chosen by the sender, so that the upload is found again whatever became of the answers. */
  readonly id: string
  readonly session_id: string
  readonly bytes: number
  /** Of the whole, hex; null where it is not known. */
  readonly sha256: string | null
  /** From `start` to before `end`. */
  read(start: number, end: number): AsyncIterable<Uint8Array>
}

export interface UploadProgress {
  readonly signal?: AbortSignal
  /** Bytes the service has for good. */
  readonly onOffset?: (offset: number) => void
}

/** Sends one request to `/uploads…` and throws the problem where it is one. */
type Send = (path: string, init: RequestInit) => Promise<Response>

/** After a cut at most so much is sent again. */
const chunkBytes = 1024 * 1024
const version = { 'Tus-Resumable': '1.0.0' }

/**
 * Sends audio in parts, from where the service says it has it (tus 1.0: core, creation, checksum).
 *
 * @throws AppError `gone` where the service gave the upload up; `service-unreachable` at a cut: call again to go on
 */
export async function sendUpload(source: UploadSource, send: Send, { signal, onOffset }: UploadProgress): Promise<void> {
  const given = signal === undefined ? {} : { signal }
  const at = `/uploads/${source.id}`
  let offset = await offsetNow()
  if (offset === null) {
    const created = {
      method: 'POST',
      headers: { ...version, 'Upload-Length': String(source.bytes), 'Upload-Metadata': metadataOf(source) },
    }
    await send('/uploads', { ...created, ...given })
    offset = 0
  }
  while (offset < source.bytes) {
    onOffset?.(offset)
    offset = await sendChunk(offset)
  }
  onOffset?.(offset)

  async function sendChunk(start: number): Promise<number> {
    const body = await collect(source.read(start, Math.min(start + chunkBytes, source.bytes)))
    const headers = {
      ...version,
      'Content-Type': 'application/offset+octet-stream',
      'Upload-Offset': String(start),
      'Upload-Checksum': `sha256 ${base64(new Uint8Array(await crypto.subtle.digest('SHA-256', body)))}`,
    }
    try {
      return offsetOf(await send(at, { method: 'PATCH', headers, body, ...given }))
    } catch (error) {
      // An earlier request of ours arrived after all.
      const moved = error instanceof AppError && error.code === 'upload-moved-on' ? await offsetNow() : null
      if (moved === null || moved <= start) throw error
      return moved
    }
  }

  async function offsetNow(): Promise<number | null> {
    try {
      return offsetOf(await send(at, { method: 'HEAD', headers: version, ...given }))
    } catch (error) {
      if (error instanceof AppError && error.code === 'not-found') return null
      throw error
    }
  }
}

/** A portal's page has no such header. */
function offsetOf(response: Response): number {
  const offset = Number(response.headers.get('upload-offset') ?? Number.NaN)
  if (Number.isSafeInteger(offset) && offset >= 0) return offset
  throw new AppError('service-unreachable', 'What answers at this address is not a service we know.')
}

function metadataOf({ id, session_id, sha256 }: UploadSource): string {
  const fields = Object.entries({ id, session_id, ...(sha256 === null ? {} : { sha256 }) })
  return fields.map(([name, value]) => `${name} ${btoa(value)}`).join(',')
}

async function collect(parts: AsyncIterable<Uint8Array>): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = []
  for await (const part of parts) chunks.push(part)
  const whole = new Uint8Array(chunks.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const chunk of chunks) {
    whole.set(chunk, at)
    at += chunk.length
  }
  return whole
}

const base64 = (bytes: Uint8Array): string => btoa(String.fromCharCode(...bytes))
