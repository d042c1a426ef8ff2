import type { Laptop } from './laptop.ts'
import type { World } from './world.ts'

/** What was recorded stands on its laptop as it was recorded, unless it was erased there. */
export async function soundsStand({ ledger, laptops }: World): Promise<string[]> {
  const problems: string[] = []
  for (const { name, call } of laptops)
    for (const [id, { laptop, session, sha256, isPerhapsErased }] of ledger.sounds) {
      if (laptop !== name) continue
      const kept = await call('recordings.get', { session_id: session })
      const isErased = kept === null || kept.id !== id || kept.state === 'erased'
      if (isErased && isPerhapsErased) continue
      if (sha256 === null ? !isErased : kept?.ogg_sha256 !== sha256)
        problems.push(`recording ${id} on ${name} is ${kept?.state ?? 'not there'}`)
    }
  return problems
}

/** There is nobody who writes it out: once all of it came, it is given up. The service on the laptop reads it where it stands. */
export async function soundsCame({ ledger, practice }: World, { name, call }: Laptop): Promise<string[]> {
  const missing: string[] = []
  for (const [id, { laptop, session, sha256, isPerhapsErased }] of ledger.sounds) {
    if (laptop !== name) continue
    const { work } = await call('transcripts.get', { session_id: session })
    if (work.state !== 'failed' && work.error !== 'engine-not-ready') continue
    const isMissing =
      practice.sweep !== null &&
      work.error === 'engine-not-ready' &&
      sha256 !== null &&
      isPerhapsErased !== true &&
      !practice.arrived.has(sha256)
    if (isMissing) missing.push(`${name}: recording ${id} did not come whole`)
    else await call('transcripts.cancel', { session_id: session })
  }
  return missing
}
