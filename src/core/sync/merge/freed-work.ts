import { ownTemplateId } from '#contract/model/template.ts'
import type { Outbox } from '#core/outbox/outbox.ts'
import { createNotices } from '#core/sync/store-results.ts'
import type { StoredIntent } from '#core/outbox/intents.ts'

/** Work that needed somebody, and has now what it waited for, goes on by itself. Within the caller's transaction. */
export interface FreedWork {
  consentGiven(): void
  /** What a note form says, where it was changed on both sides. */
  formDecided(templateId: string): void
}

export function createFreedWork({ outbox, ...shown }: { outbox: Outbox } & Parameters<typeof createNotices>[0]): FreedWork {
  const { noteWaiting } = createNotices(shown)
  return {
    consentGiven: () => outbox.retry(['consent-missing']).forEach(noteWaiting),
    formDecided: (id) => outbox.retry(['stale-version'], (intent) => isWrittenIn(intent, id)).forEach(noteWaiting),
  }
}

const isWrittenIn = (intent: StoredIntent, templateId: string): boolean =>
  intent.kind === 'draft-note' && ownTemplateId(intent.body.template) === templateId
