import { retryAfterMs, sleep } from '#base/clock.ts'
import { AppError } from '#contract/errors.ts'
import type { SpeechSettings } from '#base/engine-settings.ts'
import { readVerboseJson } from './verbose-json.ts'
import type { Heard, SpeechPort, SpeechRequest } from './port.ts'

const pauses = [1_000, 3_000, 9_000]
const MAX_PAUSE = 30_000
const timeoutFor = (durationMs: number): number => Math.min(60_000 + 3 * durationMs, MAX_WAIT)
const MAX_WAIT = 60 * 60_000
const MAX_ANSWER = 16 * 1024 * 1024

export interface Tuning {
  readonly pauses?: readonly number[]
  readonly timeoutMs?: number
}

export function openAiCompatible({ address, model, key, language }: SpeechSettings, tuning: Tuning = {}): SpeechPort {
  const url = `${address.replace(/\/+$/, '')}/audio/transcriptions`
  const waits = tuning.pauses ?? pauses

  return {
    engine: { name: 'openai-compatible', version: '1', model },
    async transcribe(request, signal) {
      for (let attempt = 0; ; attempt += 1) {
        const outcome = await once(request, signal)
        if ('heard' in outcome) return outcome.heard
        const pause = waits[attempt]
        if (!outcome.again || pause === undefined) throw outcome.error
        await sleep(Math.min(outcome.after ?? pause, MAX_PAUSE), signal)
      }
    },
  }

  async function once(request: SpeechRequest, signal: AbortSignal): Promise<Outcome> {
    const timeout = AbortSignal.timeout(tuning.timeoutMs ?? timeoutFor(request.duration_ms))
    const either = AbortSignal.any([signal, timeout])
    // Serialize the form before sending: aborting a form that is still being read throws an uncatchable error.
    const written = new Response(form(request, model, language))
    const type = written.headers.get('content-type') ?? ''
    const body = await written.arrayBuffer()
    try {
      const response = await fetch(url, {
        method: 'POST',
        headers: {
          Accept: 'application/json',
          'Content-Type': type,
          ...(key === null ? {} : { Authorization: `Bearer ${key}` }),
        },
        body,
        redirect: 'error',
        signal: either,
      })
      return response.ok ? { heard: await read(response, request) } : await refusal(response)
    } catch (error) {
      if (signal.aborted) throw signal.reason
      if (error instanceof AppError) return { error, again: false }
      if (timeout.aborted) return { error: failed('The speech server took too long.', error), again: false }
      return { error: failed('The speech server does not answer or broke off.', error), again: true }
    }
  }
}

const files = {
  wav: { name: 'audio.wav', type: 'audio/wav' },
  flac: { name: 'audio.flac', type: 'audio/flac' },
  mp3: { name: 'audio.mp3', type: 'audio/mpeg' },
  m4a: { name: 'audio.m4a', type: 'audio/mp4' },
} as const

function form(request: SpeechRequest, model: string | null, language: string | null): FormData {
  const fields = new FormData()
  const { name, type } = files[request.file ?? 'wav']
  fields.set('file', new Blob([request.wav], { type }), name)
  fields.set('model', model ?? 'whisper-1')
  fields.set('response_format', 'verbose_json')
  fields.append('timestamp_granularities[]', 'segment')
  fields.append('timestamp_granularities[]', 'word')
  const spoken = (request.language ?? language)?.split('-')[0]
  if (spoken) fields.set('language', spoken)
  if (request.vocabulary.length > 0) fields.set('prompt', request.vocabulary.join(', '))
  return fields
}

type Outcome =
  | { readonly heard: Heard }
  | { readonly error: AppError; readonly again: boolean; readonly after?: number | undefined }

async function read(response: Response, { duration_ms, file }: SpeechRequest): Promise<Heard> {
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of response.body ?? []) {
    length += chunk.length
    if (length > MAX_ANSWER) throw failed('The speech server answers more than a transcript.')
    chunks.push(chunk)
  }
  const heard = readVerboseJson(Buffer.concat(chunks, length).toString('utf8'), duration_ms, file !== undefined)
  if (heard === null) throw failed('The speech server answers something that is not a transcript. Is the address right?')
  return heard
}

/** Ignores the response body, which may repeat what was sent. */
async function refusal(response: Response): Promise<Outcome> {
  await response.body?.cancel()
  const { status } = response
  const notReady = (detail: string): Outcome => ({ error: new AppError('engine-not-ready', detail), again: false })
  if (status === 401 || status === 403) return notReady('The speech server does not take this key.')
  if (status === 404 || status === 405)
    return notReady('The speech server has no transcription at this address, or not this model.')
  if (status !== 429 && status < 500) return { error: failed(`The speech server refuses this sound (${status}).`), again: false }
  const after = retryAfterMs(response.headers.get('retry-after'), Date.now()) ?? undefined
  return { error: failed(`The speech server is busy or broken (${status}).`), again: true, after }
}

const failed = (detail: string, cause?: unknown): AppError =>
  new AppError('engine-failed', detail, [], cause === undefined ? {} : { cause })
