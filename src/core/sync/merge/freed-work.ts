import { ownTemplateId } from '#contract/model/template.ts'
import type { Outbox } from '#core/outbox/outbox.ts'
import { createNotices } from '#core/sync/store-results.ts'
import type { StoredIntent } from '#core/outbox/intents.ts'

/** Retries blocked work once the reason is gone. Call this in a transaction. */
export interface FreedWork {
  consentGiven(): void
  formDecided(templateId: string): void
}

export function createFreedWork({ outbox, ...shown }: { outbox: Outbox } & Parameters<typeof createNotices>[0]): FreedWork {
  const { recordWaiting } = createNotices(shown)
  return {
    consentGiven: () => outbox.retry(['consent-missing']).forEach(recordWaiting),
    formDecided: (id) => outbox.retry(['stale-version'], (intent) => isWrittenIn(intent, id)).forEach(recordWaiting),
  }
}

const isWrittenIn = (intent: StoredIntent, templateId: string): boolean =>
  intent.kind === 'draft-note' && ownTemplateId(intent.body.template) === templateId
