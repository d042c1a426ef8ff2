import type { ConsentScope } from '#contract/model/consent.ts'
import type { Note } from '#contract/model/note.ts'
import { textAskingToKeep } from '#domain/consent.ts'
import { withTyped } from '#domain/note-sections.ts'
import type { CoreKit, OpenCore } from '#test/core/core-kit.ts'
import { looked } from '#test/core/looked.ts'
import { format, recordOf } from '#test/core/recordings/recording-kit.ts'

export const agreed: ConsentScope[] = ['record', 'transcribe', 'draft']

let hour = 0

/** A client who answered the consent text, and a session. By default the client refused to have the audio kept. */
export async function sessionAsked(
  open: OpenCore,
  name: string,
  scopes: ConsentScope[] = agreed,
  text_version: string = textAskingToKeep,
) {
  const client = await open.call('clients.create', { display_name: name })
  const participant = { name, role: 'client' as const }
  const consent = await open.call('consents.give', { client_id: client.id, participant, scopes, text_version, method: 'spoken' })
  const session = await open.call('sessions.create', {
    client_id: client.id,
    session_type: 'individual',
    starts_at: new Date(Date.UTC(2024, 2, 4, 6 + hour++)).toISOString(),
    duration_minutes: 50,
  })
  return { client, consent, session }
}

export async function record(kit: CoreKit, open: OpenCore, session_id: string): Promise<string> {
  const { recording_id } = await open.call('recordings.start', { session_id, window_id: 'window-1', format, device_label: 'Mic' })
  for (let sequence = 0; sequence < 10; sequence += 1) kit.append.append({ recording_id, ...recordOf(sequence) })
  await open.call('recordings.finish', { recording_id })
  return recording_id
}

/** A draft, made with or without a transcript, with a sentence of the therapist, because an empty note can't be signed. */
export async function reviewed(open: OpenCore, session_id: string): Promise<Note> {
  await open.call('notes.draft', { session_id, template: 'soap' })
  await open.until(async () => (await open.call('notes.get', { session_id })).note !== null)
  const { note } = await open.call('notes.get', { session_id })
  const { sections, omissions } = looked(note!)
  const typed = sections.map((section) => withTyped(section, 'Worked on sleep.', () => crypto.randomUUID()))
  return open.call('notes.save', { id: note!.id, version: note!.version, sections: typed, omissions })
}

/** @param deletes_audio false as from an older window, which does not say that the audio will be deleted */
export async function sign(open: OpenCore, session_id: string, deletes_audio = true): Promise<Note> {
  const { id, version } = await reviewed(open, session_id)
  return open.call('notes.sign', { id, version, deletes_audio })
}
