import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { NoteBody } from '#contract/model/note.ts'
import type { LanguagePort } from '#engines/language/port.ts'
import { rulesLanguage } from '#engines/language/rules/engine.ts'
import { repository } from '#test/support/machine.ts'
import { parseCsv } from './csv.ts'
import { scoreNotes } from './notes.ts'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'eval-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

function evaluated(...args: readonly string[]): Promise<{ code: number; output: string; complaint: string }> {
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      [path.join(repository, 'test/eval/eval.ts'), ...args],
      { cwd: repository },
      (error, output, complaint) => resolve({ code: typeof error?.code === 'number' ? error.code : 0, output, complaint }),
    )
  })
}

/** Writes the same three lines whatever it hears, so that every figure can be counted by hand. */
const fixedWriter: LanguagePort = {
  engine: { name: 'fixed', version: '1', model: null },
  draft: async (request): Promise<NoteBody> => ({
    session_id: null,
    client_id: null,
    template: request.template,
    sections: [
      {
        key: 'plan',
        title: 'Plan',
        statements: [
          statement('The patient sleeps badly.', 'I sleep badly'),
          statement('The patient is cured.', 'never said'),
          { ...statement('Nothing bears this out.', ''), evidence: [] },
        ],
      },
    ],
    unsupported: [{ text: 'given up', reason: 'number not found in its evidence' }],
    omissions: [],
    checks: [],
    engine: fixedWriter.engine,
  }),
  draftFromData: () => Promise.reject(new Error('not asked here')),
}

function statement(text: string, quote: string): NoteBody['sections'][number]['statements'][number] {
  return {
    id: text,
    text,
    evidence: [{ segment_id: 'line-1', start_ms: null, end_ms: null, quote, quote_sha256: null }],
    support: 'paraphrase',
    origin: 'rules',
    finding: null,
    safety: false,
    confirmed_at: null,
  }
}

test('a known dialogue gives known figures', async () => {
  const rows = parseCsv(
    'id,dialogue,note\n1,"Doctor: How are you?\nPatient: I sleep badly.","Plan\nThe patient sleeps badly."\n2,no tags here,x\n',
  ).rows
  const score = await scoreNotes(rows, fixedWriter, 'soap')
  // 13 words written, 5 in the reference, 5 in common: F1 = 2 * 5 / 18; word pairs 12 and 4, 4 in common: 8 / 16.
  expect(score.r1).toBeCloseTo(10 / 18, 10)
  expect(score.r2).toBeCloseTo(8 / 16, 10)
  expect(score.length).toBeCloseTo(13 / 5, 10)
  expect(score.evidence).toBe(0.5)
  expect(score.unsupported).toBe(2)
  expect(score.skipped).toEqual(['2: no line names who speaks'])
})

test('a folder of dialogues is scored file by file, every quotation valid', async () => {
  writeFileSync(
    path.join(folder, 'sessions.csv'),
    'id,dialogue,note\n1,"Therapist: How was the week?\nClient: I slept badly after the interview.","Client slept badly after the interview."\n',
  )
  const { output, code } = await evaluated(folder, '--json')
  const result = JSON.parse(output) as { files: { r1: number; evidence: number }[]; mean: { r1: number } }
  expect(code).toBe(0)
  expect(result.files[0]?.r1).toBeGreaterThan(0.2)
  expect(result.mean.r1).toBe(result.files[0]?.r1)
  expect(result.files[0]?.evidence).toBe(1)
})

test('files of another kind are left out and said so; a folder without any is an error in words', async () => {
  writeFileSync(path.join(folder, 'list.csv'), 'name,town\nAda,Kew\n')
  const none = await evaluated(folder)
  expect(none.code).toBe(1)
  expect(none.output).toContain('list.csv\n  left out: it has neither a dialogue and a note column nor labelled utterances')
  expect(none.complaint).toContain('no file here could be scored')
  writeFileSync(path.join(folder, 'broken.csv'), 'dialogue,note\n"Doctor: hi')
  expect((await evaluated(folder)).output).toContain('broken.csv\n  left out: cannot be read: a quotation mark opens on line 2')
  expect((await evaluated(path.join(folder, 'nowhere'))).complaint).toContain('is not there')
  expect((await evaluated()).complaint).toContain('say one folder')
})

test('the draft is the same whether or not it is being scored', async () => {
  const rows = parseCsv('dialogue,note\n"Therapist: How was the week?\nClient: I slept badly after the interview.",x').rows
  const [first, second] = [await scoreNotes(rows, rulesLanguage(), 'dap'), await scoreNotes(rows, rulesLanguage(), 'dap')]
  expect(first.notes[0]?.words).toBe(second.notes[0]?.words)
})
