import { readFileSync } from 'node:fs'
import { type BrowserContext, expect, type Page } from '@playwright/test'
import { openBrowser, refuseNetwork } from '#test/support/chromium.ts'
import { type Preview, startPreview } from '#test/support/preview.ts'
import { wavSeconds } from '#test/support/wav.ts'
import { addClient, bookSession, openLastSession, setSpeechService } from './office.ts'
import * as therapist from './therapist.ts'

export interface Job {
  /** Where the app keeps everything. */
  readonly profile: string
  /** The browser's own profile. */
  readonly browserProfile: string
  /** What the microphone hears. */
  readonly wav: string
  /** Who says what in it, as a line `T<TAB>words` or `C<TAB>words` for each turn. */
  readonly dialogue: string
  readonly speechAddress: string
  readonly client: string
  /** Then a turn is corrected too, and words are typed letter by letter. Called while they stand in their field. */
  readonly beforeKeeping?: (page: Page) => Promise<void>
}

export interface Outcome {
  /** What the recogniser heard, turn by turn. */
  readonly turns: readonly string[]
  /** What was typed and must be in the exports. */
  readonly typed: { readonly mark: string; readonly sentence: string; readonly addendum: string; readonly reason: string }
  readonly note: string
  readonly pdf: Buffer
  readonly docx: Buffer
  readonly text: string
}

export const typed = {
  mark: 'Hands unclenched here',
  correction: 'The orchard gate was painted vermilion.',
  sentence: 'Client brought the filled diary along on quarto paper.',
  addendum: 'The diary had eleven entries when counted afterwards.',
  reason: 'Counted only after signing',
} as const

export interface Window {
  readonly context: BrowserContext
  readonly page: Page
  readonly preview: Preview
  readonly refused: readonly string[]
  readonly faults: readonly string[]
  close(): Promise<void>
}

/** Starts the app as it was built, and a browser with a WAV as microphone that may go nowhere but to this machine. */
export async function openWindow(
  job: Pick<Job, 'profile' | 'browserProfile' | 'wav'> & { readonly timeZone?: string },
): Promise<Window> {
  const preview = await startPreview({ profile: job.profile })
  const context = await openBrowser(job.browserProfile, job.wav, job.timeZone)
  const refused = await refuseNetwork(context)
  const faults = therapist.watchFaults(context)
  await context.grantPermissions(['clipboard-read', 'clipboard-write', 'microphone'])
  const page = context.pages()[0] ?? (await context.newPage())
  await page.goto(preview.address)
  return {
    context,
    page,
    preview,
    refused,
    faults,
    async close() {
      await context.close()
      await preview.close()
    },
  }
}

/** From an empty profile to a signed and exported note with an addendum. */
export async function doMainJob(page: Page, job: Job): Promise<Outcome> {
  const seconds = wavSeconds(job.wav)
  await therapist.makeRecords(page, 'Robin Kay')
  await setSpeechService(page, job.speechAddress)
  await addClient(page, job.client)
  await bookSession(page, job.client)
  await therapist.giveConsent(page)
  await therapist.record(page, { seconds, mark: typed.mark })
  const turns = await therapist.transcribe(page, seconds)
  await therapist.nameVoices(page, speakersOf(turns, job.dialogue))
  const beforeKeeping = job.beforeKeeping && (() => job.beforeKeeping!(page))
  if (beforeKeeping) await therapist.correctTurn(page, typed.correction, beforeKeeping)
  await therapist.draft(page)
  await therapist.addSentence(page, typed.sentence, beforeKeeping)
  await therapist.lookAtEverything(page)
  await therapist.sign(page)
  await therapist.addAddendum(page, typed.addendum, typed.reason)
  const pdf = await (await therapist.exportAs(page, 'PDF')).path()
  const docx = await (await therapist.exportAs(page, 'Word (.docx)')).path()
  const text = await therapist.copyAsText(page)
  const note = await page.getByRole('tabpanel').innerText()
  return { turns, typed, note, pdf: readFileSync(pdf), docx: readFileSync(docx), text }
}

/** A therapist would know whose words these are: those of the line with the most words in common. */
function speakersOf(turns: readonly string[], dialogue: string): ('therapist' | 'client')[] {
  const lines = dialogue
    .trim()
    .split('\n')
    .map((line) => ({
      speaker: line.startsWith('C') ? ('client' as const) : ('therapist' as const),
      words: wordsOf(line.slice(2)),
    }))
  return turns.map((turn) => {
    const heard = wordsOf(turn)
    const common = (words: ReadonlySet<string>): number =>
      [...heard].filter((word) => words.has(word)).length / Math.sqrt(words.size)
    return lines.reduce((best, line) => (common(line.words) > common(best.words) ? line : best)).speaker
  })
}

function wordsOf(text: string): Set<string> {
  return new Set(text.toLowerCase().match(/[a-z']+/g) ?? [])
}

/** What stands in the window after everything was closed and opened again. */
export async function expectStillThere(page: Page, job: Job, before: Outcome): Promise<void> {
  await therapist.unlock(page)
  await openLastSession(page, job.client)
  await page.getByRole('tab', { name: 'Note' }).click()
  await expect(page.getByText(typed.sentence)).toBeVisible()
  await expect(page.getByText(typed.addendum)).toBeVisible()
  await page.getByRole('button', { name: 'Verify signature' }).click()
  await expect(page.getByText('Verified. The note hasn’t changed since it was signed.')).toBeVisible()
  await page.getByRole('tab', { name: 'Transcript' }).click()
  const turns = await therapist.transcribe(page, 0)
  expect(turns).toEqual(before.turns)
  await expect(page.getByText(/^The recording was deleted on .+ at .+\. Receipt 0001\.$/)).toBeVisible()
  await expect(page.getByRole('button', { name: 'Play', exact: true })).toHaveCount(0)
}
