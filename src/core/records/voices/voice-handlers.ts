import type { Handlers } from '#contract/bridge/methods.ts'
import type { Settings } from '#contract/bridge/settings.ts'
import { AppError } from '#contract/errors.ts'
import type { Voice } from '#contract/model/voice.ts'
import type { ServiceClient } from '#client/client.ts'
import type { RecordingAudio } from '#core/recordings/recording-audio.ts'
import type { RecordingRepository } from '#core/recordings/recording-repository.ts'
import type { MakeChange } from '#core/records/change.ts'
import { failedWith } from '#core/outbox/sending.ts'
import type { TranscriptRepository } from '../transcripts/transcript-repository.ts'
import { cutSpeech } from './cut-speech.ts'
import { lengthOf, ownTurns } from './own-turns.ts'

/** Less than this does not tell a voice. */
const leastMs = 8000

interface Parts {
  readonly client: () => ServiceClient
  readonly settings: () => Settings
  readonly change: MakeChange
  readonly audio: RecordingAudio
  readonly transcripts: Pick<TranscriptRepository, 'ofSession'>
  readonly kept: Pick<RecordingRepository, 'ofSession'>
}

type Names = 'voices.get' | 'voices.enroll' | 'voices.enrollFromSession' | 'voices.remove'

/** The therapist's own voice. It is kept where speakers are told apart, which is the service; the vault holds nothing of it. */
export function voiceHandlers(parts: Parts): Handlers<Names> {
  const { client, settings, change } = parts
  const done = (action: string): void => change([], ({ audit }) => audit({ action, subject_id: settings().therapist_id }))
  async function enroll(sound: Buffer, media_type: string): Promise<Voice> {
    const { data } = await client().call('putVoice', { body: { audio: { content: sound.toString('base64'), media_type } } })
    done('voice.enrolled')
    return data
  }

  return {
    async 'voices.get'() {
      try {
        return (await client().call('getVoice', {})).data
      } catch (error) {
        if (failedWith(error, 'not-offered', 'not-found', 'method-not-allowed')) return null
        throw error
      }
    },
    'voices.enroll': ({ wav }) => enroll(Buffer.from(wav.buffer, wav.byteOffset, wav.byteLength), 'audio/wav'),
    async 'voices.enrollFromSession'({ session_id }) {
      const transcript = parts.transcripts.ofSession(session_id)
      const recording = parts.kept.ofSession(session_id)
      if (transcript === null || recording?.state !== 'finished') throw new AppError('not-found')
      const turns = ownTurns(transcript)
      if (turns.reduce((sum, turn) => sum + lengthOf(turn), 0) < leastMs)
        throw new AppError('voice-unclear', 'You say too little here to be known by it. Take a session in which you say more.')
      const ogg = await cutSpeech(parts.audio.read(recording.id), turns)
      try {
        return await enroll(ogg, 'audio/ogg')
      } finally {
        ogg.fill(0)
      }
    },
    async 'voices.remove'() {
      const { data } = await client().call('deleteVoice', {})
      done('voice.removed')
      return data
    },
  }
}
