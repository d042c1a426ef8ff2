import { join } from 'node:path'
import { AppError } from '#contract/errors.ts'
import type { Session } from '#contract/model/session.ts'
import type { Emit } from '#contract/bridge/events.ts'
import type { Audit } from '#core/audit/audit.ts'
import type { Repositories } from '#core/records/repositories.ts'
import { createRecordings, type Recordings } from '#core/recordings/recordings.ts'
import type { RecordedSessions } from '#core/records/sessions/recorded-sessions.ts'
import type { OpenVault } from '#core/vault/vault.ts'
import type { CorePorts } from './core-ports.ts'

interface Parts extends Repositories, RecordedSessions {
  readonly audit: Audit
  readonly emit: Emit
}

export function openRecordings(ports: CorePorts, vault: OpenVault, parts: Parts): Recordings {
  const { sessions, clients, consentService, audit, emit, onStarted, onFinished } = parts
  const sessionOf = (id: string): Session => {
    const session = sessions.find(id)
    if (session === null) throw new AppError('not-found')
    return session
  }
  return createRecordings({
    db: vault.db,
    keys: vault.keys,
    clock: ports.clock,
    log: ports.log,
    folder: join(ports.folder, 'recordings'),
    append: ports.append,
    emit,
    gate: (sessionId) => consentService.gate(sessionId),
    clientName: (sessionId) => clients.find(sessionOf(sessionId).client_id)?.display_name ?? '',
    sessionStart: (sessionId) => sessionOf(sessionId).starts_at,
    onStarted,
    onFinished,
    audit: (entry) => audit.append(entry),
  })
}

/** Stops a client's recordings that lack consent after a revocation or with a new participant. */
export function stopWhereUnconsented(
  recordings: Recordings,
  { sessions, consentService }: Repositories,
): (clientId: string) => Promise<void> {
  return async (clientId) => {
    for (const sessionId of await recordings.writableSessions()) {
      if (sessions.find(sessionId)?.client_id !== clientId || consentService.allows(sessionId, 'record')) continue
      await recordings.stopSession(sessionId)
    }
  }
}
