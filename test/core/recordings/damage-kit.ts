import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { ogg, studio } from './studio.ts'

export const RECORD_BYTES = 741
export const wholeMs = 16_000

/** The app opened again on the same files, after its check. */
export async function reopened({ core, folder, clock }: Pick<ReturnType<typeof studio>, 'core' | 'folder' | 'clock'>) {
  core.db.close()
  const next = studio(folder, clock)
  await next.core.ready
  await next.core.verification.pass()
  const damageOf = async (session_id: string) =>
    (await next.call['recordings.get']({ session_id }))?.gaps.filter(({ reason }) => reason === 'damage')
  const sha = async (id: string): Promise<string> =>
    createHash('sha256')
      .update(await ogg(next.core, id))
      .digest('hex')
  return { ...next, damageOf, sha }
}

export const change = (path: string, work: (bytes: Buffer) => Buffer | void): void => {
  const bytes = readFileSync(path)
  writeFileSync(path, work(bytes) ?? bytes)
}

export const damage = (at_ms: number, duration_ms: number) => [{ at_ms, duration_ms, reason: 'damage' }]
