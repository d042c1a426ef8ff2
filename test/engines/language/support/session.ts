import type { NoteBody, Statement } from '#contract/model/note.ts'
import type { Template } from '#contract/model/template.ts'
import type { SpeakerRole } from '#contract/model/transcript.ts'
import type { DraftRequest } from '#engines/language/port.ts'
import { rulesLanguage } from '#engines/language/rules/engine.ts'

/** "T: ..." and "C: ..." lines; other letters are other speakers. */
export function talk(
  lines: readonly string[],
  template: Template = 'soap',
  roles: Readonly<Record<string, SpeakerRole>> = { T: 'therapist', C: 'client' },
): DraftRequest {
  const ids = [...new Set(lines.map((line) => line.charAt(0)))]
  return {
    template,
    session: null,
    client: { id: '018f7f5e-0000-7000-8000-000000000002', display_name: 'Ada Brook', given_name: 'Ada', pronouns: 'she/her' },
    speakers: ids.map((id) => ({ id, role: roles[id] ?? 'other', label: id })),
    segments: lines.map((line, index) => ({
      id: `segment-${index}`,
      speaker_id: line.charAt(0),
      start_ms: index * 4000,
      end_ms: index * 4000 + 3500,
      text: line.slice(3),
      confidence: null,
      edited: false,
    })),
  }
}

export async function drafted(request: DraftRequest): Promise<NoteBody> {
  return rulesLanguage().draft(request, new AbortController().signal)
}

export function statementsOf(note: NoteBody): Statement[] {
  return note.sections.flatMap((section) => section.statements)
}

export function textOf(note: NoteBody): string {
  return statementsOf(note)
    .map((statement) => statement.text)
    .join('\n')
}
