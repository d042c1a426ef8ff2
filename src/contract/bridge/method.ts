import { z } from 'zod'
import type { ErrorCode, FieldProblem } from '../errors.ts'

/** One call of the bridge. Input is parsed where it arrives, output before it leaves. */
export interface Method {
  readonly input: z.ZodType
  readonly output: z.ZodType
}

export function method<Input extends z.ZodType, Output extends z.ZodType>(input: Input, output: Output) {
  return { input, output } as const
}

export const nothing = z.object({})
/** Crosses the bridge as bytes, never as text. */
export const bytesSchema = z.instanceof(Uint8Array)

/** What every call answers. Expected failures are data; only bugs reject. */
export type Answer<Value> = { readonly ok: true; readonly value: Value } | { readonly ok: false; readonly error: BridgeError }

export interface BridgeError {
  readonly code: ErrorCode
  readonly detail?: string
  readonly fields?: readonly FieldProblem[]
}
