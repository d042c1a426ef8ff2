import { type Client, clientDraftSchema } from '#contract/model/client.ts'
import { parseLeniently } from '#client/lenient.ts'
import type { Common } from '#core/sync/merge/common.ts'
import { isSame } from '#core/outbox/three-way.ts'
import { type Arrived, recordKinds, type PulledKind } from '#core/sync/record-kinds.ts'

/** A record as an answer had it, or null where it is not what it should be. */
export type ParseArrival = (kind: PulledKind, raw: unknown) => Arrived | null

const clientFields = Object.keys(clientDraftSchema.shape)

export function createParseArrival(common: Pick<Common, 'of'>): ParseArrival {
  return (kind, raw) => {
    if (kind !== 'client') {
      const { data } = recordKinds[kind].schema.safeParse(raw)
      return data === undefined ? null : ({ kind, record: data } as Arrived)
    }
    // The list of clients is published, their fields are not.
    const record = parseLeniently(recordKinds.client.schema, raw) as Client | null
    return record === null ? null : { kind, record: counted(common, withAbsence(record, raw as object), raw as object) }
  }
}

/** A field that is not sent says nothing of what is known of it. */
function withAbsence(record: Client, raw: object): Client {
  const absent = clientFields.filter((name) => !(name in raw) && name !== 'state')
  return absent.length === 0 ? record : { ...record, withheld: [...new Set([...(record.withheld ?? []), ...absent])] }
}

/** Where the service counts no versions, other content is another version. */
function counted(common: Pick<Common, 'of'>, record: Client, raw: object): Client {
  if ('version' in raw) return record
  const known = common.of('client', record.id)
  if (known === null || known === 'gone') return record
  const isOther = Object.keys(known.record).some(
    (name) => !record.withheld?.includes(name) && !isSame(known.record[name], (record as Record<string, unknown>)[name]),
  )
  return { ...record, version: isOther ? known.version + 1 : known.version }
}
