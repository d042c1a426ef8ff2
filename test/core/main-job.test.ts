import { afterAll, expect, test } from 'vitest'
import { clientWithSession, coreKit, createProfile, dialogue, type OpenCore } from './core-kit.ts'
import { looked } from './looked.ts'

const kit = coreKit()
afterAll(() => kit.remove())

test(
  'from a new client to a signed note with an addendum, and all of it is there after a restart',
  { timeout: 60_000 },
  async () => {
    let open = await kit.open()
    expect(open.core.state()).toMatchObject({ phase: 'first_run', trouble: null })
    expect(await createProfile(open)).not.toBe('')
    expect(open.core.state()).toMatchObject({ phase: 'ready', protection: 'keychain' })

    const { client, session } = await clientWithSession(open)
    const content = new TextEncoder().encode(dialogue)
    const transcript = await open.call('transcripts.import', { session_id: session.id, file_name: 'session.txt', content })
    expect(transcript.speakers.map((speaker) => speaker.role)).toEqual(['therapist', 'client'])

    expect(await open.call('notes.draft', { session_id: session.id, template: 'soap' })).toMatchObject({ state: 'waiting' })
    await drafted(open, session.id)
    const draft = (await open.call('notes.get', { session_id: session.id })).note!
    expect(draft.sections.length).toBeGreaterThan(0)

    const checked = await open.call('notes.save', { id: draft.id, version: draft.version, ...looked(draft) })
    await expect(open.call('notes.save', { id: draft.id, version: draft.version, ...looked(draft) })).rejects.toMatchObject({
      code: 'stale-version',
    })
    const signed = await open.call('notes.sign', { id: draft.id, version: checked.version })
    expect(signed).toMatchObject({ status: 'signed', signature: { by: 'Dr. Ana Ruiz', credential: 'LMFT' } })
    const amended = await open.call('notes.addAddendum', { id: draft.id, text: 'Start time corrected.', reason: 'Typing error' })
    expect(await open.call('notes.verify', { id: draft.id })).toEqual({ intact: true })
    await open.settled()
    expect(await open.call('outbox.list', {})).toEqual([])
    await open.core.close()

    open = await kit.open()
    expect(open.core.state().phase).toBe('ready')
    expect((await open.call('notes.get', { session_id: session.id })).note).toEqual(amended)
    expect((await open.call('transcripts.get', { session_id: session.id })).transcript).toEqual(transcript)
    expect((await open.call('sessions.get', { id: session.id })).session.status).toBe('completed')
    expect(await open.call('clients.get', { id: client.id })).toMatchObject({ session_count: 1, unsigned_notes: 0 })
    expect(await open.call('outbox.status', {})).toMatchObject({ waiting: 0, needs_you: 0, service: 'embedded', reachable: true })
    const { url } = await open.call('exports.note', { id: draft.id, format: 'pdf' })
    expect((await open.core.media(new Request(`http://core${url}`))).status).toBe(200)
    const signedOn = async () =>
      /Signed electronically by .*? on (.*)/.exec((await open.call('exports.noteText', { id: draft.id })).text)?.[1]
    expect(await signedOn()).toMatch(/^[A-Z][a-z]+ \d{1,2}, \d{4} at \d{1,2}:\d\d [AP]M /)
    await open.call('settings.update', { locale: 'en-GB' })
    expect(await signedOn()).toMatch(/^\d{1,2} [A-Z][a-z]+ \d{4} at \d{1,2}:\d\d (?![AP]M)/)
    await open.core.close()
  },
)

async function drafted(open: OpenCore, sessionId: string): Promise<void> {
  await open.until(async () => {
    const { work, note } = await open.call('notes.get', { session_id: sessionId })
    if (work.error !== null) throw new Error(work.error)
    return note !== null && work.state === 'idle'
  })
}
