import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from '@playwright/test'
import { unmet } from '#test/support/machine.ts'
import { type SpeechServer, startSpeechServer } from '#test/support/speech-server.ts'
import { doMainJob, expectStillThere, openWindow, type Outcome, typed, type Window } from './main-job.ts'
import { readDocx, readPdf } from './read-files.ts'
import { isHere, shortDialogue, tenMinutes, therapyDialogue, twoPeople } from './speeches.ts'

const isFull = process.env['AFTERWORD_FAULTS'] === 'full'
// The project's own speech stands in where the larger data is not at hand.
const large = [twoPeople, therapyDialogue].filter(isHere)
const speeches = isFull ? [tenMinutes] : large.length > 0 ? large : [shortDialogue]

let speech: SpeechServer
let folder: string
let missing: string | null

test.beforeAll(async () => {
  missing = (await unmet('browser')) ?? (await unmet('recogniser')) ?? (await unmet('pdf-reader'))
  if (isFull) missing ??= (await unmet('speech-maker')) ?? (await unmet('test-data'))
  if (missing === null) speech = await startSpeechServer()
})
test.afterAll(() => speech?.close())
test.beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'afterword-job-'))
})
test.afterEach(() => rmSync(folder, { recursive: true, force: true }))

for (const { name, sound } of speeches) {
  test(`the whole job without a network: ${name}`, async () => {
    test.skip(missing !== null, missing ?? '')
    const job = {
      profile: join(folder, 'profile'),
      browserProfile: join(folder, 'browser'),
      ...sound(folder),
      speechAddress: speech.address,
      client: 'Quillon Ferreira-Ždánská',
    }
    const window = await openWindow(job)
    const done = await closing(window, () => doMainJob(window.page, job))
    expect(done.turns.join(' ').split(' ').length).toBeGreaterThan(10)
    expectExports(done, job.client)

    const again = await openWindow(job)
    await closing(again, () => expectStillThere(again.page, job, done))
    expect([...window.refused, ...again.refused]).toEqual([])
    expect([...window.faults, ...again.faults]).toEqual([])
  })
}

async function closing<Answer>(window: Window, steps: () => Promise<Answer>): Promise<Answer> {
  try {
    return await steps()
  } finally {
    await window.close()
  }
}

function expectExports(done: Outcome, client: string): void {
  const files = { pdf: readPdf(done.pdf), docx: readDocx(done.docx), text: done.text }
  for (const [kind, text] of Object.entries(files)) {
    for (const part of [client, typed.sentence, typed.addendum, typed.reason, 'Robin Kay', 'LMFT 48213']) {
      expect(text, `${kind} holds ${part}`).toContain(part)
    }
  }
}
