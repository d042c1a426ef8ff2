import { z } from 'zod'

/** What a model may say of one statement. Ids, marks of safety and the state of findings are not its to set. */
const saidStatementSchema = z.object({
  text: z.string(),
  finding: z.enum(['stated', 'denied', 'none']),
  evidence: z.array(z.object({ segment: z.number(), quote: z.string() })),
})

export function draftFormOf(keys: readonly string[]) {
  const key = keys.length > 0 ? z.enum(keys as [string, ...string[]]) : z.string()
  return z.object({ sections: z.array(z.object({ key, statements: z.array(saidStatementSchema) })) })
}

/** Where several parts were read: candidates by number alone, so that nothing new can be written here. */
export function orderFormOf(keys: readonly string[]) {
  const key = keys.length > 0 ? z.enum(keys as [string, ...string[]]) : z.string()
  return z.object({ sections: z.array(z.object({ key, statements: z.array(z.number()) })) })
}

export type SaidStatement = z.infer<typeof saidStatementSchema>
export type SaidDraft = z.infer<ReturnType<typeof draftFormOf>>
