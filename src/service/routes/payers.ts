import type { Payer } from '#contract/model/payer.ts'
import type { HandlersOf } from '#service/access/call.ts'
import { requireVersion, Stale } from '#service/kernel/stale.ts'
import { findPayer, getPayer, insertPayer, listPayers, updatePayer } from '../store/payers.ts'
import { changed, newRecord } from '../store/records.ts'

export function payerHandlers(): HandlersOf<'listPayers' | 'getPayer' | 'putPayer'> {
  return {
    listPayers:
      ({ practice, query }) =>
      async (db) => {
        const data = await listPayers(db, practice, query)
        return { status: 200, data, touched: data.data.map(({ id }) => id) }
      },
    getPayer:
      ({ practice, params }) =>
      async (db) => ({ status: 200, data: await getPayer(db, practice, params.id), touched: [params.id] }),
    putPayer:
      ({ practice, params, body, ifMatch, now }) =>
      async (db) => {
        const current = await findPayer(db, practice, params.id)
        if (current) requireVersion(ifMatch, current)
        else if (ifMatch !== null) throw new Stale(null)
        const payer: Payer = current ? changed({ ...current, ...body }, now) : { ...body, ...newRecord(params.id, now) }
        if (current) await updatePayer(db, practice, payer)
        else await insertPayer(db, practice, payer)
        return { status: current ? 200 : 201, data: payer, touched: [params.id] }
      },
  }
}
