import { sql } from 'kysely'
import type { SqlBool } from 'kysely'
import { AppError } from '#contract/errors.ts'
import type { Payer } from '#contract/model/payer.ts'
import type { Page, PageQuery } from './records.ts'
import { atFreeId, changesOf, findRecord, getRecord, pageOfRecords, rowOf } from './records.ts'
import type { Database, Write } from './tables.ts'

export interface PayerQuery extends PageQuery {
  readonly q?: string | undefined
}

export const getPayer = (db: Database, practice: string, id: string): Promise<Payer> => getRecord(db, 'payers', practice, id)
export const findPayer = (db: Database, practice: string, id: string): Promise<Payer | null> =>
  findRecord(db, 'payers', practice, id)

/** Payer names are not confidential, so they are stored unsealed and can be searched. */
export function listPayers(db: Database, practice: string, query: PayerQuery): Promise<Page<Payer>> {
  const words = simple(query.q ?? '')
    .split(' ')
    .filter((word) => word !== '')
  return pageOfRecords(
    db,
    'payers',
    practice,
    query,
    words.map((word) => sql<SqlBool>`search like ${`%${word.replaceAll(/[~%_]/g, '~$&')}%`} escape '~'`),
  )
}

/** By its id, a gateway's id, or its exact name; if several match, the one whose own id it is. */
export async function payerNamed(db: Database, practice: string, typed: string): Promise<Payer | null> {
  const wanted = simple(typed)
  const exact = sql<SqlBool>`search like ${`%|${wanted.replaceAll(/[~%_]/g, '~$&')}|%`} escape '~'`
  const found = await pageOfRecords<Payer>(db, 'payers', practice, { limit: 2 }, [exact])
  const [payer, another] = found.data
  return payer !== undefined && another === undefined
    ? payer
    : (found.data.find(({ payer_id }) => simple(payer_id) === wanted) ?? null)
}

export async function insertPayer(db: Write, practice: string, payer: Payer): Promise<void> {
  await refuseSecond(db, practice, payer)
  await atFreeId(db, 'payers', payer.id, async () => {
    await db
      .insertInto('payers')
      .values({ ...rowOf(practice, payer), ...columnsOf(payer) })
      .execute()
  })
}

export async function updatePayer(db: Write, practice: string, payer: Payer): Promise<void> {
  await refuseSecond(db, practice, payer)
  await db
    .updateTable('payers')
    .set({ ...changesOf(payer), ...columnsOf(payer) })
    .where('practice_id', '=', practice)
    .where('id', '=', payer.id)
    .execute()
}

async function refuseSecond(db: Write, practice: string, { id, payer_id }: Payer): Promise<void> {
  const other = await db
    .selectFrom('payers')
    .select('id')
    .where('practice_id', '=', practice)
    .where('payer_id', '=', payer_id)
    .where('id', '!=', id)
    .executeTakeFirst()
  if (other !== undefined) throw new AppError('already-exists', 'Another payer on the list has this id.')
}

function columnsOf({ payer_id, name, typed_names, trading_partner_ids }: Payer): { payer_id: string; search: string } {
  return { payer_id, search: `|${[payer_id, name, ...typed_names, ...trading_partner_ids].map(simple).join('|')}|` }
}

function simple(text: string): string {
  return text
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[|\s]+/g, ' ')
    .trim()
}
