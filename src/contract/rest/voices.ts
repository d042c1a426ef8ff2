import { z } from 'zod'
import { voiceSchema } from '../model/voice.ts'
import { reach, route } from './route.ts'

const own = reach({ owner: 'own', clinician: 'own', supervisor: 'own' })
/** 700 KiB as base64: more than twenty seconds of 16 kHz WAV. */
const longestAudio = Math.ceil((700 * 1024) / 3) * 4

/** The caller's own voice and nobody else's: it names the therapist in transcripts. */
export const voiceRoutes = {
  getVoice: route({
    method: 'GET',
    path: '/voices/mine',
    summary: 'Whether the caller has enrolled their voice',
    published: false,
    counted: false,
    reach: own,
    answers: { 200: voiceSchema },
    failures: [],
  }),
  putVoice: route({
    method: 'PUT',
    path: '/voices/mine',
    summary: 'Enrol the caller’s own voice from a few seconds of speech, in place of an earlier one; the sound is not kept',
    published: false,
    counted: false,
    reach: own,
    body: z
      .object({
        audio: z
          .object({
            content: z.base64().max(longestAudio).describe('The audio in base64, at most 700 KiB before encoding.'),
            media_type: z.string().max(100).describe('Format of the audio, for example `audio/wav`. The first bytes decide.'),
          })
          .describe("A few seconds of the caller's own speech. The audio is not kept."),
      })
      .meta({ id: 'VoiceEnrollment', description: 'Speech to enroll.' }),
    answers: { 200: voiceSchema },
    failures: ['engine-not-ready', 'engine-failed', 'model-damaged', 'voice-unclear', 'cancelled'],
  }),
  deleteVoice: route({
    method: 'DELETE',
    path: '/voices/mine',
    summary: 'Erase what is kept of the caller’s voice',
    published: false,
    counted: false,
    reach: own,
    answers: { 200: voiceSchema },
    failures: [],
  }),
} as const
