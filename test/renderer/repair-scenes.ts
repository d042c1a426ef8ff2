import type { Page } from '@playwright/test'
import { expect } from 'vitest'
import type { RecoveryReport } from '#contract/bridge/recovery.ts'
import { demoSessions } from '#test/support/demo-records.ts'
import type { Scene } from './scene.ts'

const about = { client_name: 'Maren Holt', session_id: demoSessions[6]!.session.id, date: '2026-11-20T14:00:00.000Z' }
const demoReport: RecoveryReport = {
  id: '0198c0de-0000-7000-8000-000000000001',
  at: '2026-11-24T08:00:00.000Z',
  file: 'vault',
  cause: 'damaged',
  set_aside: ['vault.db.damaged-2026-11-24T08-00-00'],
  copies: [],
  pages: 412,
  unreadable_pages: 2,
  solved_at: null,
  items: [
    { kind: 'session', is_recovered: true, is_partial: false, is_signed: false, ...about },
    { kind: 'note', is_recovered: true, is_partial: false, is_signed: false, ...about },
    { kind: 'transcript', is_recovered: false, is_partial: false, is_signed: false, ...about, client_name: null, date: null },
  ],
}

const ofNobody = {
  is_recovered: false,
  is_partial: false,
  is_signed: false,
  client_name: null,
  session_id: null,
  date: null,
} as const
const unlistedReport: RecoveryReport = {
  ...demoReport,
  items: (['other', 'list', 'consents', 'transcripts', 'notes'] as const).map((kind) => ({ kind, ...ofNobody })),
}

const keysReport: RecoveryReport = { ...demoReport, file: 'keys', set_aside: [], pages: 0, unreadable_pages: 0, items: [] }
const keysAside = ['vault.json.damaged-2026-11-24T08-00-00', 'recordings/keys.json.unreadable-2026-11-24T08-00-00']

const olderReport: RecoveryReport = {
  ...keysReport,
  file: 'vault',
  cause: 'behind',
  set_aside: ['vault.db.older-2026-11-24T08-00-00'],
}
const linkReport: RecoveryReport = {
  ...keysReport,
  file: 'recordings',
  cause: 'missing',
  set_aside: ['recordings.unreadable-2026'],
}
const unopened = ['vault.db', 'service.db', 'recordings/0198c0de-0000-7000-8000-000000000001.afr'].map((name, index) => ({
  name,
  is_zip: index === 1,
}))

const lostPart = { count: 1, is_partial: false, is_signed: false, at: '2026-11-24T08:00:00.000Z' } as const
const lostNote = { ...lostPart, kind: 'note', is_signed: true } as const
const lostTranscript = { ...lostPart, kind: 'transcript' } as const
const lostSession = `/sessions/${demoSessions[6]!.session.id}`
const emptyReport: RecoveryReport = { ...unlistedReport, cause: 'missing', set_aside: [], pages: 0, unreadable_pages: 0 }

async function readReport(page: Page): Promise<void> {
  const report = page.getByRole('region', { name: /^Some of your records could/ })
  await page.getByRole('button', { name: 'I’ve read this' }).click()
  await expect
    .poll(async () => {
      await page.evaluate(() => window.demoEmit?.('records.changed', { kinds: ['recovery'] }))
      return report.count()
    })
    .toBe(0)
  await page.getByText('Your data folder is /data/Afterword').waitFor()
}

