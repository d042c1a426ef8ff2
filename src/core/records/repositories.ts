import type { Emit } from '#contract/bridge/events.ts'
import type { Settings } from '#contract/bridge/settings.ts'
import type { Clock } from '#base/clock.ts'
import type { Log } from '#base/log.ts'
import type { Audit } from '#core/audit/audit.ts'
import type { Outbox } from '#core/outbox/outbox.ts'
import type { MakeChange } from './change.ts'
import type { Sqlite } from '#base/sqlite.ts'
import { createClientRepository } from './clients/client-repository.ts'
import { createConsentRepository } from './consent/consent-repository.ts'
import { createConsentService } from './consent/consent-service.ts'
import { createInsightRepository } from './insights/insight-repository.ts'
import { createNoteRepository } from './notes/note-repository.ts'
import { createSessionRepository } from './sessions/session-repository.ts'
import { createTemplateRepository } from './templates/template-repository.ts'
import { createSpeakerFactRepository } from './transcripts/speaker-facts.ts'
import { createTranscriptRepository } from './transcripts/transcript-repository.ts'
import { createWorkRepository } from './work/work-repository.ts'

export type Repositories = ReturnType<typeof createRepositories>

export interface RecordParts extends Repositories {
  readonly db: Sqlite
  readonly clock: Clock
  readonly log: Log
  readonly emit: Emit
  readonly settings: () => Settings
  /** The chosen locale, or the system's. */
  readonly locale: () => string
  readonly isRemote: () => boolean
  readonly audit: Audit
  readonly outbox: Outbox
  readonly change: MakeChange
}

export function createRepositories(db: Sqlite) {
  const clients = createClientRepository(db)
  const sessions = createSessionRepository(db)
  const consents = createConsentRepository(db)
  return {
    clients,
    sessions,
    consents,
    transcripts: createTranscriptRepository(db),
    speakerFacts: createSpeakerFactRepository(db),
    notes: createNoteRepository(db),
    insights: createInsightRepository(db),
    templates: createTemplateRepository(db),
    work: createWorkRepository(db),
    consentService: createConsentService({ clients, sessions, consents }),
  }
}
