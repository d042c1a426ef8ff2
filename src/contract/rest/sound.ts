import { byId } from '../model/common.ts'
import { sentUploadSchema } from '../model/documentation-requests.ts'
import { get, patch, post, put, reach, remove, treating } from './route.ts'
import { z } from 'zod'
import { voiceSchema } from '../model/me.ts'

const stored = ['storage-unreachable', 'disk-full', 'disk-failed', 'recording-damaged'] as const
const taking = ['tus-version', 'checksum-mismatch', 'upload-moved-on', ...stored] as const

export const uploadRoutes = {
  beginUpload: post('/uploads', 'Begin to send audio (tus: creation, with the first bytes if wanted)', treating, {
    stream: 'in',
    when: 'tus-resumable',
    answers: { 201: null },
    failures: ['not-found', 'already-exists', 'too-many-uploads', ...taking],
  }),
  sendUpload: patch('/uploads/{id}', 'Send the next bytes of audio (tus)', treating, {
    stream: 'in',
    params: byId('upload'),
    answers: { 204: null },
    failures: ['not-found', ...taking],
  }),
  getUpload: get('/uploads/{id}', 'How much of the audio is here (HEAD: the same by tus)', treating, {
    stream: 'in',
    params: byId('upload'),
    answers: { 200: sentUploadSchema },
    failures: ['not-found', ...taking],
  }),
  endUpload: remove('/uploads/{id}', 'Give up an upload; nothing of it is kept (tus: termination)', treating, {
    stream: 'in',
    params: byId('upload'),
    answers: { 204: null },
    failures: ['not-found', ...taking],
  }),
} as const

const own = reach({ owner: 'own', clinician: 'own', supervisor: 'own' })
/** Base64 length of 700 KiB, which is about 22 seconds of 16-bit mono WAV at 16 kHz. */
const longestAudio = Math.ceil((700 * 1024) / 3) * 4

export const voiceRoutes = {
  getVoice: get('/voices/mine', 'Whether the caller has enrolled their voice', own, {
    answers: { 200: voiceSchema },
  }),
  putVoice: put(
    '/voices/mine',
    'Enrol the caller’s own voice from a few seconds of speech, in place of an earlier one; the sound is not kept',
    own,
    {
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
    },
  ),
  deleteVoice: remove('/voices/mine', 'Erase what is kept of the caller’s voice', own, {
    answers: { 200: voiceSchema },
  }),
} as const
