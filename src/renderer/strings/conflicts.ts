import type { Conflict, WhoChanged } from '#contract/bridge/conflicts.ts'
import { capitalized } from './lists.ts'
import { messages } from './messages.ts'

const { erased } = messages
const { titles, lead, documents, records, inSession, inList } = messages.conflicts
const fields: Readonly<Record<string, string>> = messages.conflicts.fields

const fieldWord = (name: string): string => fields[name] ?? messages.conflicts.otherField
export const fieldTitle = (name: string): string => capitalized(fieldWord(name))

export const bookingStrings = messages.booking
export const statusWords: Readonly<Record<string, string>> = messages.statuses

export const conflictStrings = {
  ...messages.conflicts,
  kept: (value: string, changed?: 'here' | 'there'): string => messages.conflicts.kept({ value, changed: changed ?? null }),
}

export function conflictTitle(conflict: Conflict, name: string | null): string {
  const { kind, record } = conflict
  switch (kind) {
    case 'fields':
      return titles.fields({ count: conflict.fields.length, field: fieldWord(conflict.fields[0]?.name ?? ''), record, name })
    case 'document':
      return titles.document({ document: documents[conflict.record], isSigned: conflict.choices.length === 1, name })
    case 'erased':
      return titles.erased({ words: records[record], record, name })
    case 'booking':
      return titles.booking({ name })
  }
}

export const whoWords = (who: WhoChanged | undefined): string | null =>
  who?.who === 'you' ? messages.conflicts.you : (who?.name ?? null)

export function conflictLead(conflict: Conflict, who?: WhoChanged): string {
  const changed = lead.bothChanged({ who: who?.who ?? null, name: who?.name ?? null })
  switch (conflict.kind) {
    case 'fields':
      return lead.fields({ changed })
    case 'document':
      if (conflict.choices.length === 2) return lead.document({ changed, record: conflict.record })
      return conflict.choices[0] === 'theirs' ? lead.signedElsewhere : lead.signedHere
    case 'erased':
      return lead.erased
    case 'booking':
      return lead.booking({ count: conflict.proposals.length })
  }
}

export function sessionConflict(conflict: Conflict): string {
  if (conflict.kind !== 'document') return inSession[conflict.kind]
  const isUnsigned = conflict.record === 'note' && conflict.choices.length === 2
  return inSession.document({ document: documents[conflict.record], isUnsigned })
}

export const conflictLine = (conflict: Conflict): string => inList[conflict.kind]

const MAX_QUOTED = 60

export const togetherStrings = {
  ...messages.together,
  of: (doing: string, text: string): string => messages.together.of({ doing, text: text.trim().slice(0, MAX_QUOTED) }),
}

export const erasedStrings = {
  ...erased,
  eraseDetail({ unsent_changes, recordings }: Extract<Conflict, { kind: 'erased' }>): string {
    const lost = [erased.changes({ count: unsent_changes }), erased.recordings({ count: recordings })]
    return erased.eraseDetail({ lost: lost.filter((part) => part !== '') })
  },
}
