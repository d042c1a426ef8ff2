import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from '@playwright/test'
import { startScriptedChat } from '#test/support/chat-server-scripted.ts'
import { unmet } from '#test/support/machine.ts'
import { openWindow } from './main-job.ts'
import { addClient, bookSession, openSettings } from './office.ts'
import { shortDialogue } from './speeches.ts'
import { giveConsent, makeRecords } from './therapist.ts'

const said = [
  'Therapist: How was the week?',
  'Client: I slept badly, maybe three hours a night.',
  'Therapist: Please keep a sleep diary until next Thursday.',
  'Client: I will keep it every morning.',
].join('\n\n')

const answer = JSON.stringify({
  sections: [
    {
      key: 'subjective',
      statements: [
        {
          text: 'Client sleeps three hours a night.',
          finding: 'stated',
          evidence: [{ segment: 2, quote: 'maybe three hours a night' }],
        },
        { text: 'Client is cured.', finding: 'none', evidence: [{ segment: 2, quote: 'I slept badly' }] },
      ],
    },
  ],
})

test('a model server is chosen, its draft is watched, stopped, refused, and written without AI instead', async () => {
  const missing = await unmet('browser')
  test.skip(missing !== null, missing ?? '')
  const folder = mkdtempSync(join(tmpdir(), 'afterword-writer-'))
  const chat = await startScriptedChat([
    { say: answer, pieces: 60, pause: true },
    { say: '', finish: 'content_filter' },
    { say: answer },
  ])
  const window = await openWindow({
    profile: join(folder, 'profile'),
    browserProfile: join(folder, 'browser'),
    wav: shortDialogue.wav,
  })
  const { page } = window
  await makeRecords(page, 'Robin Kay')
  await openSettings(page, 'Notes and templates')
  const writer = page.locator('section', { has: page.getByRole('heading', { name: 'Draft writer' }) })
  await expect(writer.getByText('It is not AI')).toBeVisible()
  await writer.getByRole('button', { name: /Drafts are written/ }).click()
  await page.getByRole('option', { name: 'By a model server' }).click()
  await writer.getByLabel('Address').fill(chat.address)
  await page.keyboard.press('Tab')
  await expect(writer.getByText('They do not leave it.')).toBeVisible()
  await writer.getByRole('button', { name: 'Test the model server' }).click()
  await expect(writer.getByText('It answers and is ready. No words of a session were sent.')).toBeVisible()

  await addClient(page, 'Ottoline Brightwater')
  await bookSession(page, 'Ottoline Brightwater')
  await giveConsent(page)
  await page.getByRole('tab', { name: 'Transcript' }).click()
  const file = { name: 'turns.txt', mimeType: 'text/plain', buffer: Buffer.from(said) }
  await page.setInputFiles('input[type=file]', file)
  await expect(page.getByText('I slept badly, maybe three hours a night.')).toBeVisible()
  await page.getByRole('tab', { name: 'Note' }).click()
  await expect(page.getByText('The draft is written by an AI model')).toBeVisible()

  await page.getByRole('button', { name: 'Write draft' }).click()
  await expect(page.getByText('Writing the draft…')).toBeVisible()
  await chat.arrived(1)
  await expect(page.getByText(/^[1-9]\d?% done$/).first()).toBeVisible()
  await page.getByRole('button', { name: 'Stop' }).click()
  await chat.aborted(1)
  await expect(page.getByText('The draft was stopped.')).toBeVisible()

  await page.getByRole('button', { name: 'Write draft' }).click()
  await expect(page.getByText('The model declined to write this.')).toBeVisible()
  await page.getByRole('button', { name: 'Write it without AI' }).click()
  await expect(page.getByText('without AI.')).toBeVisible()
  expect(chat.requests).toHaveLength(2)

  await page.getByRole('button', { name: 'More about this note' }).click()
  await page.getByRole('menuitem', { name: 'Draft again…' }).click()
  await page.getByRole('button', { name: 'Draft again', exact: true }).click()
  await expect(page.getByText('An AI model (tiny) drafted this.')).toBeVisible()
  await expect(page.getByText('Client sleeps three hours a night.')).toBeVisible()
  await expect(page.getByText('Read 100 % of the session in one pass.')).toBeVisible()
  await page.getByText('Not in the note, because nothing said bears it out').click()
  await expect(page.getByText('Client is cured.')).toBeVisible()
  expect(window.faults).toEqual([])
  await window.close()
  await chat.close()
  rmSync(folder, { recursive: true, force: true })
})
