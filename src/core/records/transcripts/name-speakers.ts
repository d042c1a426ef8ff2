import type { Transcript } from '#contract/model/transcript.ts'
import type { Participant } from '#contract/model/session.ts'

interface Known {
  readonly therapist: string
  readonly client: string
  readonly participants: readonly Participant[]
}

/**
 * Names speakers by role, because engines do not know the participants. With several clients, the clients' labels do
 * not change.
 */
export function nameSpeakers<Whole extends Pick<Transcript, 'speakers'>>(
  transcript: Whole,
  { therapist, client, participants }: Known,
): Whole {
  const clients = participants.filter(({ role }) => role === 'client').map(({ name }) => name)
  const name = {
    therapist,
    client: participants.length === 0 ? client : clients.length === 1 ? clients[0]! : '',
    other: '',
    unknown: '',
  }
  const speakers = transcript.speakers.map((speaker) => {
    const isOnly = transcript.speakers.filter(({ role }) => role === speaker.role).length === 1
    return isOnly && name[speaker.role] !== '' ? { ...speaker, label: name[speaker.role] } : speaker
  })
  return speakers.some((speaker, index) => speaker !== transcript.speakers[index]) ? { ...transcript, speakers } : transcript
}
