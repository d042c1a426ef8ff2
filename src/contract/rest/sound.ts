import { byId } from '../model/common.ts'
import { sentUploadSchema } from '../model/documentation-requests.ts'
import { route, treating, reach } from './route.ts'
import { z } from 'zod'
import { voiceSchema } from '../model/me.ts'

const stored = ['storage-unreachable', 'disk-full', 'disk-failed', 'recording-damaged'] as const
const taking = ['tus-version', 'checksum-mismatch', 'upload-moved-on', ...stored] as const

/** Uploads by tus 1.0 with the extensions creation, creation-with-upload, checksum, termination and expiration. */
export const uploadRoutes = {
  beginUpload: route({
    method: 'POST',
    path: '/uploads',
    summary: 'Begin to send audio (tus: creation, with the first bytes if wanted)',
    published: false,
    counted: false,
    reach: treating,
    stream: 'in',
    when: 'tus-resumable',
    answers: { 201: null },
    failures: ['not-found', 'already-exists', 'too-many-uploads', ...taking],
  }),
  sendUpload: route({
    method: 'PATCH',
    path: '/uploads/{id}',
    summary: 'Send the next bytes of audio (tus)',
    published: false,
    counted: false,
    reach: treating,
    stream: 'in',
    params: byId('upload'),
    answers: { 204: null },
    failures: ['not-found', ...taking],
  }),
  getUpload: route({
    method: 'GET',
    path: '/uploads/{id}',
    summary: 'How much of the audio is here (HEAD: the same by tus)',
    published: false,
    counted: false,
    reach: treating,
    stream: 'in',
    params: byId('upload'),
    answers: { 200: sentUploadSchema },
    failures: ['not-found', ...taking],
  }),
  endUpload: route({
    method: 'DELETE',
    path: '/uploads/{id}',
    summary: 'Give up an upload; nothing of it is kept (tus: termination)',
    published: false,
    counted: false,
    reach: treating,
    stream: 'in',
    params: byId('upload'),
    answers: { 204: null },
    failures: ['not-found', ...taking],
  }),
} as const

const own = reach({ owner: 'own', clinician: 'own', supervisor: 'own' })
/** Characters of base64 for 700 KiB, which is about 22 seconds of 16 kHz WAV. */
const longestAudio = Math.ceil((700 * 1024) / 3) * 4

/** Only the caller's own voice can be enrolled. It identifies the therapist in transcripts. */
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
