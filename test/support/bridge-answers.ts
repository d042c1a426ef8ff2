import type { Answer } from '#contract/bridge/method.ts'

/** Any name and input: the suite is about how messages cross, not about what the core makes of them. */
export type AnyCall = (name: string, input: unknown) => Promise<Answer<unknown>>

/** What answers behind the bridge in this suite. */
export const answering: AnyCall = async (name, input) => {
  switch (name) {
    case 'echo':
      return { ok: true, value: input }
    case 'refuse':
      return { ok: false, error: { code: 'stale-version', detail: 'changed meanwhile', fields: [] } }
    case 'later':
      return new Promise((done) => setImmediate(() => done({ ok: true, value: input })))
    case 'break':
      throw new Error('a bug')
    default:
      return { ok: false, error: { code: 'bad-request' } }
  }
}
