import type { Work } from '#contract/bridge/sessions.ts'
import type { Sqlite } from '#base/sqlite.ts'
import type { IntentKind } from '#core/outbox/intents.ts'

export type WorkKind = 'transcribe' | 'draft' | 'analyze'

export function workKind(kind: IntentKind): WorkKind | null {
  if (kind === 'transcribe' || kind === 'analyze') return kind
  return kind === 'draft-note' ? 'draft' : null
}

export const idle: Work = { state: 'idle', progress: 0, error: null }
export const cancelled: Work = { state: 'idle', progress: 0, error: 'cancelled' }
export const waiting: Work = { state: 'waiting', progress: 0, error: null }
export const failed = (error: string): Work => ({ state: 'failed', progress: 0, error })
export const waitingFor = (error: string): Work => ({ state: 'waiting', progress: 0, error })
export const waitingForSpeech = waitingFor('engine-not-ready')

export function createWorkRepository(db: Sqlite) {
  const get = db.prepare('select state, progress, error from work where session_id = ? and kind = ?')
  const set = db.prepare(`
    insert into work (session_id, kind, state, progress, error) values (@session_id, @kind, @state, @progress, @error)
    on conflict (session_id, kind) do update set state = @state, progress = @progress, error = @error`)
  const waitForSpeech = db
    .prepare(`select session_id from work where kind = 'transcribe' and state = @state and error = @error`)
    .pluck()
  return {
    waitForSpeech: () => waitForSpeech.all(waitingForSpeech) as string[],
    get: (sessionId: string, kind: WorkKind) => (get.get(sessionId, kind) as Work | undefined) ?? idle,
    set: (sessionId: string, kind: WorkKind, work: Work): void => void set.run({ ...work, session_id: sessionId, kind }),
  }
}
