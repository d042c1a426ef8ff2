import type { EngineHost } from '#engines/engine-host.ts'
import type { KnownCallers } from '#service/access/authorization.ts'
import type { EventServices } from '#service/events/stream-caller.ts'
import type { Refusals } from '#service/access/refusals.ts'
import type { JobServices } from '#service/jobs/run.ts'
import type { Jobs } from '#service/jobs/jobs.ts'
import type { ModelParts } from '#service/models/open-models.ts'
import type { UploadServices } from '#service/uploads/upload-services.ts'

export interface Services extends JobServices, UploadServices, EventServices {
  readonly known: KnownCallers
  readonly jobs: Jobs
  readonly models: ModelParts
  readonly engines: EngineHost | null
  readonly voiceKey: Uint8Array
  readonly psychotherapyKey: Uint8Array
  readonly keyPepper: Uint8Array | null
  readonly refusals: Refusals
  readonly waitMs: number
}
