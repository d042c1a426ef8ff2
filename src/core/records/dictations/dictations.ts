import { newKey } from '#base/aead.ts'
import { serial } from '#base/control.ts'
import { newId } from '#base/ids.ts'
import { errorKind } from '#base/log.ts'
import type { Dictation } from '#contract/bridge/dictations.ts'
import type { Handlers, MethodName, MethodRequest } from '#contract/bridge/methods.ts'
import { AppError } from '#contract/errors.ts'
import type { VaultKeys } from '#core/keys/vault-keys.ts'
import type { AppendPort } from '#core/recordings/append-service.ts'
import { freeBytes, newHeader, RESERVED_BYTES, unlockRecording } from '#core/recordings/recording-files.ts'
import { existing } from '../change.ts'
import type { RecordParts } from '../repositories.ts'
import { createDictationStore } from './dictation-store.ts'

interface Parts extends Pick<RecordParts, 'db' | 'clock' | 'log' | 'sessions' | 'notes' | 'change'> {
  readonly keys: VaultKeys
  readonly folder: string
  readonly append: AppendPort
  /** True while a session is recorded. */
  readonly isRecording: () => boolean
  readonly isReady: () => Promise<boolean>
  readonly hear: (sound: () => AsyncIterable<Uint8Array>, signal: AbortSignal) => Promise<string>
  readonly closing: AbortSignal
  /** Files are read after this. */
  readonly after: Promise<void>
}

/** A window that dictates sends sound five times a second. */
const MAX_SILENCE_MS = 3000

export type Dictations = ReturnType<typeof createDictations>

/** Dictations are kept apart from recordings, so that no session gets them as its audio. */
export function createDictations(parts: Parts) {
  const { log, change, append, isReady, hear, closing } = parts
  const store = createDictationStore(parts.db, parts.keys, parts.folder)
  const inTurn = serial()
  const { erase, finish, openState, aboutClient } = changesOf(parts, store)
  const ready = inTurn(() => parts.after.then(() => reconcile({ append, log }, store)))
  ready.catch(() => {}) // Callers that wait for `ready` still get the error.

  const handlers: Handlers<Extract<MethodName, `dictations.${string}`>> = {
    'dictations.list': async ({ session_id }) => {
      const isSet = await isReady()
      return inTurn(async () => {
        const waiting = store.ofSession(session_id).map(async (row) => {
          const state = await openState(row.id)
          const is_running = state !== null && state.silent_ms < MAX_SILENCE_MS
          return { ...row, saved_ms: is_running ? state.saved_ms : await finish(row.id), is_running }
        })
        const found = await Promise.all(waiting)
        return { ready: isSet, waiting: found.filter(({ is_running, saved_ms }) => is_running || saved_ms > 0) }
      })
    },
    'dictations.start': (input) => inTurn(() => start(parts, store, input)),
    'dictations.attach': (input) => inTurn(() => attach(parts, store, input)),
    'dictations.finish': ({ id }) => inTurn(async () => ({ saved_ms: await finish(id) })),
    'dictations.delete': ({ id, accepted }) => inTurn(() => erase(id, accepted ? 'dictation.accepted' : 'dictation.deleted')),
    'dictations.transcribe': async ({ id }) => {
      await inTurn(() => finish(id))
      const text = await hear(() => store.read(id), closing)
      change([], ({ audit }) => audit({ action: 'dictation.transcribed', ...aboutClient(existing(store.find(id))) }))
      return { text }
    },
  }

  return {
    handlers,
    ready,
    isWaiting: (sessionId: string): boolean => store.ofSession(sessionId).length > 0,
    /** Closes running dictations. Their windows can't open them again while the records are locked. */
    async stop(): Promise<void> {
      await ready
      for (const id of store.ids())
        await inTurn(() => finish(id)).catch((error: unknown) => log.error('dictation-not-closed', { reason: errorKind(error) }))
    },
  }
}

type Store = ReturnType<typeof createDictationStore>

