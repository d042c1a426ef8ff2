import { copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { PAGE_BYTES } from '#base/page-format.ts'
import { copyOf, everything, makeProfile, pageOf, type Profile, withoutTimes } from './damage-kit.ts'

const names = ['vault.db', 'service.db'] as const
let profile: Profile
let before: Awaited<ReturnType<typeof everything>>
const older = new Map<string, Buffer>()
beforeAll(async () => {
  profile = await makeProfile(3)
  for (const name of names) older.set(name, readFileSync(join(profile.kit.folder, name)))
  const opened = await profile.kit.open()
  const [first] = await opened.call('clients.list', {})
  await opened.call('clients.update', {
    id: first!.client.id,
    version: first!.client.version,
    patch: { display_name: 'Renamed Since' },
  })
  await opened.call('clients.create', { display_name: 'New Since' })
  await opened.settled()
  before = await everything(opened, profile.sessionIds)
  await opened.core.close()
}, 120_000)
afterAll(() => profile.kit.remove())

function copied() {
  const copy = copyOf(profile)
  onTestFinished(() => copy.remove())
  return { ...copy, change: (name: string, work: (bytes: Buffer) => Buffer): void => change(join(copy.folder, name), work) }
}

const change = (path: string, work: (bytes: Buffer) => Buffer): void => writeFileSync(path, work(readFileSync(path)))

async function openDamaged({ folder, openAgain }: ReturnType<typeof copied>) {
  const damaged = names.map((name) => readFileSync(join(folder, name)))
  const opened = await openAgain()
  expect(opened.core.state()).toMatchObject({ phase: 'ready', trouble: null })
  const found = await everything(opened, profile.sessionIds)
  const reports = await opened.call('recovery.reports', {})
  await opened.core.close()
  for (const aside of readdirSync(folder).filter((name) => name.includes('.db.damaged-')))
    expect(damaged.some((bytes) => bytes.equals(readFileSync(join(folder, aside))))).toBe(true)
  return { found, reports }
}

/** Both files are reported and set aside, and nothing is missing. */
const allBack = (['service', 'vault'] as const).map((file) =>
  expect.objectContaining({
    file,
    cause: 'damaged',
    unreadable_pages: 0,
    items: [],
    set_aside: [expect.stringContaining(`${file}.db.damaged-`)],
  }),
)

describe('damage to the same records in both databases costs nothing, and both reports say so', () => {
  test('one changed bit in the notes of each', async () => {
    const copy = copied()
    for (const name of names) {
      const page = await pageOf(profile, name, 'notes')
      copy.change(name, (bytes) => {
        bytes[(page - 1) * PAGE_BYTES + 300]! ^= 8
        return bytes
      })
    }
    const { found, reports } = await openDamaged(copy)
    expect(found).toEqual(before)
    expect(reports).toEqual(expect.arrayContaining(allBack))
  })

  test.each([
    ['in front of the first page', () => 0],
    ['in the first page', () => 700],
    ['in the middle', (length: number) => Math.floor(length / 2) + 77],
    ['in front of the first page, 100 KB of them', () => 0, 100_000],
    ['in the middle, 100 KB of them', (length: number) => Math.floor(length / 2) + 77, 100_000],
  ])('bytes inserted %s', async (_, place, count = 300) => {
    const copy = copied()
    for (const name of names)
      copy.change(name, (bytes) =>
        Buffer.concat([bytes.subarray(0, place(bytes.length)), Buffer.alloc(count, 7), bytes.subarray(place(bytes.length))]),
      )
    const { found, reports } = await openDamaged(copy)
    expect(found).toEqual(before)
    expect(reports).toEqual(expect.arrayContaining(allBack))
  })

  test.each(['in front of', 'behind'])('an older copy %s each', async (place) => {
    const copy = copied()
    for (const name of names)
      copy.change(name, (bytes) => Buffer.concat(place === 'behind' ? [bytes, older.get(name)!] : [older.get(name)!, bytes]))
    const { found, reports } = await openDamaged(copy)
    expect(found).toEqual(before)
    expect(reports).toEqual(expect.arrayContaining(allBack))
  })

  test('other bytes behind each', async () => {
    const copy = copied()
    for (const name of names) copy.change(name, (bytes) => Buffer.concat([bytes, Buffer.alloc(5000, 7)]))
    const { found, reports } = await openDamaged(copy)
    expect(found).toEqual(before)
    expect(reports).toEqual(expect.arrayContaining(allBack))
  })

  test('pages in the places of others', async () => {
    const copy = copied()
    for (const name of names)
      copy.change(name, (bytes) => {
        for (let page = 3; page < 33; page += 1) {
          const [here, there] = [page, page + 30].map((at) => bytes.subarray(at * PAGE_BYTES, (at + 1) * PAGE_BYTES))
          const kept = Buffer.from(here!)
          here!.set(there!)
          there!.set(kept)
        }
        return bytes
      })
    const { found, reports } = await openDamaged(copy)
    expect(found).toEqual(before)
    expect(reports).toEqual(expect.arrayContaining(allBack))
  })

  test.each([
    ['in whole pages', 57 * PAGE_BYTES],
    ['with the first page', 0],
  ])('ends of both files exchanged %s', async (_, from) => {
    const copy = copied()
    const [vault, service] = names.map((name) => readFileSync(join(copy.folder, name)))
    copy.change('vault.db', () => Buffer.concat([vault!.subarray(0, from), service!.subarray(from)]))
    copy.change('service.db', () => Buffer.concat([service!.subarray(0, from), vault!.subarray(from)]))
    const { found, reports } = await openDamaged(copy)
    expect(found).toEqual(before)
    if (from > 0) expect(reports).toEqual(expect.arrayContaining(allBack))
  })
})

describe('where most pages of both databases are unreadable', () => {
  /** All but every fifth page, in both, and both inventories. */
  function ruined() {
    const copy = copied()
    for (const name of names)
      copy.change(name, (bytes) => {
        for (let page = 0; page * PAGE_BYTES < bytes.length; page += 1)
          if (page % 5 !== 0) bytes.fill(0, page * PAGE_BYTES, (page + 1) * PAGE_BYTES)
        return bytes
      })
    for (const inventory of ['inventory.aw', 'recordings/inventory.aw']) copy.change(inventory, (bytes) => bytes.fill(0))
    return copy
  }

  test.each(names)('a copy of %s in a subfolder gives everything back, and nothing comes back twice', async (name) => {
    const copy = ruined()
    mkdirSync(join(copy.folder, 'backup'))
    copyFileSync(join(profile.kit.folder, name), join(copy.folder, 'backup', `${name} (1)`))
    const { found } = await openDamaged(copy)
    expect(withoutTimes(found)).toEqual(withoutTimes(before))
  })

  test('an older copy gives back what it has, without what was read of the newer file', async () => {
    const copy = ruined()
    writeFileSync(join(copy.folder, 'vault of yesterday.db'), older.get('vault.db')!)
    const { found, reports } = await openDamaged(copy)
    expect(found.clients.map(({ client }) => client.display_name)).toEqual(expect.arrayContaining(profile.names.slice(1)))
    expect(found.sessions.every(({ note }) => note !== null)).toBe(true)
    expect(reports.some(({ items }) => items.length > 0)).toBe(true)
  })
})
