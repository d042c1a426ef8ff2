import { format, recordOf } from '../recordings/recording-kit.ts'
import { sessionsOf } from './do-records.ts'
import { type Act, oneOf } from './world.ts'

const records = 8

export const soundDoings = {
  /** A second or two of it, from beginning to end; everybody agrees first. */
  async record(act: Act): Promise<void> {
    const { step, ledger, laptop, read } = act
    const sessions = (await sessionsOf(act)).filter(({ status }) => status !== 'cancelled')
    const session = oneOf(sessions, step.which)
    if (session === null || (await read('recordings.get', { session_id: session.id })) !== null) return
    const clients = (await read('clients.list', {})).map(({ client }) => client)
    const name = clients.find(({ id }) => id === session.client_id)!.display_name
    const participant = { name, role: 'client' } as const
    const scopes: ('record' | 'transcribe' | 'draft')[] = ['record', 'transcribe', 'draft']
    const said = { client_id: session.client_id, participant, scopes, text_version: '1', method: 'spoken' } as const
    const perhaps = `consent ${step.tag}`
    ledger.perhapsMade.add(perhaps)
    const given = await act.ask('consents.give', said)
    if (given === null) return
    ledger.perhapsMade.delete(perhaps)
    ledger.made.set(given.id, 'consent')
    const window = { window_id: `window-${step.tag}`, format, device_label: 'Microphone' }
    const started = await act.ask('recordings.start', { session_id: session.id, ...window })
    if (started === null) return
    const { recording_id } = started
    for (let sequence = 0; sequence < records; sequence += 1)
      laptop.append.append({ recording_id, ...recordOf(step.tag * records + sequence), sequence })
    const finished = await act.ask('recordings.finish', { recording_id })
    if (finished === null) return
    ledger.sounds.set(recording_id, { laptop: laptop.name, session: session.id, sha256: finished.ogg_sha256 })
    await act.ask('transcripts.request', { session_id: session.id })
  },
  async 'record.erase'(act: Act): Promise<void> {
    const { ledger, laptop, step } = act
    const own = [...ledger.sounds].filter(([, sound]) => sound.laptop === laptop.name && sound.sha256 !== null)
    const one = oneOf(own, step.which)
    if (one === null) return
    const [recording_id, sound] = one
    const erased = (): void => void ledger.sounds.set(recording_id, { ...sound, sha256: null })
    const perhaps = (): void => void ledger.sounds.set(recording_id, { ...sound, isPerhapsErased: true })
    await act.ask('recordings.erase', { recording_id }, [{ sure: erased, perhaps, refused: () => {} }])
  },
}
