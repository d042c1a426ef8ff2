import { expect, onTestFinished, test } from 'vitest'
import { systemClock } from '#base/clock.ts'
import { AppError } from '#contract/errors.ts'
import type { Blobs } from '#service/blobs/blobs.ts'
import { inPractice } from '#service/store/in-practice.ts'
import { openStore } from '#service/store/open-store.ts'
import type { SentUpload } from '#service/store/uploads.ts'
import { findSent } from '#service/store/uploads.ts'
import { completeUpload } from '#service/uploads/complete.ts'
import { openKit, sessionOgg } from '../service-kit.ts'

test('a fault that passes while it is read back takes nothing from an upload', async () => {
  const kit = await openKit()
  onTestFinished(() => kit.close())
  const length = { 'Tus-Resumable': '1.0.0', 'Upload-Length': String(sessionOgg.length) }
  const octets = { ...length, 'Content-Type': 'application/offset+octet-stream' }
  const begun = await kit.fetch('POST', '/v1/uploads', sessionOgg, octets)
  const at = begun.headers.get('location')!
  const [practice] = await kit.ask<{ id: string }>('select id from practices')
  const db = await openStore(kit.store)
  onTestFinished(() => db.destroy())
  const id = at.split('/').at(-1)!
  const upload = (await inPractice(db, practice!.id, (read) => findSent(read, practice!.id, id))) as SentUpload
  expect(upload.whole).toBe(1)
  for (const fault of ['service-unreachable', 'disk-full', 'still-running'] as const) {
    const blobs: Pick<Blobs, 'read'> = {
      read: () => {
        throw new AppError(fault)
      },
    }
    const complete = completeUpload({ db, clock: systemClock, blobs }, practice!.id, upload)
    await expect(complete).rejects.toMatchObject({ code: fault })
  }
  expect(await (await kit.fetch('GET', at)).json()).toMatchObject({ complete: true, bytes: sessionOgg.length })
})
