import type { Consent, ConsentScope } from '#contract/model/consent.ts'
import type { Participant } from '#contract/model/session.ts'
import type { Sqlite } from '#base/sqlite.ts'
import type { ConsentForm } from '#domain/consent.ts'
import { foldName } from '#domain/names.ts'

export interface ConsentRepository {
  find(id: string): Consent | null
  list(clientId: string): Consent[]
  /** Consents by client, including revoked ones: a later revocation overrides an older consent. */
  forms(clientId?: string): Map<string, ConsentForm[]>
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
    select client_id, participant, scopes, given_at, revoked_at from consents`
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
    forms(clientId) {
      const rows = clientId === undefined ? ofAll.all() : ofOne.all(clientId)
      const byClient = new Map<string, ConsentForm[]>()
      for (const { client_id, participant, scopes, ...times } of rows as FormRow[]) {
        const form = {
          ...times,
          participant: JSON.parse(participant) as Participant,
          scopes: JSON.parse(scopes) as ConsentScope[],
        }
        const known = byClient.get(client_id)
        if (known === undefined) byClient.set(client_id, [form])
        else known.push(form)
      }
      return byClient
    },
    insert: (consent) =>
      void insert.run({
        ...consent,
        participant: JSON.stringify(consent.participant),
        participant_key: foldName(consent.participant.name),
        scopes: JSON.stringify(consent.scopes),
      }),
    revoke: (id, at): void => void revoke.run({ id, at }),
    keepServiceVersion: (id, version): void => void keepVersion.run(version, id),
  }
}

interface FormRow {
  readonly client_id: string
  readonly participant: string
  readonly scopes: string
  readonly given_at: string
  readonly revoked_at: string | null
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
