/** From starting the app as it was built to a page that shows the day, with few and with many sessions kept. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { performance } from 'node:perf_hooks'
import { chromium } from '@playwright/test'
import { systemClock } from '#base/clock.ts'
import { silentLog } from '#base/log.ts'
import type { MethodOutput } from '#contract/bridge/methods.ts'
import { migrations } from '#core/vault/migrations.ts'
import { openVault } from '#core/vault/vault.ts'
import { startCore } from '#shell/core-host.ts'
import { launchOptions } from '#test/support/chromium.ts'
import { memoryKeychain } from '#test/support/memory-keychain.ts'
import { startPreview } from '#test/support/preview.ts'
import { fill, percentile, report } from './records-bench-kit.ts'

const passphrase = 'a long enough passphrase'
const runs = 5

async function profileWith(sessions: number): Promise<{ folder: string; passphraseFile: string }> {
  const folder = mkdtempSync(join(tmpdir(), 'afterword-screen-'))
  const passphraseFile = join(folder, 'passphrase')
  writeFileSync(passphraseFile, passphrase, { mode: 0o600 })
  let onEvent = (): void => {}
  const start = () =>
    startCore({
      folder,
      resources: resolve('resources'),
      shell: 'preview',
      app_version: '0.0.0',
      startLocked: false,
      passphraseFile: undefined,
      onEvent: () => onEvent(),
    })
  const host = await start()
  const therapist = { therapist_name: 'Robin Adair', therapist_credential: null }
  const made = await host.call('vault.create', { protection: 'passphrase', passphrase, ...therapist })
  if (!made.ok) throw new Error(made.error.code)
  await host.close()
  const vault = await openVault(
    { folder, keychain: memoryKeychain(), clock: systemClock, log: silentLog, migrations },
    { passphrase },
  )
  fill(vault.db, { sessions, segments: 0 })
  vault.close()
  const core = await start()
  await core.call('vault.unlock', { passphrase })
  await new Promise<void>((synced) => {
    onEvent = () => void isSynced(core).then((is) => is && synced())
    onEvent()
  })
  await core.close()
  return { folder, passphraseFile }
}

/** The vault was filled directly, so the core first sends its records to the embedded service, as after a repair. */
async function isSynced(core: Awaited<ReturnType<typeof startCore>>): Promise<boolean> {
  const status = await core.call('outbox.status', {})
  return status.ok && (status.value as MethodOutput<'outbox.status'>).waiting === 0
}

/** Milliseconds from the start of the process to the day on screen, the browser already open. */
async function firstScreen(sessions: number): Promise<number> {
  const { folder, passphraseFile } = await profileWith(sessions)
  const browser = await chromium.launch(await launchOptions())
  const times: number[] = []
  for (let run = 0; run < runs; run += 1) {
    const page = await browser.newPage()
    const begin = performance.now()
    const preview = await startPreview({ profile: folder, passphraseFile })
    await page.goto(preview.address)
    await page.getByRole('heading', { level: 1, name: /\d/ }).waitFor()
    times.push(performance.now() - begin)
    await page.close()
    await preview.close()
  }
  await browser.close()
  rmSync(folder, { recursive: true })
  return percentile(times, 0.5)
}

const few = await firstScreen(10)
const many = await firstScreen(10_000)
report('start to first screen, 10 sessions kept', few, 'ms', 2000)
report('start to first screen, 10,000 sessions kept', many, 'ms', 2500)
report('first screen, 10,000 sessions against 10', many / few, 'times', 1.5)
