import type { Settings } from '#contract/bridge/settings.ts'
import { AppError } from '#contract/errors.ts'
import type { ExportPorts } from '#core/export/exports.ts'
import { ownTemplateId, type Template } from '#contract/model/template.ts'
import type { TemplateRepository } from '#core/records/templates/template-repository.ts'
import type { Repositories } from '#core/records/repositories.ts'

export function exportSources(parts: Repositories & { settings: () => Settings }): Pick<ExportPorts, 'note' | 'transcript'> {
  const { clients, sessions, transcripts, notes, templates, settings } = parts
  return {
    async note(id) {
      const note = notes.find(id)
      const client = note === null ? null : clients.find(note.client_id)
      if (note === null || client === null) throw new AppError('not-found')
      const { therapist_name, therapist_credential, practice_name } = settings()
      const { display_name, date_of_birth, diagnoses } = client
      const session = sessions.find(note.session_id)
      return {
        note,
        form_name: nameOfForm(templates, note.template),
        client: { display_name, date_of_birth, diagnoses },
        session,
        therapist_name,
        therapist_credential,
        practice_name,
      }
    },
    async transcript(sessionId) {
      const transcript = transcripts.ofSession(sessionId)
      if (transcript === null) throw new AppError('not-found')
      return { transcript, session: sessions.find(sessionId) }
    },
  }
}

function nameOfForm(templates: TemplateRepository, template: Template): string | null {
  const own = ownTemplateId(template)
  return own === null ? null : (templates.find(own)?.name ?? null)
}
