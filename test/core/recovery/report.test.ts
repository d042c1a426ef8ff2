import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { systemClock } from '#base/clock.ts'
import { type RecoveryItem, reportRecovery } from '#core/vault/recovery-report.ts'
import { clientWithSession, coreKit, createProfile, noService } from '../core-kit.ts'
import { vaultOf } from './damage-kit.ts'

test('a report lists what was and was not recovered by client and date until it was read', async () => {
  const kit = coreKit()
  onTestFinished(() => kit.remove())
  let opened = await kit.open()
  await createProfile(opened)
  const { client, session } = await clientWithSession(opened, 'Greta Lindqvist')
  await opened.settled()
  await opened.core.close()

  const vault = await vaultOf(kit)
  const lost: RecoveryItem = {
    kind: 'note',
    subject_id: '0198c0de-0000-7000-8000-000000000001',
    is_recovered: false,
    client_id: client.id,
    session_id: session.id,
    date: null,
  }
  const here: RecoveryItem = { ...lost, kind: 'session', subject_id: session.id }
  const unknown: RecoveryItem = { ...lost, kind: 'client', client_id: '0198c0de-0000-7000-8000-000000000002', session_id: null }
  const cause = { file: 'vault', cause: 'damaged', set_aside: ['vault.db.damaged'], pages: 40, unreadable_pages: 1 } as const
  reportRecovery(vault, systemClock, cause, [lost, here])
  writeFileSync(join(kit.folder, 'vault.db.damaged'), '')
  // The same once more after a kill.
  reportRecovery(vault, systemClock, cause, [lost, here, unknown])
  vault.close()

  opened = await kit.open()
  const reports = await opened.call('recovery.reports', {})
  expect(reports).toHaveLength(1)
  expect(reports[0]).toMatchObject({ ...cause, set_aside: ['vault.db.damaged'] })
  const { starts_at: date } = session
  expect(reports[0]!.items).toEqual([
    {
      kind: 'note',
      is_recovered: false,
      is_partial: false,
      is_signed: false,
      client_name: 'Greta Lindqvist',
      session_id: session.id,
      date,
    },
    {
      kind: 'session',
      is_recovered: true,
      is_partial: false,
      is_signed: false,
      client_name: 'Greta Lindqvist',
      session_id: session.id,
      date,
    },
    { kind: 'client', is_recovered: false, is_partial: false, is_signed: false, client_name: null, session_id: null, date: null },
  ])
  await opened.core.close()

  opened = await kit.open()
  expect(await opened.call('recovery.reports', {})).toEqual(reports)
  const { id } = reports[0]!
  await opened.call('recovery.removeRead', { id })
  expect(await opened.call('recovery.reports', {})).toEqual(reports)
  await opened.call('recovery.markRead', { id })
  expect(await opened.call('recovery.reports', {})).toEqual([])
  expect(await opened.call('recovery.readReports', {})).toEqual(reports)
  await opened.call('recovery.removeRead', { id })
  expect(await opened.call('recovery.readReports', {})).toEqual([])
  await opened.core.close()
})

test('a report without any line is listed after it was read, until it is deleted', async () => {
  const kit = coreKit()
  onTestFinished(() => kit.remove())
  let opened = await kit.open()
  await createProfile(opened)
  await opened.core.close()
  const vault = await vaultOf(kit)
  reportRecovery(vault, systemClock, { file: 'keys', cause: 'behind' }, [])
  vault.close()
  opened = await kit.open()
  const [report] = await opened.call('recovery.reports', {})
  const { id } = report!
  await opened.call('recovery.markRead', { id })
  expect(await opened.call('recovery.readReports', {})).toEqual([report])
  await opened.call('recovery.removeRead', { id })
  expect(await opened.call('recovery.readReports', {})).toEqual([])
  await opened.core.close()
})

test('a session that is here without its client counts as lost, because no window shows it', async () => {
  const kit = coreKit()
  onTestFinished(() => kit.remove())
  let opened = await kit.open()
  await createProfile(opened)
  const { client, session } = await clientWithSession(opened, 'Greta Lindqvist')
  await opened.core.close()
  const vault = await vaultOf(kit)
  const about = { is_recovered: true, client_id: client.id, session_id: session.id, date: null }
  reportRecovery(vault, systemClock, { file: 'vault', cause: 'damaged' }, [{ kind: 'session', subject_id: session.id, ...about }])
  vault.pragma('foreign_keys=OFF')
  vault.prepare('delete from clients where id = ?').run(client.id)
  vault.close()
  opened = await kit.open({ openService: noService })
  const [report] = await opened.call('recovery.reports', {})
  expect(report!.items).toMatchObject([{ kind: 'session', is_recovered: false }])
  await opened.core.close()
})
