import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import type { NoteBody } from '#contract/model/note.ts'
import { checkDraft } from '#service/language/check/check-draft.ts'
import { leftOut } from '#test/support/left-out.ts'
import { repository, testData } from '#test/support/machine.ts'
import { dialoguesIn, requestOf } from '../support/dialogue.ts'
import { drafted } from '../support/session.ts'

const folders = ['test/service/language/dialogues', 'test/fixtures/therapy', 'test/fixtures/therapy-own']
const visits = testData('dialogues', 'aci-bench-valid.csv')

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

  test.skipIf(leftOut('drafts of medical visits against the check', existsSync(visits) ? null : `no ${visits}`))(
    'on medical visits, which are no therapy, at most 6 in 100',
    async () => {
      const counts: Counted[] = []
      for (const dialogue of columnOf(readFileSync(visits, 'utf8'), 'dialogue')) {
        const request = visitOf(dialogue)
        const before = await drafted(request)
        counts.push(alarmsIn(before, checkDraft(before, request)))
      }
      const { statements, alarms } = sum(counts)
      process.stdout.write(`medical visits: ${alarms.length} of ${statements} statements taken out or marked\n`)
      expect(alarms.length / statements, alarms.join('\n')).toBeLessThanOrEqual(0.06)
    },
  )
})

function visitOf(dialogue: string): Parameters<typeof drafted>[0] {
  const segments = dialogue.split('\n').flatMap((line, at) => {
    const match = /^\[([^\]]+)\]\s*(.*)/.exec(line)
    const [, speaker = '', text = ''] = match ?? []
    return match
      ? [{ id: `segment-${at}`, speaker_id: speaker, start_ms: null, end_ms: null, text, confidence: null, edited: false }]
      : []
  })
  const roles = { doctor: 'therapist', patient: 'client' } as const
  return {
    template: 'soap',
    session: null,
    client: null,
    speakers: [...new Set(segments.map(({ speaker_id }) => speaker_id))].map((id) => ({
      id,
      label: id,
      role: roles[id as 'doctor'] ?? 'other',
    })),
    segments,
  }
}

function columnOf(csv: string, name: string): string[] {
  const rows = [...csv.matchAll(/(?:^|[,\n])(?:"((?:[^"]|"")*)"|([^,\n"]*))/g)].map((match) => ({
    opens: match[0].startsWith('\n') || match.index === 0,
    text: (match[1] ?? match[2] ?? '').replaceAll('""', '"'),
  }))
  const lines: string[][] = []
  for (const { opens, text } of rows) {
    if (opens) lines.push([])
    lines.at(-1)?.push(text)
  }
  const at = lines[0]?.indexOf(name) ?? -1
  return lines.slice(1).flatMap((line) => (at >= 0 && line[at] ? [line[at]] : []))
}
