import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { recordingPath } from '#contract/bridge/library.ts'
import type { CorePorts } from '#core/app/open-core.ts'
import { type CoreKit, coreKit, createProfile, dialogue, type OpenCore } from '#test/core/core-kit.ts'
import { record, sessionAsked, sign } from './signing-kit.ts'

export async function setUp(overrides: Partial<CorePorts> = {}) {
  const kit = coreKit()
  const open = await kit.open(overrides)
  onTestFinished(async () => {
    await open.core.close()
    kit.remove()
  })
  await createProfile(open)
  return { kit, open }
}

export const stateOf = async (open: OpenCore, session_id: string) => (await open.call('recordings.get', { session_id }))?.state
export const planOf = async (open: OpenCore, session_id: string) => (await open.call('recordings.retention', { session_id })).plan
export const isErased = async (open: OpenCore, session_id: string) => (await stateOf(open, session_id)) === 'erased'
export const fileOf = (kit: CoreKit, recording_id: string) => join(kit.folder, 'recordings', `${recording_id}.afr`)
export const played = async (open: OpenCore, id: string) =>
  (await open.core.media(new Request(`http://localhost${recordingPath(id)}`))).status

export const importWords = (open: OpenCore, session_id: string) =>
  open.call('transcripts.import', { session_id, file_name: 'a.txt', content: new TextEncoder().encode(dialogue) })

/** Another session whose audio is deleted: everything due before it has been decided by then. */
export async function afterAnotherDeletion(kit: CoreKit, open: OpenCore): Promise<void> {
  const { session } = await sessionAsked(open, 'Comes Later')
  await record(kit, open, session.id)
  await importWords(open, session.id)
  await sign(open, session.id)
  await open.until(() => isErased(open, session.id))
}
