import { closeSync, mkdirSync, openSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { copyOf, everything, makeProfile, type Profile, withoutTimes } from './damage-kit.ts'

let profile: Profile
let before: Awaited<ReturnType<typeof everything>>

beforeAll(async () => {
  profile = await makeProfile(2)
  const opened = await copyOf(profile).openAgain()
  before = await everything(opened, profile.sessionIds)
  await opened.core.close()
}, 120_000)
afterAll(() => profile.kit.remove())

const copies = ['salts.json', 'salts.json.bak'] as const

function copied() {
  const copy = copyOf(profile)
  onTestFinished(() => copy.remove())
  const path = (name: string): string => join(copy.folder, name)
  return {
    ...copy,
    path,
    zeroFirstBytes: (name: string): void => {
      const file = openSync(path(name), 'r+')
      writeSync(file, new Uint8Array(512))
      closeSync(file)
    },
    readCopies: () => copies.map((name) => readFileSync(path(name), 'utf8')),
  }
}

type Copied = ReturnType<typeof copied>

async function openWithout({ openAgain }: Copied) {
  const opened = await openAgain()
  const { phase, trouble } = opened.core.state()
  expect({ phase, trouble }).toEqual({ phase: 'ready', trouble: null })
  const found = await everything(opened, profile.sessionIds)
  const reports = await opened.call('recovery.reports', {})
  await opened.core.close()
  return { found, reports }
}

describe('zeros over the first 512 bytes', () => {
  test.each([[['vault.db']], [['service.db']], [['vault.db', 'service.db']]])('of %j cost nothing', async (names) => {
    const copy = copied()
    for (const name of names) copy.zeroFirstBytes(name)
    const { found, reports } = await openWithout(copy)
    expect(withoutTimes(found)).toEqual(withoutTimes(before))
    expect(reports.flatMap(({ items }) => items.filter(({ is_recovered }) => !is_recovered))).toEqual([])
    const aside = readdirSync(copy.folder).filter((name) => /\.(damaged|unreadable)-/.test(name))
    expect(aside.map((name) => name.replace(/\.damaged-.*/, '')).toSorted()).toEqual(names.toSorted())
  })

  test.each(copies)('of both databases cost nothing where %s is damaged too', async (name) => {
    const copy = copied()
    for (const database of ['vault.db', 'service.db']) copy.zeroFirstBytes(database)
    writeFileSync(copy.path(name), '["00')
    const { found } = await openWithout(copy)
    expect(withoutTimes(found)).toEqual(withoutTimes(before))
  })

  test.each([
    ['UTF-16', (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le')],
    ['several lines', (text: string) => Buffer.from(`\ufeff${JSON.stringify(JSON.parse(text), null, 2)}`)],
  ])('of both cost nothing where an editor saved the copies as %s and renamed one', async (_, saved) => {
    const copy = copied()
    for (const database of ['vault.db', 'service.db']) copy.zeroFirstBytes(database)
    for (const name of copies) writeFileSync(copy.path(name), saved(readFileSync(copy.path(name), 'utf8')))
    renameSync(copy.path('salts.json.bak'), copy.path('salts.json.bak.txt'))
    const { found } = await openWithout(copy)
    expect(withoutTimes(found)).toEqual(withoutTimes(before))
  })

  test('of a database that was rebuilt cost nothing either', async () => {
    const copy = copied()
    copy.zeroFirstBytes('vault.db')
    await openWithout(copy)
    for (const name of ['vault.db', 'service.db']) copy.zeroFirstBytes(name)
    const { found } = await openWithout(copy)
    expect(withoutTimes(found)).toEqual(withoutTimes(before))
  })
})

describe('the copies of the salts', () => {
  test('are made at the next opening where they are missing, and put right where they are damaged', async () => {
    const copy = copied()
    const whole = copy.readCopies()
    for (const [index, harm] of [
      () => copies.map((name) => rmSync(copy.path(name))),
      () => copies.map((name) => writeFileSync(copy.path(name), '{"salts": 1}')),
      () => rmSync(copy.path('salts.json.bak')),
    ].entries()) {
      harm()
      await openWithout(copy)
      const [first, second] = copy.readCopies()
      expect(second, `${index}`).toBe(first)
      const sorted = (text: string): string[] => (JSON.parse(text) as string[]).toSorted()
      expect(sorted(first!), `${index}`).toEqual(sorted(whole[0]!))
    }
  })

  test.each(['xxxxxx', '"[],\u00e9x'])(
    'still open both databases where all three are damaged in other bytes: %j',
    async (characters) => {
      const copy = copied()
      for (const name of ['vault.db', 'service.db']) writeFileSync(copy.path(name), readFileSync(copy.path(name)).fill(0, 1, 5))
      for (const [index, name] of copies.entries()) {
        const at = 10 + index * 10
        const text = readFileSync(copy.path(name), 'latin1')
        const damaged = text.replaceAll(
          /[0-9a-f]{32}/g,
          (hex) => hex.slice(0, at) + characters + hex.slice(at + characters.length),
        )
        writeFileSync(copy.path(name), damaged, 'latin1')
      }
      const { found, reports } = await openWithout(copy)
      expect(found).toEqual(before)
      expect(reports.flatMap(({ items }) => items)).toEqual([])
    },
  )

  test('keep no records shut where they cannot be written', async () => {
    const copy = copied()
    for (const name of copies) {
      rmSync(copy.path(name))
      mkdirSync(copy.path(name))
    }
    const { found } = await openWithout(copy)
    expect(withoutTimes(found)).toEqual(withoutTimes(before))
  })
})
