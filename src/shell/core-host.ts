import { join } from 'node:path'
import type { Answer } from '#contract/bridge/method.ts'

import { type Durable, recordingMethods } from '#contract/bridge/recordings.ts'
import { lockFile } from '#base/lock-file.ts'
import { errorKind, type Log } from '#base/log.ts'
import { AppError } from '#contract/errors.ts'
import { CoreThreads, type HostOptions, type ThreadParts } from './core-threads.ts'
import { privateHeaders } from './static-files.ts'
import type { Rpc } from './rpc.ts'

export interface CoreHost {
  call(name: string, input: unknown): Promise<Answer<unknown>>
  media(request: Request): Promise<Response>
  isLocked(): boolean
  lock(): Promise<Answer<unknown>>
  close(): Promise<void>
  /** False while a thread runs. If still false after `close`, a thread is stuck and the process must be killed. */
  hasEnded(): boolean
}

const LOCK_TIMEOUT = 2000

/**
 * Starts the threads and holds the profile's lock file until the threads have ended.
 * @throws AppError `profile-in-use` if another process holds the lock; otherwise the error of a failed start
 */
export async function startCore(options: HostOptions, parts: ThreadParts = {}): Promise<CoreHost> {
  const lock = lockFile(join(options.folder, 'profile.lock'), LOCK_TIMEOUT)
  if (lock === null) throw new AppError('profile-in-use')
  const threads = await CoreThreads.start(options, parts).catch((error: unknown) => {
    lock.close()
    throw error
  })
  return {
    call(name, input) {
      const answered = answers(threads.log, name)
      if (name === 'recordings.append') return answered(() => appendRecord(threads.append, options.onEvent, input))
      if (name === 'recordings.attach') return attachWindow(threads, answered, input)
      if (name === 'vault.unlock' || name === 'vault.retry') return answered(() => threads.open(name, input))
      return answered(() => (name === 'vault.lock' ? threads.lock() : threads.core.call('call', { name, input })))
    },
    media: (request) => askMedia(threads.core, request),
    isLocked: () => threads.isLocked,
    lock: () => answers(threads.log, 'vault.lock')(() => threads.lock()),
    async close() {
      await threads.close()
      if (threads.hasEnded) lock.close()
    },
    hasEnded: () => threads.hasEnded,
  }
}

async function appendRecord(append: Rpc, onEvent: HostOptions['onEvent'], input: unknown): Promise<Answer<unknown>> {
  const record = recordingMethods['recordings.append'].input.safeParse(input)
  if (!record.success) return { ok: false, error: { code: 'bad-request' } }
  const value = (await append.call('append', record.data)) as Durable
  const { recording_id, peak, rms } = record.data
  onEvent('recording.saved', { recording_id, saved_ms: value.saved_ms, peak, rms })
  return { ok: true, value }
}

async function attachWindow(threads: CoreThreads, answered: Answered, input: unknown): Promise<Answer<unknown>> {
  const answer = await answered(() => threads.core.call('call', { name: 'recordings.attach', input }))
  if (answer.ok || answer.error.code !== 'vault-locked') return answer
  const attachment = recordingMethods['recordings.attach'].input.safeParse(input)
  if (!attachment.success) return answer
  const { recording_id, window_id, gap } = attachment.data
  const again = await answered(async () => {
    const value = await threads.append.call('reattach', { recording_id, window_id, gap })
    return { ok: true, value }
  })
  return !again.ok && again.error.code === 'recording-not-open' ? answer : again
}

async function askMedia(core: Rpc, request: Request): Promise<Response> {
  const question = { method: request.method, url: request.url, headers: [...request.headers] }
  const answer = (await core.call('media', question)) as {
    status: number
    headers: [string, string][]
    body: ReadableStream | null
  }
  const headers = new Headers(answer.headers)
  for (const [name, value] of Object.entries(privateHeaders)) headers.set(name, value)
  return new Response(answer.body, { status: answer.status, headers })
}

type Answered = (call: () => Promise<unknown>) => Promise<Answer<unknown>>

function answers(log: Log, method: string): Answered {
  return async (call) => {
    try {
      return (await call()) as Answer<unknown>
    } catch (error) {
      if (error instanceof AppError) return { ok: false, error: { code: error.code } }
      log.error('host.bug', { method, kind: errorKind(error) })
      return { ok: false, error: { code: 'internal' } }
    }
  }
}
