import type { Consent, ConsentScope } from '#contract/model/consent.ts'
import type { Participant } from '#contract/model/session.ts'
import type { Sqlite } from '#base/sqlite.ts'
import { normalName } from '#core/clients/client-names.ts'

/** One agreement, revoked or not, as the gate needs it. */
export interface Agreement {
  readonly participant_key: string
  readonly role: Participant['role']
  readonly scopes: readonly ConsentScope[]
  readonly given_at: string
  readonly revoked_at: string | null
}

export interface ConsentRepository {
  find(id: string): Consent | null
  /** Newest first, revoked ones included. */
  list(clientId: string): Consent[]
  /** By client, revoked ones included: an older form does not outlive a later no. */
  agreements(clientId?: string): Map<string, Agreement[]>
  insert(consent: Consent): void
  revoke(id: string, at: string): void
  keepServiceVersion(id: string, version: number): void
}

const fields = `id, client_id, participant, scopes, text_version, language, method, given_at, witness, revoked_at,
  created_at, updated_at, version`

export function createConsentRepository(db: Sqlite): ConsentRepository {
  const find = db.prepare(`select ${fields} from consents where id = ?`)
  const list = db.prepare(`select ${fields} from consents where client_id = ? order by given_at desc, id desc`)
  const forGate = `
    select client_id, participant_key, json_extract(participant, '$.role') as role, scopes, given_at, revoked_at from consents`
  const ofAll = db.prepare(forGate)
  const ofOne = db.prepare(`${forGate} where client_id = ?`)
  const insert = db.prepare(`
    insert into consents (${fields}, participant_key)
    values (@id, @client_id, @participant, @scopes, @text_version, @language, @method, @given_at, @witness, @revoked_at,
      @created_at, @updated_at, @version, @participant_key)`)
  const revoke = db.prepare('update consents set revoked_at = @at, updated_at = @at, version = version + 1 where id = @id')
  const keepVersion = db.prepare('update consents set service_version = ? where id = ?')

  return {
    find: (id) => fromRow(find.get(id)),
    list: (clientId) => list.all(clientId).map((row) => fromRow(row)!),
    agreements(clientId) {
      const rows = clientId === undefined ? ofAll.all() : ofOne.all(clientId)
      const byClient = new Map<string, Agreement[]>()
      for (const { client_id, ...row } of rows as (Agreement & { client_id: string; scopes: string })[]) {
        const agreement = { ...row, scopes: JSON.parse(row.scopes) as ConsentScope[] }
        const known = byClient.get(client_id)
        if (known === undefined) byClient.set(client_id, [agreement])
        else known.push(agreement)
      }
      return byClient
    },
    insert: (consent) =>
      void insert.run({
        ...consent,
        participant: JSON.stringify(consent.participant),
        participant_key: normalName(consent.participant.name),
        scopes: JSON.stringify(consent.scopes),
      }),
    revoke: (id, at) => void revoke.run({ id, at }),
    keepServiceVersion: (id, version) => void keepVersion.run(version, id),
  }
}

function fromRow(row: unknown): Consent | null {
  if (row === undefined) return null
  const stored = row as Consent & { participant: string; scopes: string }
  return {
    ...stored,
    participant: JSON.parse(stored.participant) as Consent['participant'],
    scopes: JSON.parse(stored.scopes) as ConsentScope[],
  }
}
