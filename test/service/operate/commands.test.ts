import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { systemClock } from '#base/clock.ts'
import { silentLog } from '#base/log.ts'
import { openEncrypted } from '#base/sqlite.ts'
import { openService } from '#service/compose/open-service.ts'
import type { Service } from '#service/compose/open-service.ts'
import { blobFolder } from '#service/operate/copy.ts'
import { openPlace } from '#service/operate/place.ts'
import { readSettings } from '#service/operate/read-settings.ts'
import { findCommand } from '#service/operate/run.ts'
import { freshFolder, runService } from '../alone-kit.ts'
import { expectMode } from '#test/support/file-mode.ts'

let folder: ReturnType<typeof freshFolder>
let service: Service
let ownerKey: string
beforeEach(async () => {
  folder = freshFolder()
  service = await open()
  ownerKey = service.ownerKey!
  for (const name of ['Quillon', 'Maren']) expect(await add(name)).toBe(201)
})
afterEach(async () => {
  await service.close()
  folder.remove()
})

const settingsIn = (data: string, environment: Record<string, string> = {}) =>
  readSettings(['--data', data, '--key-store', 'file'], environment).settings!

async function open(data = folder.data): Promise<Service> {
  const { store } = await openPlace(settingsIn(data), silentLog)
  return openService({
    store,
    audio: null,
    speech: () => null,
    clock: systemClock,
    log: silentLog,
    consentPolicy: 'asserted',
    caller: 'api-keys',
    plan: 'enterprise',
  })
}

