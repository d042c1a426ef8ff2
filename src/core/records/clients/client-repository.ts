import type { Client } from '#contract/model/client.ts'
import type { Sqlite } from '#base/sqlite.ts'
import { foldName } from '#domain/names.ts'
import { jsonRows, serviceVersions } from '#core/records/rows.ts'
import { isShown, owesNote } from '#core/records/sessions/session-repository.ts'
import type { ClientRow } from '#contract/bridge/clients.ts'

export type ClientSummary = Omit<ClientRow, 'client' | 'record_number' | 'consented'>

export type ClientRepository = ReturnType<typeof createClientRepository>

export interface ClientFilter {
  readonly q?: string | undefined
  readonly status?: 'active' | 'archived' | undefined
  readonly limit?: number
}

const { toRow, fromRow } = jsonRows<Client>(['diagnoses', 'insurance', 'goals', 'vocabulary'])
const fields = `id, display_name, given_name, family_name, pronouns, date_of_birth, email, phone, status, clinician_id,
  diagnoses, insurance, goals, vocabulary, created_at, updated_at, version`
const MAX_WORDS = 8

export function createClientRepository(db: Sqlite) {
  const find = db.prepare(`select ${fields} from clients where id = ?`)
  const typed = Array.from(
    { length: MAX_WORDS },
    (_, index) => `and (@word${index} is null or instr(search_name, @word${index}) > 0)`,
  )
  const list = db.prepare(`
    select ${fields} from clients where (@status is null or status = @status) ${typed.join(' ')}
    order by search_name, id limit @limit`)
  const insert = db.prepare(`
    insert into clients (${fields}, search_name)
    values (@id, @display_name, @given_name, @family_name, @pronouns, @date_of_birth, @email, @phone, @status, @clinician_id,
      @diagnoses, @insurance, @goals, @vocabulary, @created_at, @updated_at, @version, @search_name)`)
  const update = db.prepare(`
    update clients set display_name = @display_name, given_name = @given_name, family_name = @family_name, pronouns = @pronouns,
      date_of_birth = @date_of_birth, email = @email, phone = @phone, status = @status, clinician_id = @clinician_id,
      diagnoses = @diagnoses, insurance = @insurance, goals = @goals, vocabulary = @vocabulary, updated_at = @updated_at, version = @version, search_name = @search_name
    where id = @id`)
  const recordNumber = db.prepare('select record_number from clients where id = ?').pluck()
  const setRecordNumber = db.prepare('update clients set record_number = ? where id = ?')
  const summaries = summaryStatements(db)

  return {
    find: (id: string) => fromRow(find.get(id)),
    recordNumber: (id: string) => (recordNumber.get(id) as string | null | undefined) ?? null,
    setRecordNumber: (id: string, number: string | null): void => void setRecordNumber.run(number, id),
    list({ q, status, limit }: ClientFilter): Client[] {
      const words = foldName(q ?? '')
        .split(' ')
        .filter(Boolean)
      const parameters = Object.fromEntries(typed.map((_, index) => [`word${index}`, words[index] ? ` ${words[index]}` : null]))
      return list.all({ ...parameters, status: status ?? null, limit: limit ?? -1 }).map((row) => fromRow(row)!)
    },
    summaries(now: string, clientId?: string): Map<string, ClientSummary> {
      const rows = clientId === undefined ? summaries.all.all({ now }) : summaries.one.all({ now, client_id: clientId })
      return new Map((rows as (ClientSummary & { client_id: string })[]).map(({ client_id, ...summary }) => [client_id, summary]))
    },
    insert: (client: Client): void => void insert.run({ ...toRow(client), search_name: searchName(client) }),
    update: (client: Client): void => void update.run({ ...toRow(client), search_name: searchName(client) }),
    ...serviceVersions(db, 'clients'),
  }
}

function summaryStatements(db: Sqlite) {
  const query = (where: string) =>
    db.prepare(`
      select sessions.client_id,
        max(case when starts_at <= @now and sessions.status not in ('cancelled', 'no_show') then starts_at end) as last_session_at,
        min(case when starts_at > @now and sessions.status in ('proposed', 'scheduled') then starts_at end) as next_session_at,
        count(*) as session_count,
        count(iif(${owesNote}, 1, null)) as unsigned_notes
      from sessions left join notes on notes.session_id = sessions.id where ${isShown} ${where} group by sessions.client_id`)
  return { all: query(''), one: query('and sessions.client_id = @client_id') }
}

/** Because of the leading space, a search for a space and the typed text matches the start of any word. */
function searchName(client: { display_name: string; given_name: string | null; family_name: string | null }): string {
  return ` ${foldName([client.display_name, client.given_name ?? '', client.family_name ?? ''].join(' '))}`
}
