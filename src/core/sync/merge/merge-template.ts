import { canonicalJson } from '#domain/canonical-note.ts'
import type { OwnTemplate } from '#contract/model/template.ts'
import type { Audit } from '#core/audit/audit.ts'
import { sha256 } from '#core/records/notes/note-signing.ts'
import type { TemplateRepository } from '#core/records/templates/template-repository.ts'
import type { Common } from './common.ts'
import type { ConflictRepository } from './conflict-repository.ts'
import type { FreedWork } from './freed-work.ts'

interface Parts {
  readonly templates: TemplateRepository
  readonly common: Common
  readonly conflicts: ConflictRepository
  readonly audit: Audit
  readonly freed: FreedWork
}

/**
 * A template is merged as a whole. It is pushed with the next draft that uses it, so nothing is queued in the outbox.
 */
export function takeTemplate({ templates, common, conflicts, audit, freed }: Parts, theirs: OwnTemplate): void {
  const { id, version } = theirs
  const known = common.of('template', id)
  if (known === 'gone' || (known !== null && version <= known.version)) return
  const hash = hashTemplate(theirs)
  common.keep('template', id, { version, record: { hash } })
  const mine = templates.find(id)
  if (mine === null) {
    templates.put({ ...theirs, version: 1 })
    audit.append({ action: 'template.received', subject_id: id })
    return
  }
  const here = hashTemplate(mine)
  const agreed = known?.record['hash']
  const open = conflicts.open('template', id)
  // While the conflict is open, the same version arriving again isn't agreement.
  if (here === hash || here === agreed || (hash === agreed && open === null)) {
    if (open !== null) conflicts.resolve(open.id, { kind: 'agreed' })
    if (open !== null) freed.formDecided(id)
    if (here !== hash && here === agreed) templates.put({ ...theirs, version: mine.version + 1 })
    if (here !== hash && here === agreed) audit.append({ action: 'template.merged', subject_id: id })
    return
  }
  const body = { mine, theirs }
  conflicts.found({ kind: 'document', record_kind: 'template', record_id: id, client_id: null, session_id: null, body })
  if (open === null) audit.append({ action: 'conflict.found', subject_id: id })
}

export function hashTemplate({ name, sections, style }: OwnTemplate): string {
  return sha256(canonicalJson({ name, sections, style }))
}
