import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from '@playwright/test'
import { unmet } from '#test/support/machine.ts'
import { openWindow } from './main-job.ts'
import { addClient, bookSession } from './office.ts'
import { shortDialogue } from './speeches.ts'
import { draft, giveConsent, makeRecords, nameVoices, transcribe } from './therapist.ts'

const turns = 240
const lines = Array.from({ length: turns }, (_, index) =>
  index % 2 === 0
    ? `What came of the plan for evening number ${index}?`
    : `I wrote in the diary on evening ${index} and slept for six hours.`,
)

test('a transcript longer than the window can be given its voices by keyboard alone, turn after turn', async () => {
  const missing = await unmet('browser')
  test.skip(missing !== null, missing ?? '')
  const folder = mkdtempSync(join(tmpdir(), 'afterword-long-'))
  const window = await openWindow({
    profile: join(folder, 'profile'),
    browserProfile: join(folder, 'browser'),
    wav: shortDialogue.wav,
  })
  const { page } = window
  await makeRecords(page, 'Robin Kay')
  await addClient(page, 'Ottoline Brightwater')
  await bookSession(page, 'Ottoline Brightwater')
  await giveConsent(page)
  await page.getByRole('tab', { name: 'Transcript' }).click()
  await page.setInputFiles('input[type=file]', {
    name: 'turns.txt',
    mimeType: 'text/plain',
    buffer: Buffer.from(lines.join('\n\n')),
  })
  const shown = await transcribe(page, 0)
  expect(shown).toEqual(lines)
  await nameVoices(
    page,
    shown.map((line) => (line.endsWith('?') ? 'therapist' : 'client')),
  )
  await draft(page)
  await window.close()
  rmSync(folder, { recursive: true, force: true })
})