/** What the window says of damaged files: records that were repaired, and records that can't be opened. */
export const repairScenes: readonly Scene[] = [
  { name: 'today, after a repair', hash: '/today', demo: { recovery: [demoReport] } },
  { name: 'today, after a repair with losses', hash: '/today', demo: { recovery: 'with losses' } },
  { name: 'today, a recording that had ended', hash: '/today', demo: { cutOff: 'ended' } },
  { name: 'today, a recording without a session', hash: '/today', demo: { cutOff: 'lost session' } },
  { name: 'today, after a repair without the list', hash: '/today', demo: { recovery: [unlistedReport] } },
  { name: 'today, records not compared', hash: '/today', demo: { isNotCompared: true } },
  { name: 'today, after older keys were put back', hash: '/today', demo: { recovery: [{ ...keysReport, cause: 'behind' }] } },
  {
    name: 'today, a report that is solved',
    hash: '/today',
    demo: { recovery: [{ ...keysReport, file: 'service', cause: 'missing', solved_at: '2026-11-24T09:00:00.000Z' }] },
    act: (page) => page.getByText('Resolved.', { exact: false }).waitFor(),
  },
  { name: 'today, after damaged keys', hash: '/today', demo: { recovery: [{ ...keysReport, set_aside: keysAside }] } },
  {
    name: 'settings, a repair report that was read',
    hash: '/settings/advanced',
    demo: { recovery: 'with losses' },
    async act(page) {
      await page.getByRole('button', { name: 'I’ve read this' }).click()
      await page.evaluate(() => window.demoEmit?.('records.changed', { kinds: ['recovery'] }))
      await page.getByRole('button', { name: 'Show report' }).scrollIntoViewIfNeeded()
    },
  },
  {
    name: 'session, a signed note is lost',
    hash: `${lostSession}/note`,
    demo: { lost: [lostNote] },
    async act(page) {
      await page.getByText('The signed note of this session is lost.').waitFor()
      await page.getByText('Afterword found this on', { exact: false }).waitFor()
      expect(await page.getByText('No note yet').count()).toBe(0)
    },
  },
  {
    name: 'session, a transcript is lost',
    hash: `${lostSession}/transcript`,
    demo: { lost: [{ ...lostPart, kind: 'recording' }, lostTranscript] },
    async act(page) {
      await page.getByRole('heading', { name: 'The transcript is lost.' }).waitFor()
      expect(await page.getByText(/Nothing was recorded|no transcript yet/).count()).toBe(0)
    },
  },
  {
    name: 'session, a source is lost',
    hash: `${lostSession}/note`,
    demo: { lost: [lostTranscript, { ...lostPart, kind: 'addendum', count: 2 }] },
    async act(page) {
      await page.getByRole('button', { name: /^Source/ }).click()
      await page.getByText('The transcript of this session is lost, so Afterword can’t show', { exact: false }).waitFor()
      expect(await page.getByText(/session’s own fields|Word for word/).count()).toBe(0)
    },
  },
  {
    name: 'today, records missing',
    hash: '/today',
    demo: { isEmpty: true, recovery: [emptyReport] },
    act: readReport,
  },
  {
    name: 'clients, records missing',
    hash: '/clients',
    demo: { isEmpty: true, recovery: [emptyReport] },
    act: readReport,
  },
  { name: 'trouble with a code', hash: '/', demo: { app: { phase: 'trouble', trouble: 'key-gone', protection: 'keychain' } } },
  {
    name: 'trouble that may pass',
    hash: '/',
    demo: { app: { phase: 'trouble', trouble: 'keychain-locked', protection: 'keychain' } },
  },
  { name: 'trouble, no keys', hash: '/', demo: { app: { phase: 'trouble', trouble: 'keys-missing', protection: null } } },
  {
    name: 'trouble, other keys',
    hash: '/',
    demo: { app: { phase: 'trouble', trouble: 'keys-mismatch', protection: null, unopened_files: unopened } },
  },
  { name: 'lock, keys that may be older', hash: '/', demo: { app: { phase: 'locked', keys_may_be_older: true } } },
  { name: 'an older file that gave way to a newer one', hash: '/today', demo: { recovery: [olderReport] } },
  { name: 'today, after a link without its disk', hash: '/today', demo: { recovery: [linkReport] } },
  {
    name: 'trouble without',
    hash: '/',
    demo: { app: { phase: 'trouble', trouble: 'database-damaged', protection: 'keychain' } },
  },
]
