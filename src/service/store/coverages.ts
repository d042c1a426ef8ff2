import { sql, type SqlBool } from 'kysely'
import { localDateIn } from '#base/locale.ts'
import { AppError } from '#contract/errors.ts'
import type { Authorisation, Payer } from '#contract/model/payer.ts'
import type { Session } from '#contract/model/session.ts'
import { type Condition, everyPage, type Filtered, findRecord, having, pageOfRecords, recordsIn, selectIn } from './records.ts'
import { sealedOrNull } from './sealed.ts'
import { listSessions } from './sessions.ts'
import type { Database, Write } from './tables.ts'

interface CoverageOrigin {
  readonly author_id: string
  readonly question: string
  readonly is_answer: boolean
  readonly raw: { readonly text: string; readonly media_type: string } | null
}

export const { list: listCoverage, insert: insertCoverage } = recordsIn('coverages', {
  columnsOfNew: ({ client_id, checked_at }, { author_id, question, is_answer, raw }: CoverageOrigin) => ({
    client_id: client_id ?? null,
    author_id,
    question,
    is_answer: is_answer ? (1 as const) : (0 as const),
    checked_at,
    raw: sealedOrNull(raw?.text ?? null),
    raw_type: raw?.media_type ?? null,
  }),
  narrow: ({ client_id }: Filtered<'client_id'>) => having('client_id', client_id),
})

export async function findAnswer(db: Database, practice: string, question: string, client_id: string | null, since: string) {
  const row = await selectIn(db, 'coverages', practice)
    .select('id')
    .where('question', '=', question)
    .where('client_id', client_id === null ? 'is' : '=', client_id)
    .where('is_answer', '=', 1)
    .where('checked_at', '>=', since)
    .where('deleted_at', 'is', null)
    .orderBy('checked_at', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row === undefined ? null : findRecord(db, 'coverages', practice, row.id)
}

export async function findRaw(db: Database, practice: string, id: string): Promise<{ text: string; media_type: string } | null> {
  const row = await selectIn(db, 'coverages', practice).select(['raw', 'raw_type']).where('id', '=', id).executeTakeFirst()
  return row === undefined || row.raw === null || row.raw_type === null ? null : { text: row.raw, media_type: row.raw_type }
}

export type KeptAuthorisation = Omit<Authorisation, 'visits_used' | 'visits_left'>

export const {
  list: listAuthorisations,
  insert: insertAuthorisation,
  update: updateAuthorisation,
} = recordsIn('authorisations', {
  hasOwnId: true,
  columnsOfNew: ({ client_id }, author_id: string) => ({ client_id, author_id }),
  narrow: ({ client_id }: Filtered<'client_id'>) => having('client_id', client_id),
})

export function completedSessions(db: Database, practice: string, client_id: string): Promise<Session[]> {
  return everyPage((cursor) => listSessions(db, practice, { limit: 200, cursor, client_id, status: 'completed' }))
}

export function withVisits(authorisation: KeptAuthorisation, completed: readonly Session[]): Authorisation {
  const counted = completed.filter((session) => fallsUnder(authorisation, dayOf(session), session.cpt_code)).length
  const visits_used = authorisation.visits_used_before + counted
  const { visits_approved } = authorisation
  return {
    ...authorisation,
    visits_used,
    visits_left: visits_approved === null ? null : Math.max(0, visits_approved - visits_used),
  }
}

export async function countedOne(db: Database, practice: string, kept: KeptAuthorisation): Promise<Authorisation> {
  return withVisits(kept, await completedSessions(db, practice, kept.client_id))
}

export function fallsUnder(
  { starts_on, ends_on, cpt_codes, cancelled }: Pick<KeptAuthorisation, 'starts_on' | 'ends_on' | 'cpt_codes' | 'cancelled'>,
  day: string,
  cpt_code: string | null,
): boolean {
  if (cancelled || day < starts_on || (ends_on !== null && day > ends_on)) return false
  return cpt_codes.length === 0 || (cpt_code !== null && cpt_codes.some((code) => code.toUpperCase() === cpt_code.toUpperCase()))
}

/** The date on which a session began in its own time zone, because payers count by date. */
const dayOf = ({ starts_at, time_zone }: Pick<Session, 'starts_at' | 'time_zone'>): string => localDateIn(starts_at, time_zone)

const names = (text: string): Condition => sql<SqlBool>`search like ${`%${text.replaceAll(/[~%_]/g, '~$&')}%`} escape '~'`

const payers = recordsIn('payers', {
  columns: columnsOf,
  narrow: ({ q = '' }: Filtered<'q'>) =>
    simple(q)
      .split(' ')
      .filter((word) => word !== '')
      .map(names),
})
export const { get: getPayer, find: findPayer, list: listPayers } = payers

export async function payerNamed(db: Database, practice: string, typed: string): Promise<Payer | null> {
  const wanted = simple(typed)
  const { data: found } = await pageOfRecords(db, 'payers', practice, { limit: 2 }, [names(`|${wanted}|`)])
  const [payer, another] = found
  return payer !== undefined && another === undefined
    ? payer
    : (found.find(({ payer_id }) => simple(payer_id) === wanted) ?? null)
}

export async function putPayer(db: Write, practice: string, payer: Payer): Promise<void> {
  const same = selectIn(db, 'payers', practice).select('id').where('payer_id', '=', payer.payer_id).where('id', '!=', payer.id)
  if ((await same.executeTakeFirst()) !== undefined)
    throw new AppError('already-exists', 'Another payer on the list has this id.')
  await payers.put(db, practice, payer)
}

/** Payer names are not confidential, so `search` is stored unsealed. */
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
