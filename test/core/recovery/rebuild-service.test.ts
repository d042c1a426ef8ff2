import { existsSync, readdirSync, readFileSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { AppError } from '#contract/errors.ts'
import type { ServiceFactory } from '#core/app/open-core.ts'
import { copyOf, everything, overwrite, makeProfile, pageOf, pagesOf, type Profile } from './damage-kit.ts'

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

test('with overwritten bytes in a page of service.db the records open, the damaged file stays, and work continues', async () => {
  const few = [1]
  for (const name of ['practices', 'audit_heads', 'clients', 'sessions_by_time'])
    few.push(await pageOf(profile, 'service.db', name))
  const all = Array.from({ length: pagesOf(join(profile.kit.folder, 'service.db')) }, (_, index) => index + 1)
  for (const page of isFull ? all : few) {
    const { folder, service, openAgain } = copied()
    const bytes = overwrite(service, page)

    const opened = await openAgain()
    expect(opened.core.state().phase, `page ${page}`).toBe('ready')
    const report = (await opened.call('recovery.reports', {})).find(
      ({ file, cause }) => file === 'service' && cause === 'damaged',
    )
    expect(report, `page ${page}`).toMatchObject({ unreadable_pages: 1 })
    expect(readFileSync(join(folder, report!.set_aside[0]!)).equals(bytes), `page ${page}`).toBe(true)
    expect(await everything(opened, profile.sessionIds), `page ${page}`).toEqual(before)
    await opened.call('clients.create', { display_name: `After page ${page}` })
    await opened.settled()
    expect(await opened.call('outbox.list', {}), `page ${page}`).toEqual([])
    await opened.core.close()
  }
}, 600_000)

test('with both databases damaged all that both can be read for is there', async () => {
  const { vault, service, openAgain } = copied()
  overwrite(vault, 1)
  overwrite(service, 1)
  const opened = await openAgain()
  expect(opened.core.state().phase).toBe('ready')
  expect(await everything(opened, profile.sessionIds)).toEqual(before)
  const reports = await opened.call('recovery.reports', {})
  expect(
    reports
      .filter(({ cause }) => cause === 'damaged')
      .map(({ file }) => file)
      .toSorted(),
  ).toEqual(['service', 'vault'])
  await opened.core.close()
})

test('a rebuild of service.db that was cut off before its last step is finished, and nothing is sent again', async () => {
  const { service, openAgain } = copied()
  renameSync(service, `${service}.rebuilt.service.db.damaged-2026-01-01T00-00-00`)
  const opened = await openAgain()
  expect(await everything(opened, profile.sessionIds)).toEqual(before)
  expect((await opened.call('outbox.status', {})).waiting).toBe(0)
  await opened.core.close()
  expect(existsSync(service)).toBe(true)
})

test('damage that is noticed while the records are open is said at once, and repaired at the next opening', async () => {
  const { folder, kit, service, openAgain } = { ...copied(), kit: profile.kit }
  let isFailing = false
  const openService: ServiceFactory = async (options) => {
    const real = await kit.ports.openService(options)
    return { ...real, fetch: async (request) => (isFailing ? new Response(null, { status: 500 }) : real.fetch(request)) }
  }
  let opened = await openAgain({ openService })
  expect(await opened.call('recovery.state', {})).toEqual({ needs_repair: false, is_not_compared: false })
  overwrite(service, await pageOf(profile, 'service.db', 'notes'))
  isFailing = true
  await opened.call('clients.create', { display_name: 'In The Middle' })
  await opened.until(async () => (await opened.call('recovery.state', {})).needs_repair)
  isFailing = false
  await opened.core.close()

  opened = await openAgain()
  expect(asideIn(folder)).toHaveLength(1)
  expect(await opened.call('recovery.state', {})).toEqual({ needs_repair: false, is_not_compared: false })
  expect((await opened.call('clients.list', {})).map(({ client }) => client.display_name)).toContain('In The Middle')
  await opened.core.close()
})

test('damage that keeps the records from opening is looked for in every page, and they are opened again', async () => {
  const { kit, vault, openAgain } = { ...copied(), kit: profile.kit }
  const marked: boolean[] = []
  const openService: ServiceFactory = async (options) => {
    marked.push(existsSync(`${vault}.check`))
    if (marked.length === 1) throw new AppError('database-damaged')
    return kit.ports.openService(options)
  }
  const opened = await openAgain({ openService })
  expect(opened.core.state()).toMatchObject({ phase: 'ready', trouble: null })
  expect(await everything(opened, profile.sessionIds)).toEqual(before)
  // The second opening has read every page of the vault by then.
  expect(marked).toEqual([false, false])
  expect(existsSync(`${vault}.check`)).toBe(false)
  await opened.core.close()
})
