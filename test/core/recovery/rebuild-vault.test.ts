import {
  copyFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import type { RecoveryReport } from '#contract/bridge/recovery.ts'
import { noService } from '../core-kit.ts'
import { copyOf, everything, overwrite, makeProfile, pageOf, pagesOf, type Profile, withoutTimes } from './damage-kit.ts'

let profile: Profile
let before: Awaited<ReturnType<typeof everything>>

beforeAll(async () => {
  profile = await makeProfile(3)
  const opened = await copyOf(profile).openAgain()
  before = await everything(opened, profile.sessionIds)
  await opened.core.close()
}, 120_000)
afterAll(() => profile.kit.remove())

function copied() {
  const copy = copyOf(profile)
  onTestFinished(() => copy.remove())
  return { ...copy, vault: join(copy.folder, 'vault.db'), service: join(copy.folder, 'service.db') }
}

const asideIn = (folder: string): string[] => readdirSync(folder).filter((name) => name.includes('.damaged-'))

const isFull = process.env['AFTERWORD_FAULTS'] === 'full'

test('overwritten bytes in a page of vault.db cost at most what is on the page, which the report names', async () => {
  const { folder, vault, openAgain } = copied()
  const whole = readFileSync(vault)
  const few = [1]
  for (const name of ['clients', 'sessions_by_start', 'notes', 'segments']) few.push(await pageOf(profile, 'vault.db', name))
  for (const page of isFull ? Array.from({ length: pagesOf(vault) }, (_, index) => index + 1) : few) {
    writeFileSync(vault, whole)
    for (const name of asideIn(folder)) rmSync(join(folder, name))
    const bytes = overwrite(vault, page)

    const opened = await openAgain()
    expect(opened.core.state().phase, `page ${page}`).toBe('ready')
    const [report] = await opened.call('recovery.reports', {})
    expect(report, `page ${page}`).toMatchObject({ file: 'vault', cause: 'damaged', unreadable_pages: 1 })
    expect(readFileSync(join(folder, report!.set_aside[0]!)).equals(bytes), `page ${page}`).toBe(true)
    const now = await everything(opened, profile.sessionIds)
    const isLost = report!.items.some(({ is_recovered }) => !is_recovered)
    if (!isLost) expect(withoutTimes(now), `page ${page}`).toEqual(withoutTimes(before))
    await opened.core.close()
  }
}, 600_000)

test('overwritten bytes that cost nothing are reported without anything missing', async () => {
  const pages = await Promise.all(
    ['sessions_by_start', 'insights', 'cue_decisions', 'pull_lists', 'audit'].map((name) => pageOf(profile, 'vault.db', name)),
  )
  for (const page of pages) {
    const { vault, openAgain } = copied()
    overwrite(vault, page)
    const opened = await openAgain()
    const [report] = await opened.call('recovery.reports', {})
    expect(report, `page ${page}`).toMatchObject({ file: 'vault', unreadable_pages: 1, items: [] })
    expect(await everything(opened, profile.sessionIds), `page ${page}`).toEqual(before)
    await opened.core.close()
  }
})

test('turns that a vault.db cut in half has lost come back from the service', async () => {
  const { vault, openAgain } = copied()
  truncateSync(vault, Math.floor(statSync(vault).size / 8192) * 4096)
  const opened = await openAgain()
  expect(withoutTimes(await everything(opened, profile.sessionIds))).toEqual(withoutTimes(before))
  const [report] = await opened.call('recovery.reports', {})
  expect(report!.items.filter(({ kind }) => kind === 'transcript').map(({ is_recovered }) => is_recovered)).not.toContain(false)
  await opened.core.close()
})

test('a rebuild that was cut off is repeated, whatever it had done', async () => {
  const { folder, vault, openAgain } = copied()
  const bytes = overwrite(vault, 1)
  // While the new file was being filled.
  copyFileSync(vault, `${vault}.rebuilding`)
  writeFileSync(`${vault}.rebuilding-wal`, 'half a journal')
  let opened = await openAgain()
  expect(await everything(opened, profile.sessionIds)).toEqual(before)
  await opened.core.close()
  expect(readdirSync(folder).filter((file) => file.includes('rebuil'))).toEqual([])

  // After the damaged file was renamed, before its journal was, and before the new file had its name.
  const [name] = asideIn(folder)
  renameSync(vault, `${vault}.rebuilt.${name}`)
  writeFileSync(`${vault}-wal`, 'the journal of the damaged file')
  opened = await openAgain()
  expect(await everything(opened, profile.sessionIds)).toEqual(before)
  expect((await opened.call('recovery.reports', {}))[0]!.set_aside).toEqual([name])
  await opened.core.close()
  expect(readFileSync(join(folder, name!)).equals(bytes)).toBe(true)
  expect(readFileSync(join(folder, `${name}-wal`), 'utf8')).toBe('the journal of the damaged file')
  expect(existsSync(`${vault}.rebuilt.${name}`)).toBe(false)
})

test('files of another profile are left as they are', async () => {
  const { folder, vault, service, openAgain } = copied()
  const strange = Buffer.alloc(readFileSync(vault).length, 0x5a)
  for (const path of [vault, service]) writeFileSync(path, strange)
  const opened = await openAgain()
  expect(opened.core.state()).toMatchObject({ phase: 'trouble', trouble: 'keys-mismatch' })
  await opened.core.close()
  expect(asideIn(folder)).toEqual([])
  for (const path of [vault, service]) expect(readFileSync(path).equals(strange)).toBe(true)
})

test('a table is not named as lost if the service has it whole, though the service’s database was repaired, too', async () => {
  const { folder, vault, service, openAgain } = copied()
  for (const path of [join(folder, 'inventory.aw'), join(folder, 'recordings', 'inventory.aw')]) rmSync(path)
  for (const name of ['consents_versions', 'consents', 'transcripts_versions', 'transcripts'])
    overwrite(vault, await pageOf(profile, 'vault.db', name))
  overwrite(service, await pageOf(profile, 'service.db', 'transcripts'))
  const opened = await openAgain()
  const reports = await opened.call('recovery.reports', {})
  expect(reports.map(({ file }) => file).toSorted()).toEqual(['service', 'vault'])
  const lost = reports.flatMap(({ items }) => items.filter(({ is_recovered }) => !is_recovered).map(({ kind }) => kind))
  expect(lost).toContain('transcripts')
  expect(lost).not.toContain('consents')
  await opened.core.close()
})

test('what a report lists as possibly lost goes once a comparison finds it, though the report was read before', async () => {
  const { vault, openAgain } = copied()
  const tables = ['consents_versions', 'consents', 'settings', 'recording_marks']
  for (const name of tables) overwrite(vault, await pageOf(profile, 'vault.db', name))
  let opened = await openAgain({ openService: noService })
  const lostIn = (reports: readonly RecoveryReport[]) =>
    reports.flatMap(({ items }) => items.filter(({ is_recovered }) => !is_recovered).map(({ kind }) => kind))
  const reports = await opened.call('recovery.reports', {})
  expect(lostIn(reports)).toContain('consents')
  for (const { id } of reports) await opened.call('recovery.markRead', { id })
  await opened.core.close()
  opened = await openAgain()
  const shown = [...(await opened.call('recovery.readReports', {})), ...(await opened.call('recovery.reports', {}))]
  expect(lostIn(shown)).toEqual([])
  await opened.core.close()
})

test('what may be lost without being named is told by its kind, and tables that were empty are not', async () => {
  const { folder, vault, service, openAgain } = copied()
  for (const path of [join(folder, 'inventory.aw'), join(folder, 'recordings', 'inventory.aw')]) rmSync(path)
  const indexesOf = ['consents_versions', 'transcripts_versions']
  const tables = ['consents', 'transcripts', 'templates', 'insights', 'cue_decisions', 'audit']
  for (const name of [...indexesOf, ...tables]) overwrite(vault, await pageOf(profile, 'vault.db', name))
  for (const name of ['consents', 'transcripts']) overwrite(service, await pageOf(profile, 'service.db', name))
  const opened = await openAgain()
  const reports = await opened.call('recovery.reports', {})
  const lost = reports.flatMap(({ items }) => items.filter(({ is_recovered }) => !is_recovered).map(({ kind }) => kind))
  expect(lost).toEqual(expect.arrayContaining(['list', 'consents', 'transcripts']))
  for (const kind of ['template', 'insight']) expect(lost).not.toContain(kind)
  await opened.core.close()
})
