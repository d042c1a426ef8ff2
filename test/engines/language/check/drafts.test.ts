import path from 'node:path'
import { describe, expect, test } from 'vitest'
import type { NoteBody } from '#contract/model/note.ts'
import { checkDraft } from '#engines/language/check/check-draft.ts'
import { repository } from '#test/support/machine.ts'
import { dialoguesIn, requestOf } from '../support/dialogue.ts'
import { drafted } from '../support/session.ts'

const folders = ['test/engines/language/dialogues', 'test/fixtures/therapy', 'test/fixtures/therapy-own']

interface Counted {
  readonly statements: number
  readonly alarms: readonly string[]
}

function alarmsIn(before: NoteBody, after: NoteBody): Counted {
  const marked = after.sections
    .flatMap(({ statements }) => statements)
    .flatMap(({ text, doubt }) => (doubt == null ? [] : [`${text} (${doubt})`]))
  const dropped = after.unsupported.slice(before.unsupported.length).map(({ text, reason }) => `${text} (${reason})`)
  return { statements: before.sections.flatMap(({ statements }) => statements).length, alarms: [...dropped, ...marked] }
}

function sum(counts: readonly Counted[]): Counted {
  return {
    statements: counts.reduce((total, { statements }) => total + statements, 0),
    alarms: counts.flatMap(({ alarms }) => alarms),
  }
}

describe('drafts of the rules pass the check', () => {
  test('on sessions of our own at most 2 in 100 statements are taken out or marked, and the rest is as it was', async () => {
    const counts: Counted[] = []
    for (const dialogue of folders.flatMap((folder) => dialoguesIn(path.join(repository, folder)))) {
      const request = requestOf(dialogue, 'soap')
      const before = await drafted(request)
      const after = checkDraft(before, request)
      counts.push(alarmsIn(before, after))
      const texts = new Set(before.sections.flatMap(({ statements }) => statements.map(({ text }) => text)))
      expect(after.sections.flatMap(({ statements }) => statements).every(({ text }) => texts.has(text))).toBe(true)
    }
    const { statements, alarms } = sum(counts)
    process.stdout.write(`sessions of our own: ${alarms.length} of ${statements} statements taken out or marked\n`)
    expect(alarms.length / statements, alarms.join('\n')).toBeLessThanOrEqual(0.02)
  })
})
