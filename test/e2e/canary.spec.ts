import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from '@playwright/test'
import { findHeaders, findWords } from '#test/support/canary.ts'
import { unmet } from '#test/support/machine.ts'
import { startSpeechServer } from '#test/support/speech-server.ts'
import { doMainJob, openWindow, typed } from './main-job.ts'
import { shortDialogue } from './speeches.ts'
import { passphrase } from './therapist.ts'

test('after the main job no file holds a name, a word or a sound in the open', async () => {
  const missing = (await unmet('browser')) ?? (await unmet('recogniser'))
  test.skip(missing !== null, missing ?? '')
  const folder = mkdtempSync(join(tmpdir(), 'afterword-canary-job-'))
  const speech = await startSpeechServer()
  const job = {
    profile: join(folder, 'profile'),
    browserProfile: join(folder, 'browser'),
    ...shortDialogue.sound(folder),
    speechAddress: speech.address,
    client: 'Quillon Ferreira-Ždánská',
  }
  try {
    const window = await openWindow(job)
    let turns: readonly string[] = []
    try {
      turns = (await doMainJob(window.page, job)).turns
    } finally {
      // Whatever a crash leaves behind is looked at too: write-ahead logs, half-written files, the browser's own leftovers.
      await window.preview.kill()
      await window.context.close()
    }

    const words = [job.client, 'Quillon', 'Ferreira', passphrase, ...Object.values(typed), ...phrasesOf(turns)]
    // The recogniser's scratch folder and the exported files are outside of both folders, and are the only exceptions.
    expect(findWords(job.profile, words)).toEqual([])
    expect(findHeaders(job.profile)).toEqual([])
    expect(findWords(job.browserProfile, words)).toEqual([])
    expect(window.preview.output()).not.toContain('Quillon')
  } finally {
    await speech.close()
    rmSync(folder, { recursive: true, force: true })
  }
})

/** Runs of four words, long enough not to stand in a browser's own files by chance. */
function phrasesOf(turns: readonly string[]): string[] {
  return turns.flatMap((turn) => {
    const words = turn.split(/\s+/)
    return words.length < 4 ? [] : [words.slice(0, 4).join(' '), words.slice(-4).join(' ')]
  })
}
