import { z } from 'zod'
import type { ErrorCode, FieldProblem } from '../errors.ts'

export interface Method {
  readonly input: z.ZodType
  readonly output: z.ZodType
}

export function method<Input extends z.ZodType, Output extends z.ZodType>(input: Input, output: Output) {
  return { input, output } as const
}

export const nothing = z.object({})
export const bytesSchema = z.instanceof(Uint8Array)

export type Answer<Value> = { readonly ok: true; readonly value: Value } | { readonly ok: false; readonly error: BridgeError }

export interface BridgeError {
  readonly code: ErrorCode
  readonly detail?: string
  readonly fields?: readonly FieldProblem[]
}
