import type { Handlers } from '#contract/bridge/methods.ts'
import type { Settings } from '#contract/bridge/settings.ts'
import type { ServiceClient } from '#client/client.ts'
import type { MakeChange } from '#core/records/change.ts'
import { failedWith } from '#core/sync/sending.ts'

interface Parts {
  readonly client: () => ServiceClient
  readonly settings: () => Settings
  readonly change: MakeChange
}

/** The therapist's own voice. It is kept where speakers are told apart, which is the service; the vault holds nothing of it. */
export function voiceHandlers({ client, settings, change }: Parts): Handlers<'voices.get' | 'voices.enroll' | 'voices.remove'> {
  const done = (action: string): void => change([], ({ audit }) => audit({ action, subject_id: settings().therapist_id }))
  return {
    async 'voices.get'() {
      try {
        return (await client().call('getVoice', {})).data
      } catch (error) {
        if (failedWith(error, 'not-found', 'method-not-allowed')) return null
        throw error
      }
    },
    async 'voices.enroll'({ wav }) {
      const content = Buffer.from(wav.buffer, wav.byteOffset, wav.byteLength).toString('base64')
      const { data } = await client().call('putVoice', { body: { audio: { content, media_type: 'audio/wav' } } })
      done('voice.enrolled')
      return data
    },
    async 'voices.remove'() {
      const { data } = await client().call('deleteVoice', {})
      done('voice.removed')
      return data
    },
  }
}
