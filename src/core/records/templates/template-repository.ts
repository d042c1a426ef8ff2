import type { OwnTemplate } from '#contract/model/template.ts'
import type { Sqlite } from '#base/sqlite.ts'

type Row = Pick<OwnTemplate, 'id' | 'created_at' | 'updated_at' | 'version'> & { readonly body: string }

export function createTemplateRepository(db: Sqlite) {
  const fields = 'id, body, created_at, updated_at, version'
  const all = db.prepare(`select ${fields} from templates where removed_at is null`)
  const one = db.prepare(`select ${fields} from templates where id = ?`)
  const put = db.prepare(`
    insert into templates (id, body, created_at, updated_at, version) values (@id, @body, @created_at, @updated_at, @version)
    on conflict (id) do update set body = excluded.body, updated_at = excluded.updated_at, version = excluded.version`)
  const remove = db.prepare('update templates set removed_at = ? where id = ? and removed_at is null')
  return {
    list: () => (all.all() as Row[]).map(fromRow).toSorted((left, right) => left.name.localeCompare(right.name, 'en')),
    find(id: string): OwnTemplate | null {
      const row = one.get(id) as Row | undefined
      return row === undefined ? null : fromRow(row)
    },
    put({ id, created_at, updated_at, version, ...body }: OwnTemplate): void {
      put.run({ id, created_at, updated_at, version, body: JSON.stringify(body) })
    },
    remove: (id: string, at: string): void => void remove.run(at, id),
  }
}

const fromRow = ({ body, ...fields }: Row): OwnTemplate => ({ ...JSON.parse(body), ...fields }) as OwnTemplate
