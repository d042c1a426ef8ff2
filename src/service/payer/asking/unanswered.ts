import { AppError } from '#contract/errors.ts'

/** Nobody answered: the same question may bring an answer later. */
export class Unanswered extends AppError {
  /** When to ask again, where the other end says so. */
  readonly afterMs: number | null

  constructor(detail: string, afterMs: number | null) {
    super('payer-unavailable', detail)
    this.afterMs = afterMs
  }
}
