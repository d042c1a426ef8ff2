import type { Clock } from '#base/clock.ts'
import type { Log } from '#base/log.ts'
import type { AppError } from '#contract/errors.ts'
import type { PurposeOfUse } from '#contract/model/purpose.ts'
import type { OperationId, RouteAnswer, RouteBody, RouteParams, RouteQuery, routes } from '#contract/rest/routes.ts'
import type { Blobs } from './blobs/blobs.ts'
import type { PracticeWatch } from './events/practice-watch.ts'
import type { EngineHost } from './engine-host.ts'
import type { KnownCallers } from './authority/known-callers.ts'
import type { Scope } from './authority/scope.ts'
import type { Caller } from './caller.ts'
import type { ByteBudget } from './guards/byte-budget.ts'
import type { Refusals } from './guards/refusals.ts'
import type { Jobs } from './jobs/jobs.ts'
import type { LanguageEngines } from './language/engines.ts'
import type { ModelParts } from './models/model-parts.ts'
import type { PayerDesk } from './payer/desk.ts'
import type { ModelsNow, RecordingAudioPort, SpeechSettings } from './ports.ts'
import type { RecordKind } from './store/idempotency.ts'
import type { Database, Write } from './store/tables.ts'
import type { Texts } from './texts/texts.ts'
import type { UploadLimits } from './uploads/limits.ts'

/** `enforced`: consents are looked up here. `asserted`: calling asserts them, which is audited. Revoked refuses under both. */
export type ConsentPolicy = 'enforced' | 'asserted'

/** Everything a handler may lean on. */
export interface Services {
  readonly db: Database
  readonly clock: Clock
  /** Callers by key, between calls. */
  readonly known: KnownCallers
  readonly log: Log
  readonly jobs: Jobs
  /** What event streams and calls that wait for long work are woken by. */
  readonly watch: PracticeWatch
  readonly language: LanguageEngines
  readonly texts: Texts
  readonly payer: PayerDesk
  readonly audio: RecordingAudioPort | null
  readonly speech: () => SpeechSettings | null
  /** Null where nothing here can run a model. */
  readonly installed: ModelsNow | null
  readonly models: ModelParts
  /** Runs them in processes of their own; null where nothing here can. */
  readonly engines: EngineHost | null
  /** Where audio stands that was sent. */
  readonly blobs: Blobs
  readonly uploads: UploadLimits
  /** What one person may send. */
  readonly bytes: ByteBudget
  /** Seals what is kept of voices, once more inside the encrypted store. */
  readonly voiceKey: Uint8Array
  /** Seals psychotherapy notes, once more inside the store. */
  readonly psychotherapyKey: Uint8Array
  /** What keys are stored under; null where the only caller is the person at this laptop. */
  readonly keyPepper: Uint8Array | null
  /** Who is refused before it is known whose call it is. */
  readonly refusals: Refusals
  /** Aborted with what calls under way answer as soon as the service is to close: none may take minutes then. */
  readonly closing: AbortSignal
  readonly consentPolicy: ConsentPolicy
  /** How long a call waits for long work before it answers 202. */
  readonly waitMs: number
}

/** One call, let through by every guard. */
export interface Call<Id extends OperationId = OperationId> {
  readonly params: RouteParams<Id>
  readonly query: RouteQuery<Id>
  readonly body: RouteBody<Id>
  readonly caller: Caller
  readonly practice: string
  /** How far the caller reaches in this operation. */
  readonly scope: Scope
  /** `Purpose-Of-Use`: what this is read for, where it was said. */
  readonly purpose: PurposeOfUse | null
  readonly requestId: string
  readonly ifMatch: string | null
  /** One moment for everything this call writes. */
  readonly now: string
}

/** What the audit entry says beyond who and when. */
interface Audited {
  /** Ids of the records touched. */
  readonly touched: readonly string[]
  readonly consent?: 'checked' | 'asserted'
}

export interface Reply<Data = unknown> extends Audited {
  readonly status: number
  readonly data: Data
  /** What a replay is rebuilt from. */
  readonly record?: { readonly kind: RecordKind; readonly id: string; readonly version: number }
}

/** Long work was queued; the answer comes when it is done, or a 202 before. */
export interface Started extends Audited {
  readonly operation: string
}

/** Answered as this failure, which is recorded like any other; what was written along with it stays. */
export interface Refused {
  readonly refusal: AppError
}

/** Runs in one transaction with the idempotency key and the audit entry. Waits for nothing but the database. */
export type Effect<Data = unknown> = (db: Write) => Promise<Reply<Data> | Started | Refused>

/** What needs no transaction, or must not hold one, is done before the effect is handed back. */
export type Handler<Id extends OperationId = OperationId> = (
  call: Call<Id>,
) => Effect<RouteAnswer<Id>> | Promise<Effect<RouteAnswer<Id>>>

/** What a handler of a stream has beyond the call itself. */
export interface Connection {
  readonly request: Request
  /** The audit entry, in the transaction of the change where there is one; made at the end where it was not made before. */
  record(write: Write, status: number, touched: readonly string[]): Promise<void>
  /**
   * Whoever began it, as they are let in now.
   *
   * @throws AppError `unauthenticated`
   */
  recheck(): Promise<Caller>
}

/** Answers as it goes, outside of any transaction: takes bytes as they come, tells of events as they happen. */
export type StreamHandler<Id extends OperationId = OperationId> = (call: Call<Id>, connection: Connection) => Promise<Response>

type IsStream<Id extends OperationId> = (typeof routes)[Id] extends { readonly stream: 'in' | 'out' } ? true : false
export type Handlers = { readonly [Id in OperationId]: IsStream<Id> extends true ? StreamHandler<Id> : Handler<Id> }
export type HandlersOf<Ids extends OperationId> = Pick<Handlers, Ids>
