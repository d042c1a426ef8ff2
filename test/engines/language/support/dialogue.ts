import { readFileSync, readdirSync } from 'node:fs'
import path from 'node:path'
import type { NoteBody } from '#contract/model/note.ts'
import type { Template } from '#contract/model/template.ts'
import type { SpeakerRole } from '#contract/model/transcript.ts'
import type { DraftRequest, DraftSession } from '#engines/language/port.ts'

export interface Dialogue {
  readonly id: string
  readonly title: string
  readonly session: {
    readonly session_type: DraftSession['session_type']
    readonly modality: DraftSession['modality']
    readonly starts_at: string
    readonly duration_minutes: number
  }
  readonly speakers: readonly {
    readonly id: string
    readonly role: SpeakerRole
    readonly name: string
    readonly pronouns?: string
  }[]
  readonly turns: readonly {
    readonly speaker_id: string
    readonly start_ms: number
    readonly end_ms: number
    readonly text: string
  }[]
}

const sessionId = '018f7f5e-0000-7000-8000-000000000001'
const clientId = '018f7f5e-0000-7000-8000-000000000002'

export function requestOf(dialogue: Dialogue, template: Template): DraftRequest {
  const client = dialogue.speakers.find((speaker) => speaker.role === 'client')
  return {
    template,
    session: { id: sessionId, ...dialogue.session, time_zone: 'UTC' },
    client: client ? { id: clientId, display_name: client.name, given_name: null, pronouns: client.pronouns ?? null } : null,
    speakers: dialogue.speakers.map((speaker) => ({ id: speaker.id, role: speaker.role, label: speaker.name })),
    segments: dialogue.turns.map((turn, index) => ({
      id: `segment-${index}`,
      speaker_id: turn.speaker_id,
      start_ms: turn.start_ms,
      end_ms: turn.end_ms,
      text: turn.text,
      confidence: null,
      edited: false,
    })),
  }
}

export function dialoguesIn<Extra = object>(folder: string): (Dialogue & Extra)[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .toSorted()
    .map((name) => JSON.parse(readFileSync(path.join(folder, name), 'utf8')) as Dialogue & Extra)
}

/** The draft as a person reads it, with the turns behind each statement. */
export function asText(note: NoteBody): string {
  const lines: string[] = []
  for (const section of note.sections) {
    lines.push('', `## ${section.title}`)
    for (const statement of section.statements) {
      const turns = [...new Set(statement.evidence.map((each) => Number(each.segment_id.replace(/\D+/g, ''))))].toSorted(
        (left, right) => left - right,
      )
      lines.push(`- ${statement.text}${turns.length > 0 ? ` (${turns.join(', ')})` : ''}${statement.safety ? ' [look]' : ''}`)
    }
  }
  lines.push('', '## Left out')
  for (const omission of note.omissions) lines.push(`- ${omission.kind}: ${omission.text}`)
  lines.push('', '## Checks')
  for (const check of note.checks) lines.push(`- ${check.severity}: ${check.message}`)
  if (note.unsupported.length > 0)
    lines.push('', '## Unsupported', ...note.unsupported.map((each) => `- ${each.reason}: ${each.text}`))
  return `${lines.join('\n').trim()}\n`
}
