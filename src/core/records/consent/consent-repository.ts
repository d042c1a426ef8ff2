import type { Consent } from '#contract/model/consent.ts'
import type { Sqlite } from '#base/sqlite.ts'
import type { ConsentForm } from '#domain/consent.ts'
import { foldName } from '#domain/names.ts'
import { jsonRows } from '#core/records/rows.ts'

export type ConsentRepository = ReturnType<typeof createConsentRepository>

const { toRow, fromRow } = jsonRows<Consent>(['participant', 'scopes'])
const fields = `id, client_id, participant, scopes, text_version, language, method, given_at, witness, revoked_at,
  created_at, updated_at, version`

export function createConsentRepository(db: Sqlite) {
  const find = db.prepare(`select ${fields} from consents where id = ?`)
  const list = db.prepare(`select ${fields} from consents where client_id = ? order by given_at desc, id desc`)
  const forGate = `
    select client_id, participant, scopes, text_version, given_at, revoked_at from consents`
  const ofAll = db.prepare(forGate)
  const ofOne = db.prepare(`${forGate} where client_id = ?`)
  const insert = db.prepare(`
    insert into consents (${fields}, participant_key)
    values (@id, @client_id, @participant, @scopes, @text_version, @language, @method, @given_at, @witness, @revoked_at,
      @created_at, @updated_at, @version, @participant_key)`)
  const revoke = db.prepare('update consents set revoked_at = @at, updated_at = @at, version = version + 1 where id = @id')
  const keepVersion = db.prepare('update consents set service_version = ? where id = ?')

  return {
    find: (id: string) => fromRow(find.get(id)),
    list: (clientId: string) => list.all(clientId).map((row) => fromRow(row)!),
    forms(clientId?: string): Map<string, ConsentForm[]> {
      const rows = (clientId === undefined ? ofAll.all() : ofOne.all(clientId)) as ({ client_id: string } & ConsentForm)[]
      const byClient = Map.groupBy(rows, ({ client_id }) => client_id)
      const formOf = (row: object): ConsentForm => {
        const { participant, scopes, text_version, given_at, revoked_at } = fromRow(row)!
        return { participant, scopes, text_version, given_at, revoked_at }
      }
      return new Map([...byClient].map(([id, forms]) => [id, forms.map(formOf)]))
    },
    insert: (consent: Consent): void =>
      void insert.run({ ...toRow(consent), participant_key: foldName(consent.participant.name) }),
    revoke: (id: string, at: string): void => void revoke.run({ id, at }),
    keepServiceVersion: (id: string, version: number): void => void keepVersion.run(version, id),
  }
}
