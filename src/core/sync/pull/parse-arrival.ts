import { type Client, clientDraftSchema } from '#contract/model/client.ts'
import { parseLeniently } from '#client/lenient.ts'
import type { Common } from '#core/sync/merge/common.ts'
import { isSame } from '#core/outbox/three-way.ts'
import { type Arrived, recordKinds, type PulledKind } from '#core/sync/record-kinds.ts'

export type ParseArrival = (kind: PulledKind, raw: unknown) => Arrived | null

const clientFields = Object.keys(clientDraftSchema.shape)

export function createParseArrival(common: Pick<Common, 'of'>): ParseArrival {
  return (kind, raw) => {
    if (kind !== 'client') {
      const { data } = recordKinds[kind].schema.safeParse(raw)
      return data === undefined ? null : ({ kind, record: data } as Arrived)
    }
    // The list of clients is a published operation, but a client's fields aren't specified.
    const record = parseLeniently(recordKinds.client.schema, raw) as Client | null
    return record === null ? null : { kind, record: counted(common, withAbsence(record, raw as object), raw as object) }
  }
}

/** A missing field counts as withheld, so it doesn't overwrite a known value. */
function withAbsence(record: Client, raw: object): Client {
  const absent = clientFields.filter((name) => !(name in raw) && name !== 'state')
  return absent.length === 0 ? record : { ...record, withheld: [...new Set([...(record.withheld ?? []), ...absent])] }
}

/** If the service sends no versions, changed content counts as a new version. */
function counted(common: Pick<Common, 'of'>, record: Client, raw: object): Client {
  if ('version' in raw) return record
  const known = common.of('client', record.id)
  if (known === null || known === 'gone') return record
  const isOther = Object.keys(known.record).some(
    (name) => !record.withheld?.includes(name) && !isSame(known.record[name], (record as Record<string, unknown>)[name]),
  )
  return { ...record, version: isOther ? known.version + 1 : known.version }
}
