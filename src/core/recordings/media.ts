import { recordingPath } from '#contract/bridge/library.ts'
import { AppError, errorKinds } from '#contract/errors.ts'
import { idSchema } from '#contract/model/common.ts'
import type { RecordingAudio } from './recording-audio.ts'

const prefix = recordingPath('')

export const recordingMedia =
  (audio: RecordingAudio): ((request: Request) => Promise<Response>) =>
  async (request) => {
    const { pathname } = new URL(request.url)
    const id = idSchema.safeParse(pathname.startsWith(prefix) ? pathname.slice(prefix.length) : '')
    if (!id.success) return refusal(404)
    if (request.method !== 'GET' && request.method !== 'HEAD') return refusal(405, { allow: 'GET, HEAD' })
    try {
      return await answer(audio, id.data, request)
    } catch (error) {
      if (error instanceof AppError) return refusal(errorKinds[error.code].status)
      throw error
    }
  }

async function answer(audio: RecordingAudio, id: string, request: Request): Promise<Response> {
  const found = await audio.stat(id)
  if (found === null) return refusal(404)
  const range = parseRange(request.headers.get('range'), found.bytes)
  if (range === 'unsatisfiable') return refusal(416, { 'content-range': `bytes */${found.bytes}` })
  const { start, end } = range ?? { start: 0, end: found.bytes }
  const headers = {
    ...commonHeaders,
    'content-type': 'audio/ogg',
    'content-length': String(end - start),
    'accept-ranges': 'bytes',
    ...(range === null ? {} : { 'content-range': `bytes ${start}-${end - 1}/${found.bytes}` }),
  }
  const body = request.method === 'HEAD' ? null : ReadableStream.from(audio.read(id, start, end))
  return new Response(body, { status: range === null ? 200 : 206, headers })
}

const commonHeaders = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' }

function refusal(status: number, headers: Record<string, string> = {}): Response {
  return new Response(null, { status, headers: { ...commonHeaders, ...headers } })
}

/**
 * `end` is exclusive. Null means the whole file, because there is no range, more than one, or an invalid one (RFC 9110, 14.2).
 */
function parseRange(header: string | null, bytes: number): { start: number; end: number } | 'unsatisfiable' | null {
  const match = /^bytes=(\d*)-(\d*)$/.exec(header?.trim() ?? '')
  if (match === null || (match[1] === '' && match[2] === '')) return null
  const [, first = '', last = ''] = match
  if (first === '') {
    const suffix = Number(last)
    return suffix === 0 || bytes === 0 ? 'unsatisfiable' : { start: Math.max(0, bytes - suffix), end: bytes }
  }
  const start = Number(first)
  if (last !== '' && Number(last) < start) return null
  return start >= bytes ? 'unsatisfiable' : { start, end: last === '' ? bytes : Math.min(bytes, Number(last) + 1) }
}
