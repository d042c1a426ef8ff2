import { byId } from '../model/common.ts'
import { sentUploadSchema } from '../model/upload.ts'
import { route, treating } from './route.ts'

const stored = ['storage-unreachable', 'disk-full', 'disk-failed', 'recording-damaged'] as const
const taking = ['tus-version', 'checksum-mismatch', 'upload-moved-on', ...stored] as const

/** Audio by tus 1.0 (creation, creation-with-upload, checksum, termination, expiration). */
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