const headers = (key = ownerKey) => ({ Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' })
async function add(display_name: string): Promise<number> {
  const body = JSON.stringify({ display_name })
  return (await service.fetch(new Request('http://x/v1/clients', { method: 'POST', headers: headers(), body }))).status
}
async function names(of: Service, key = ownerKey): Promise<string[]> {
  const response = await of.fetch(new Request('http://x/v1/clients', { headers: headers(key) }))
  return ((await response.json()) as { data: { display_name: string }[] }).data.map(({ display_name }) => display_name)
}

/** A command as the program runs it, and what it says. */
async function run(words: string[], data = folder.data, environment: Record<string, string> = {}) {
  const said: string[] = []
  const code = await findCommand(words)(settingsIn(data, environment), silentLog, (line) => said.push(line))
  return { code, said }
}

test('audit verify walks the log of every practice, and names the first link that is broken', async () => {
  const { code, said } = await run(['audit', 'verify'])
  expect(code).toBe(0)
  expect(said[0]).toMatch(/: \d+ events, whole; head \d+:[0-9a-f]{64}$/)
  await service.close()
  const { key } = await openPlace(settingsIn(folder.data), silentLog)
  const sqlite = openEncrypted(join(folder.data, 'service.db'), key)
  // The way of somebody who holds the key and the file.
  const triggers = sqlite.prepare(`select name from sqlite_schema where type = 'trigger' and tbl_name = 'audit_events'`).all()
  for (const { name } of triggers as { name: string }[]) sqlite.exec(`drop trigger "${name}"`)
  sqlite.prepare(`update audit_events set event = replace(event, '201', '200') where seq = 2`).run()
  sqlite.close()
  const broken = await run(['audit', 'verify'])
  expect(broken).toMatchObject({ code: 1 })
  expect(broken.said[0]).toContain('broken at event 2')
})

test('audit verify fails where an event noted earlier is in no chain, and says what it cannot detect', async () => {
  const [, head] = /head (\d+:[0-9a-f]{64})$/.exec((await run(['audit', 'verify'])).said[0]!)!
  const noted = (at_least: string) => run(['audit', 'verify'], folder.data, { AFTERWORD_AT_LEAST: at_least })
  await add('Later')
  const found = await noted(head!)
  expect(found.code).toBe(0)
  expect(found.said.join('\n')).toMatch(/Not detected: links made with the key of the store/)
  expect(found.said.join('\n')).not.toMatch(/without --at-least/)
  expect((await run(['audit', 'verify'])).said.join('\n')).toMatch(/Not detected without --at-least: an older copy/)
  const lost = await noted(`${head},99:${'ab'.repeat(32)}`)
  expect(lost.code).toBe(1)
  expect(lost.said).toContainEqual(expect.stringMatching(/^99:(ab){32}: no chain holds this event/))
  expect(() => settingsIn(folder.data, { AFTERWORD_AT_LEAST: '12' }).at_least).toThrow()
})

test('an older copy put back is whole in itself, and betrayed by a head noted later', async () => {
  const copy = join(dirname(folder.data), 'copy')
  await run(['backup', copy])
  const manifest = JSON.parse(readFileSync(join(copy, 'backup.json'), 'utf8')) as { chains: { head: string }[] }
  await add('Later')
  const [, newer] = /head (\d+:[0-9a-f]{64})$/.exec((await run(['audit', 'verify'])).said[0]!)!
  const older = join(dirname(folder.data), 'older')
  writeFileSync(`${older}.key`, readFileSync(`${folder.data}.key`))
  await run(['restore', copy], older)
  expect((await run(['audit', 'verify'], older, { AFTERWORD_AT_LEAST: manifest.chains[0]!.head })).code).toBe(0)
  expect((await run(['audit', 'verify'], older)).code).toBe(0)
  expect((await run(['audit', 'verify'], older, { AFTERWORD_AT_LEAST: newer! })).code).toBe(1)
})

test('audit refused says how often and from where calls came that nobody known made', async () => {
  expect((await run(['audit', 'refused'])).said).toEqual([expect.stringContaining('no calls were refused')])
  for (const key of ['aw_live_wrong', 'aw_live_wrong', ''])
    await service.fetch(new Request('http://x/v1/clients', { headers: headers(key) }), '203.0.113.7')
  await service.close()
  expect((await run(['audit', 'refused'])).said).toEqual([
    expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:00Z 203\.0\.113\.7 2 with a wrong key or token$/),
    expect.stringMatching(/ 203\.0\.113\.7 1 without a key$/),
  ])
})

test('a backup made while it serves is whole and encrypted, opens with the key alone, and comes back as it was', async () => {
  mkdirSync(join(blobFolder(folder.data), 'a'), { recursive: true })
  writeFileSync(join(blobFolder(folder.data), 'a', '00000000'), 'sealed')
  const copy = join(dirname(folder.data), 'copy')
  expect((await run(['backup', copy])).said.join()).toMatch(/rows and 1 blobs/)
  expect(await add('Later')).toBe(201)
  for (const file of readdirSync(copy, { recursive: true }) as string[])
    if (statSync(join(copy, file)).isFile()) expect(readFileSync(join(copy, file)).includes('Maren')).toBe(false)
  await expect(run(['backup', copy])).rejects.toThrow('there already')
  await expect(run(['restore', copy])).rejects.toThrow('nothing is overwritten')

  const other = join(dirname(folder.data), 'other')
  await expect(run(['restore', copy], other)).rejects.toThrow('is gone')
  const keyFile = join(dirname(folder.data), 'key')
  writeFileSync(keyFile, `${'ab'.repeat(32)}\n`)
  await expect(run(['restore', copy], other, { AFTERWORD_SERVICE_KEY_FILE: keyFile })).rejects.toThrow(
    'does not open with this key',
  )
  expect(existsSync(other)).toBe(false)

  rmSync(keyFile)
  expect((await run(['keys', 'export', keyFile])).code).toBe(0)
  expectMode(keyFile, 0o600)
  const restored = await run(['restore', copy], other, { AFTERWORD_SERVICE_KEY_FILE: keyFile })
  expect(restored.said.join()).toMatch(/events, whole.*restored as of/)
  expect(readFileSync(join(blobFolder(other), 'a', '00000000'), 'utf8')).toBe('sealed')
  writeFileSync(`${other}.key`, readFileSync(keyFile))
  const again = await open(other)
  expect((await names(again)).toSorted()).toEqual(['Maren', 'Quillon'])
  expect(again.ownerKey).toBeNull()
  await again.close()
})

/** Commands that operating.md shows, in its order. */
const ofManual = readFileSync(join(import.meta.dirname, '../../../docs/operating.md'), 'utf8')
  .split('\n')
  .filter((line) => /^ {4}(install |npm run service -- (keys export|backup|restore|audit verify) )/.test(line))
  .filter((line) => /\/srv\/(afterword|new)\b/.test(line) && !/--at-least|DATABASE_URL|practices/.test(line))

test.skipIf(process.platform === 'win32')(
  'the manual’s commands export the key, back up and restore as they stand there',
  async () => {
    const root = dirname(folder.data)
    for (const name of ['media/safe', 'media/backup']) mkdirSync(join(root, name), { recursive: true })
    const here = (line: string): string[] =>
      line
        .replaceAll('/srv/afterword', folder.data)
        .replaceAll(/\/(srv|media)\//g, (_, name: string) => (name === 'srv' ? `${root}/` : `${root}/media/`))
        .trim()
        .split(/\s+/)
    const ran: string[] = []
    for (const [program, ...words] of ofManual.map(here)) {
      if (program === 'install') {
        execFileSync(program, words)
        continue
      }
      const { words: command, settings, mistakes } = readSettings(words.slice(3), {})
      expect(mistakes).toEqual([])
      expect(await findCommand(command)(settings!, silentLog, () => {}), words.join(' ')).toBe(0)
      ran.push(command.slice(0, 2).join(' ').split(' /')[0]!)
    }
    expect(ran).toEqual(['keys export', 'audit verify', 'backup', 'restore', 'audit verify'])
    const restored = await open(join(root, 'new'))
    expect((await names(restored)).toSorted()).toEqual(['Maren', 'Quillon'])
    await restored.close()
  },
)

test('a copy that is not what was put there is not restored', async () => {
  const copy = join(dirname(folder.data), 'copy')
  await run(['backup', copy])
  const bytes = readFileSync(join(copy, 'service.db'))
  bytes[bytes.length - 100]! ^= 1
  writeFileSync(join(copy, 'service.db'), bytes)
  writeFileSync(join(dirname(folder.data), 'other.key'), readFileSync(`${folder.data}.key`))
  await expect(run(['restore', copy], join(dirname(folder.data), 'other'))).rejects.toThrow('damaged')
  rmSync(join(copy, 'backup.json'))
  await expect(run(['restore', copy], join(dirname(folder.data), 'other'))).rejects.toThrow('not finished')
})

test('who holds the key of the store gets a new owner key while it serves, and the audit log says so', async () => {
  const { said } = await run(['keys'])
  const [, fresh] = /^owner key: (aw_live_\S+)$/.exec(said[0]!)!
  expect(fresh).not.toBe(ownerKey)
  expect(await names(service, fresh)).toHaveLength(2)
  expect((await run(['audit', 'verify'])).code).toBe(0)
})

test('where there is no data, only a start makes some', async () => {
  const nowhere = join(dirname(folder.data), 'nowhere')
  for (const words of [['audit', 'verify'], ['backup', 'x'], ['migrate'], ['keys'], ['keys', 'export', 'x']])
    await expect(run(words, nowhere)).rejects.toThrow('There is no data')
  expect(existsSync(nowhere)).toBe(false)
  expect((await run(['migrate'])).said.join()).toMatch(/at version \d+/)
})

test('a word it does not know, one too many, one too few: a sentence, and nothing is done', () => {
  expect(() => findCommand(['audit'])).toThrow('no command')
  expect(() => findCommand(['backup'])).toThrow('say')
  expect(() => findCommand(['migrate', 'now'])).toThrow('too many')
})

test('the program prints its help and its OpenAPI document without being told where any data is', async () => {
  const [help, document, wrong] = await Promise.all([
    runService(['--help']),
    runService(['openapi']),
    runService(['--port', 'x']),
  ])
  expect([help.code, help.stdout]).toEqual([0, expect.stringContaining('audit verify')])
  expect(JSON.parse(document.stdout)).toMatchObject({ openapi: '3.1.1' })
  expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringMatching(/--data.*\n.*--port.*\nusage/)])
})