function changesOf({ append, change, sessions }: Parts, store: Store) {
  const aboutClient = ({ id, session_id }: Dictation) => ({
    subject_id: id,
    client_id: sessions.find(session_id)?.client_id ?? null,
  })
  const openState = async (id: string) => (await append.status()).find(({ recording_id }) => recording_id === id) ?? null
  return {
    openState,
    aboutClient,
    erase,
    /** Returns the length of the sound. A dictation without sound is deleted. */
    async finish(id: string): Promise<number> {
      const row = existing(store.find(id))
      if ((await openState(id)) === null) return row.saved_ms
      const { saved_ms } = await append.close(id)
      if (saved_ms === 0) await erase(id, 'dictation.deleted')
      else change(['notes'], () => store.setSaved(id, saved_ms))
      return saved_ms
    },
  }

  async function erase(id: string, action: string): Promise<Record<string, never>> {
    const row = existing(store.find(id))
    if ((await openState(id)) !== null) await append.close(id)
    change(['notes'], ({ audit }) => {
      store.remove(id)
      audit({ action, ...aboutClient(row) })
    })
    store.shredErased()
    return {}
  }
}

async function start(parts: Parts, store: Store, input: MethodRequest<'dictations.start'>) {
  const { clock, keys, append, sessions, notes, change, folder } = parts
  const { session_id, section_key, window_id, format } = input
  const { client_id } = existing(sessions.find(session_id))
  if (existing(notes.ofSession(session_id)).signature !== null) throw new AppError('already-signed')
  const isHeard = (await append.status()).some(({ silent_ms }) => silent_ms < MAX_SILENCE_MS)
  if (isHeard || parts.isRecording()) throw new AppError('recording-active')
  if (!(await parts.isReady())) throw new AppError('engine-not-ready')
  if ((await freeBytes(folder)) < RESERVED_BYTES) throw new AppError('disk-full')
  const id = newId(clock)
  const key = newKey()
  try {
    store.files.create(id, newHeader(keys, key, { recording_id: id, session_id, created_ms: clock.now(), format }))
    const path = store.files.path(id)
    const { next_sequence, saved_ms } = await append.open({ recording_id: id, path, key: Uint8Array.from(key), window_id })
    change([], ({ at, audit }) => {
      store.insert({ id, session_id, section_key, started_at: at, saved_ms })
      audit({ action: 'dictation.started', subject_id: id, client_id })
    })
    return { id, next_sequence, saved_ms }
  } catch (error) {
    await append.close(id).catch(() => {}) // it may not be open
    store.files.shred(id)
    throw error
  } finally {
    key.fill(0)
  }
}

/** Opens the file again if the core or the append thread was replaced since. */
async function attach({ keys, append }: Parts, store: Store, { id, window_id }: MethodRequest<'dictations.attach'>) {
  const { saved_ms } = existing(store.find(id))
  const path = store.files.path(id)
  const { key } = unlockRecording(store.files, keys, { id, state: 'finished', header: null })
  try {
    await append.open({ recording_id: id, path, key: Uint8Array.from(key), window_id, saved_ms })
    return await append.attach({ recording_id: id, window_id, gap: null })
  } finally {
    key.fill(0)
  }
}

async function reconcile({ append, log }: Pick<Parts, 'append' | 'log'>, store: Store): Promise<void> {
  store.shredErased()
  for (const { recording_id } of await append.status()) if (store.files.has(recording_id)) await append.close(recording_id)
  for (const id of store.files.list()) {
    try {
      if (store.find(id) === null) store.adopt(id)
      else store.setSaved(id, store.measure(id))
      if (store.find(id)?.saved_ms === 0) store.remove(id)
    } catch (error) {
      log.error('dictation-unreadable', { recording_id: id, reason: errorKind(error) })
    }
  }
  for (const id of store.ids().filter((row) => !store.files.has(row))) store.remove(id)
  store.shredErased()
}
