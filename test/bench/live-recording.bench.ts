/**
 * A minute recorded in the whole app, microphone to disk: what the process that holds the records uses, all its
 * threads and the socket included. The processor's time is read from the system (Linux).
 */
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { addClient, bookSession } from '#test/e2e/office.ts'
import { openWindow } from '#test/e2e/main-job.ts'
import { giveConsent, makeRecords, recordUntil, savedSeconds } from '#test/e2e/therapist.ts'
import { repository } from '#test/support/machine.ts'
import { report } from './records-bench-kit.ts'

const seconds = 60
/** Of /proc/PID/stat on Linux, always 100 a second for user space. */
const ticksPerSecond = 100

interface Use {
  readonly cpuSeconds: number
  readonly residentBytes: number
}

function useOf(processId: number): Use {
  const fields = readFileSync(`/proc/${processId}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
  const resident = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${processId}/status`, 'utf8'))?.[1]
  return {
    cpuSeconds: (Number(fields[11]) + Number(fields[12])) / ticksPerSecond,
    residentBytes: Number(resident) * 1024,
  }
}

if (!existsSync('/proc/self/stat')) throw new Error('this benchmark reads /proc')
const folder = mkdtempSync(join(tmpdir(), 'afterword-live-'))
const profile = join(folder, 'profile')
const wav = join(repository, 'test/fixtures/speech/session.wav')
const { page, preview, close } = await openWindow({ profile, browserProfile: join(folder, 'browser'), wav })
await makeRecords(page, 'Robin Adair')
await addClient(page, 'Maren Voss')
await bookSession(page, 'Maren Voss')
await giveConsent(page)
await page.getByRole('button', { name: 'Start recording' }).click()
await recordUntil(page, 10)
const before = { ...useOf(preview.corePid()), saved: await savedSeconds(page) }
await recordUntil(page, 10 + seconds)
const after = { ...useOf(preview.corePid()), saved: await savedSeconds(page) }
await close()
rmSync(folder, { recursive: true, force: true })

const recorded = after.saved - before.saved
report('core while recording, whole process', ((after.cpuSeconds - before.cpuSeconds) / recorded) * 100, '% of a core', 1)
report('memory growth in a minute of recording', (after.residentBytes - before.residentBytes) / 2 ** 20, 'MB', 10)
