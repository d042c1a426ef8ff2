import { randomBytes } from 'node:crypto'
import { appendFileSync, mkdirSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { leftOut } from '#test/support/left-out.ts'
import { noSmallDisk, smallDisk } from '#test/support/full-disk.ts'
import { files, openModelKit } from './model-kit.ts'
import type { ModelKit } from './model-kit.ts'
import { quick } from './small-model.ts'

let kit: ModelKit
afterEach(() => kit.close())

describe.skipIf(leftOut('a model on a full disk', noSmallDisk()))('a disk that is too small', () => {
  test('is noticed before the first byte, with the figures', async () => {
    const disk = smallDisk(500)
    try {
      kit = await openModelKit({ folder: disk.folder })
      const operation = await kit.installed()
      expect(operation).toMatchObject({
        status: 'failed',
        problem: { code: 'disk-full', detail: expect.stringMatching(/needs 1 MB.*are free/) },
      })
      expect(kit.source.asked).toEqual([])
      expect(readdirSync(disk.folder)).toEqual(['.incoming'])
    } finally {
      disk.remove()
    }
  })

  test('what has to stay free for recordings counts as taken', async () => {
    const disk = smallDisk(2000)
    try {
      kit = await openModelKit({ folder: disk.folder, tuning: { ...quick, reserve: 1_700_000 } })
      expect(await kit.installed()).toMatchObject({ status: 'failed', problem: { code: 'disk-full' } })
      expect(kit.source.asked).toEqual([])
    } finally {
      disk.remove()
    }
  })

  test('and full in the middle: nothing half-installed; with room again it goes on from what is kept', async () => {
    const disk = smallDisk(1200)
    try {
      kit = await openModelKit({ folder: disk.folder })
      kit.source.will({ stallAfter: 300_000 })
      const { id } = await kit.install()
      await kit.source.stalled()
      disk.fill(100_000)
      kit.source.letGo()
      expect(await kit.ended(id)).toMatchObject({ status: 'failed', problem: { code: 'disk-full' } })
      expect(await kit.model()).toMatchObject({ state: 'available', installed: null })
      const { kept_bytes } = await kit.model()
      expect(kept_bytes).toBeGreaterThan(0)
      rmSync(join(disk.folder, 'filling'))
      expect((await kit.installed()).status).toBe('succeeded')
      expect(kit.source.asked.find(({ range }) => range !== null)?.range).toMatch(/^bytes=[1-9]/)
      expect(readFileSync(join(disk.folder, 'small', 'model.onnx')).equals(files['model.onnx'])).toBe(true)
    } finally {
      await kit.close()
      disk.remove()
    }
  })
})

test('a part whose end never reached the disk is gone on from where it surely is', async () => {
  kit = await openModelKit()
  kit.source.will({ cutAfter: 400_000 }, ...Array.from({ length: 4 }, () => ({ cutAfter: 0 })))
  await kit.installed()
  const part = join(kit.folder, '.incoming', 'small', 'model.onnx.part')
  const sidecar = JSON.parse(readFileSync(`${part}.json`, 'utf8')) as { synced_bytes: number }
  // As after a power cut: the file is longer than what was made sure of, and holds anything there.
  appendFileSync(part, randomBytes(50_000))
  const before = kit.source.asked.length
  expect((await kit.installed()).status).toBe('succeeded')
  expect(kit.source.asked[before]?.range).toBe(`bytes=${sidecar.synced_bytes}-`)
})

test('a changed file is not handed to an engine; unchanged under a new time it is; installed again it is whole', async () => {
  kit = await openModelKit()
  await kit.installed()
  const file = join(kit.folder, 'small', 'model.onnx')
  utimesSync(file, 1, 1)
  expect((await kit.model()).state).toBe('installed')
  const other = Buffer.from(files['model.onnx'])
  other[5000] = (other[5000] ?? 0) ^ 1
  writeFileSync(file, other)
  expect((await kit.model()).state).toBe('damaged')
  const choose = kit.client.call('chooseModel', { params: { id: 'small' } })
  await expect(choose).rejects.toEqual(expect.objectContaining({ code: 'model-damaged' }))
  expect((await kit.installed()).status).toBe('succeeded')
  expect((await kit.model()).state).toBe('installed')
  rmSync(file)
  expect((await kit.model()).state).toBe('damaged')
})

test('removed, its files and its place in the list are gone; nothing else is', async () => {
  kit = await openModelKit()
  await kit.installed()
  const { data } = await kit.client.call('removeModel', { params: { id: 'small' } })
  expect(data).toEqual({ id: 'small', freed_bytes: files['model.onnx'].length + files['tokens.txt'].length })
  expect(kit.names()).toEqual(['.incoming'])
  expect((await kit.model()).state).toBe('available')
  const again = kit.client.call('removeModel', { params: { id: 'small' } })
  await expect(again).rejects.toEqual(expect.objectContaining({ code: 'not-found' }))
})

test('what is left of a model without a record is removed at the start; what is installed stays', async () => {
  kit = await openModelKit()
  await kit.installed()
  mkdirSync(join(kit.folder, 'own-stray'))
  writeFileSync(join(kit.folder, 'own-stray', 'model.onnx'), 'x')
  await kit.reopen()
  expect(kit.names()).toEqual(['.incoming', 'small', 'small/model.onnx', 'small/tokens.txt'])
})
