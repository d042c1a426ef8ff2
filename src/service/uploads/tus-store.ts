import { DataStore, Upload } from '@tus/server'
import type { Readable } from 'node:stream'
import { AppError } from '#contract/errors.ts'
import { invalidField } from '#service/kernel/problem.ts'
import type { Call, Connection } from '#service/access/call.ts'
import { tusExtensions, type UploadServices } from './upload-services.ts'
import { requireReach } from '#service/access/reach.ts'
import { keyScopeOf, requestHash } from '#service/access/replays.ts'
import { findKept, keepReply } from '../store/idempotency.ts'
import { inPractice } from '../store/in-practice.ts'
import type { Write } from '../store/tables.ts'
import { countSent, dropSent, findSent, insertSent, isUploadTaken, type SentUpload } from '../store/uploads.ts'
import { completeUpload, openUpload, sweepUploadsSoon, checksumOf, receive } from './complete.ts'

export class TusStore extends DataStore {
  override readonly extensions = tusExtensions
  expires: string | null = null
  isReplay = false
  readonly #services: UploadServices
  readonly #call: Call
  readonly #connection: Connection

  constructor(services: UploadServices, call: Call, connection: Connection) {
    super()
    this.#services = services
    this.#call = call
    this.#connection = connection
  }

  override async create(upload: Upload): Promise<Upload> {
    const { db, blobs, uploads, clock } = this.#services
    const { practice, caller, now } = this.#call
    const { id, size = 0, metadata } = upload
    const { sha256, session_id } = metadataOf(metadata)
    if (size === 0) throw invalidField('/upload-length', 'an upload has at least one byte')
    const row: SentUpload = {
      id,
      session_id,
      recording_id: null,
      media_type: '',
      bytes: size,
      created_at: now,
      person_id: caller.person_id,
      sealed_key: blobs.newKey(id),
      sha256,
      whole: 0,
      operation_id: null,
      expires_at: new Date(clock.now() + uploads.keptMs).toISOString(),
    }
    const again = await inPractice(db, practice, async (write) => {
      const before = await this.#begunBefore(write, upload)
      if (before !== null) return before
      if ((await countSent(write, practice)) >= uploads.mostUploads) throw new AppError('too-many-uploads')
      if (await isUploadTaken(write, id)) throw new AppError('already-exists')
      if (session_id !== null) await requireReach(write, this.#call, 'sessions', session_id)
      await insertSent(write, practice, row)
      await this.#connection.record(write, 201, session_id === null ? [id] : [id, session_id])
      return null
    })
    this.isReplay = again !== null
    this.expires = (again ?? row).expires_at
    return Object.assign(upload, { id: (again ?? row).id })
  }

  async #begunBefore(write: Write, { id, size, metadata }: Upload): Promise<SentUpload | null> {
    const { clock } = this.#services
    const { caller, practice } = this.#call
    const scope = keyScopeOf(this.#connection.request.headers.get('idempotency-key') ?? undefined, caller)
    if (scope === null) return null
    const request_hash = requestHash('beginUpload', null, { size: size ?? null, ...metadata })
    const kept = await findKept(write, scope, clock.now())
    if (kept === null) {
      await keepReply(
        write,
        scope,
        { request_hash, status: 201, record_kind: 'upload', record_id: id, record_version: 1 },
        clock.now(),
        true,
      )
      return null
    }
    if (kept.request_hash !== request_hash) throw new AppError('idempotency-mismatch')
    const before = await findSent(write, practice, kept.record_id)
    if (before === null || 'erased_at' in before) throw new AppError('gone')
    await this.#connection.record(write, 201, [before.id])
    return before
  }

  override async write(stream: Readable, id: string, offset: number): Promise<number> {
    const { blobs } = this.#services
    const upload = await this.#open(id)
    if (this.isReplay) {
      for await (const _ of stream) continue
      return (await blobs.state(id)).bytes
    }
    const checksum = checksumOf(this.#connection.request.headers.get('upload-checksum'))
    const requireAllowed = (): Promise<void> => this.#requireAllowed(id)
    await receive(this.#services.bytes.meter(this.#call.caller, stream), {
      blobs,
      blob: upload,
      offset,
      size: upload.bytes,
      checksum,
      requireAllowed,
    })
    const { bytes } = await blobs.state(id)
    if (bytes === upload.bytes) await completeUpload(this.#services, this.#call.practice, upload, requireAllowed)
    return bytes
  }

  /** An upload may take hours, so the caller and the upload are checked again. */
  async #requireAllowed(id: string): Promise<void> {
    await this.#connection.recheck()
    await this.#open(id)
  }

  override async getUpload(id: string): Promise<Upload> {
    const upload = await this.#open(id)
    const { bytes: offset } = await this.#services.blobs.state(id)
    // A crash may have interrupted the check after the last byte.
    if (offset === upload.bytes && upload.whole === 0) await completeUpload(this.#services, this.#call.practice, upload)
    return new Upload({ id, size: upload.bytes, offset, metadata: shownOf(upload) })
  }

  override async remove(id: string): Promise<void> {
    const { db } = this.#services
    const { practice, now } = this.#call
    await this.#open(id)
    await inPractice(db, practice, async (write) => {
      await dropSent(write, practice, id, now)
      await this.#connection.record(write, 204, [id])
    })
    sweepUploadsSoon(this.#services, practice)
  }

  async #open(id: string): Promise<SentUpload> {
    const upload = await openUpload(this.#services, this.#call, id)
    this.expires = upload.expires_at
    return upload
  }
}

type Metadata = Record<string, string | null>

/** Only needed metadata is stored, because file names may contain client names. */
function metadataOf(metadata: Metadata = {}): Pick<SentUpload, 'sha256' | 'session_id'> {
  const sha256 = metadata['sha256']?.toLowerCase() ?? null
  const session_id = metadata['session_id']?.toLowerCase() ?? null
  if (sha256 !== null && !/^[0-9a-f]{64}$/.test(sha256)) throw invalidField('/sha256', 'not a SHA-256 in hexadecimal')
  if (session_id !== null && !/^[0-9a-f-]{36}$/.test(session_id)) throw invalidField('/session_id', 'not an id')
  return { sha256, session_id }
}

function shownOf({ sha256, session_id }: SentUpload): Metadata {
  return { ...(sha256 === null ? {} : { sha256 }), ...(session_id === null ? {} : { session_id }) }
}
