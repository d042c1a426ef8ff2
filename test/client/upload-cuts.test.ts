import type { FileHandle } from 'node:fs/promises'
import { open, readdir, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { AppError } from '#contract/errors.ts'
import { createServiceClient } from '#client/client.ts'
import { MAX_PART } from '#client/upload.ts'
import { CHUNK_OVERHEAD } from '#service/blobs/blobs.ts'
import { seededRandom } from '#test/crash/seeded-random.ts'
import { chaosProxy } from '#test/support/chaos-proxy.ts'
import { openKit, type ServiceKit } from '#test/service/service-kit.ts'
import { overHttp, sha256, someAudio } from '#test/service/uploads/upload-kit.ts'

const cuts = process.env['AFTERWORD_FAULTS'] === 'full' ? 1000 : 8

let kit: ServiceKit
beforeAll(async () => {
  kit = await openKit()
})
afterAll(() => kit.close())

/** What was synced, by inode and with the size it had: the rest a loss of power may take. */
async function watchSyncs() {
  const synced = new Map<number, number>()
  const probe = await open(import.meta.filename, 'r')
  const handles = Object.getPrototypeOf(probe) as FileHandle
  await probe.close()
  const sync = handles.sync
  const watch = vi.spyOn(handles, 'sync').mockImplementation(async function (this: FileHandle) {
    await sync.call(this)
    const { ino, size } = await this.stat()
    synced.set(ino, size)
  })
  const durable = async (id: string): Promise<number> => {
    const folder = join(dirname(kit.file), 'blobs', id)
    const files = await Promise.all(
      (await readdir(folder)).filter((name) => !name.endsWith('.new')).map((name) => stat(join(folder, name))),
    )
    return files.filter(({ ino, size }) => synced.get(ino) === size).reduce((sum, { size }) => sum + size - CHUNK_OVERHEAD, 0)
  }
  return { durable, stop: () => watch.mockRestore() }
}

/** Bytes that were sent before, in all and for the next part. */
function sentAgain(fetch: (request: Request) => Promise<Response>) {
  const seen = { again: 0, most: 0, furthest: 0 }
  return {
    seen,
    fetch: async (request: Request): Promise<Response> => {
      if (request.method !== 'PATCH') return fetch(request)
      const start = Number(request.headers.get('upload-offset'))
      const end = start + (await request.clone().arrayBuffer()).byteLength
      seen.again += Math.max(0, Math.min(seen.furthest, end) - start)
      seen.most = Math.max(seen.most, seen.furthest - start)
      seen.furthest = Math.max(seen.furthest, end)
      return fetch(request)
    },
  }
}

test(`cut ${cuts} times at any byte, up or down: the same hash, at most one part again for each cut, and no offset beyond what is synced`, async () => {
  const { random, seed } = seededRandom()
  const said = `AFTERWORD_SEED=${seed}`
  const service = await overHttp((request) => kit.handle(request))
  const syncs = await watchSyncs()
  try {
    for (let done = 0; done < cuts;) {
      const audio = someAudio(1_500_000)
      const atOnce = Math.min(40, cuts - done)
      const line = await chaosProxy(service.port, (connection) => {
        if (connection >= atOnce) return { kind: 'pass' }
        return random() < 0.7
          ? { kind: 'reset', direction: 'up', after: 1 + Math.floor(random() * 500_000) }
          : { kind: 'reset', direction: 'down', after: 1 + Math.floor(random() * 1200) }
      })
      const parts = sentAgain(fetch)
      const client = createServiceClient({ base_url: `http://127.0.0.1:${line.port}/v1`, fetch: parts.fetch })
      const source = { id: crypto.randomUUID(), session_id: '', bytes: audio.length, sha256: sha256(audio) }
      const read = async function* (start: number, end: number) {
        yield audio.subarray(start, end)
      }
      let furthest = 0
      const asked: Promise<void>[] = []
      const onOffset = (offset: number): void => {
        expect(offset, said).toBeGreaterThanOrEqual(furthest)
        furthest = offset
        if (offset > 0)
          asked.push(syncs.durable(source.id).then((durable) => expect(durable, said).toBeGreaterThanOrEqual(offset)))
      }
      const attempt = (): Promise<boolean> =>
        client.upload({ ...source, read }, { onOffset }).catch((error: unknown) => {
          expect(error, said).toBeInstanceOf(AppError)
          expect((error as AppError).code, said).toMatch(/^(?:service-unreachable|upload-moved-on|still-running)$/)
          return false
        })
      while (!(await attempt())) continue
      await Promise.all(asked)
      const state = await kit.client.call('getUpload', { params: { id: source.id } })
      expect(state.data, said).toMatchObject({ complete: true, bytes: audio.length, offset: audio.length })
      expect(parts.seen.again, said).toBeLessThanOrEqual(line.seen.resets * MAX_PART)
      expect(parts.seen.most, said).toBeLessThanOrEqual(MAX_PART)
      done += line.seen.resets
      await kit.fetch('DELETE', `/v1/uploads/${source.id}`, undefined, { 'Tus-Resumable': '1.0.0' })
      await line.close()
    }
  } finally {
    syncs.stop()
    await service.close()
  }
}, 3_600_000)
