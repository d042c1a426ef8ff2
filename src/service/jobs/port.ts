import type { OperationKind, OperationRow } from '../store/operations.ts'

/** What other processes, or this one, did. */
export interface JobNews {
  /** There may be work to take up. */
  work(): void
  /** An operation ended, whoever ended it: by its work, or cancelled. */
  over(operation: string): void
}

export interface ClaimLimits {
  /** What this process works on. */
  readonly busy: ReadonlySet<string>
  /** Practices that are not due. */
  readonly except: ReadonlySet<string>
  /** Not of a practice that has one of this kind running in another process. */
  readonly isOnePerPractice: boolean
}

/** Who works on what, over all processes of one store. The row of the operation stays the truth. */
export interface JobPort {
  /** Milliseconds between two looks where news may get lost on the way; null where none can. */
  readonly lookAgainMs: number | null
  /** The oldest of this kind that waits, or whose worker is gone; leased to this process. */
  claim(kind: OperationKind, limits: ClaimLimits): Promise<OperationRow | null>
  /** It is still worked on here. False where another process has taken it up meanwhile. */
  renew(operation: OperationRow): Promise<boolean>
  /** The name under which this process holds what it claimed. */
  readonly owner: string
  listen(news: JobNews): void
  close(): Promise<void>
}
