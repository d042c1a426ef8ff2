import type { EngineHost } from '#engines/engine-host.ts'
import type { KnownCallers } from '#service/access/facts.ts'
import type { EventServices } from '#service/events/stream-caller.ts'
import type { Refusals } from '#service/access/refusals.ts'
import type { JobServices } from '#service/jobs/port.ts'
import type { Jobs } from '#service/jobs/jobs.ts'
import type { ModelParts } from '#service/models/open-models.ts'
import type { UploadServices } from '#service/uploads/upload-services.ts'

/** Everything a handler may lean on. */
export interface Services extends JobServices, UploadServices, EventServices {
  /** Callers by key, between calls. */
  readonly known: KnownCallers
  readonly jobs: Jobs
  readonly models: ModelParts
  /** Runs them in processes of their own; null where nothing here can. */
  readonly engines: EngineHost | null
  /** Seals what is kept of voices, once more inside the encrypted store. */
  readonly voiceKey: Uint8Array
  /** Seals psychotherapy notes, once more inside the store. */
  readonly psychotherapyKey: Uint8Array
  /** What keys are stored under; null where the only caller is the person at this laptop. */
  readonly keyPepper: Uint8Array | null
  /** Who is refused before it is known whose call it is. */
  readonly refusals: Refusals
  /** How long a call waits for long work before it answers 202. */
  readonly waitMs: number
}
