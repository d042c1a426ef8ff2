import { readFileSync, readdirSync } from 'node:fs'
import path from 'node:path'
import type { NoteBody, Statement } from '#contract/model/note.ts'
import type { Speaker, SpeakerRole } from '#contract/model/transcript.ts'
import { checkDraft } from '#engines/language/check/check-draft.ts'
import type { CheckSource } from '#engines/language/check/types.ts'
import { repository } from '#test/support/machine.ts'

export interface Case {
  readonly dialogue: string
  readonly isRight: boolean
  readonly kind: string
  readonly section: string
  readonly turns: readonly number[]
  readonly text: string
  readonly finding: Statement['finding']
}

export interface Talk {
  readonly id: string
  readonly source: CheckSource
  readonly cases: readonly Case[]
}

const folder = path.join(import.meta.dirname, '..', 'dialogues')

/** `tuned-`: looked at while the checker was written. `held-`: written beforehand and only counted. */
export function talks(prefix: 'tuned-' | 'held-' | 'fresh-' | 'last-' | 'final-' | 'unseen-'): Talk[] {
  return readdirSync(folder)
    .filter((name) => name.startsWith(prefix))
    .toSorted()
    .map((name) => readTalk(name.replace(/\.txt$/, ''), readFileSync(path.join(folder, name), 'utf8').split('\n')))
}

/**
 * A file: `speaker ID ROLE LABEL`, `client NAME PRONOUNS`, `session START MINUTES`, numbered turns `3 C: text` (or, for
 * speakers and turns, `from FIXTURE`), then `+ section | turns | text [| denied topic]` for a right statement and `- kind | section | turns | text` for a wrong one.
 */
function readTalk(id: string, lines: readonly string[]): Talk {
  const rows = (word: string): string[][] =>
    lines.filter((line) => line.startsWith(`${word} `)).map((line) => line.split(' ').slice(1))
  const [client = []] = rows('client')
  const [session = []] = rows('session')
  const [[fixture = ''] = []] = rows('from')
  const recorded = fixture === '' ? null : readRecorded(fixture)
  const turns =
    recorded?.turns ??
    lines.flatMap((line) => {
      const match = /^(\d+) (\w): (.*)$/.exec(line)
      return match ? [{ at: Number(match[1]), speaker: match[2] ?? '', text: match[3] ?? '' }] : []
    })
  for (const [order, { at }] of turns.entries()) if (order !== at) throw new Error(`${id}: turn ${at} stands at ${order}`)
  return {
    id,
    source: {
      speakers:
        recorded?.speakers ??
        rows('speaker').map(([speaker = '', role = '', ...label]) => ({
          id: speaker,
          role: role as SpeakerRole,
          label: label.join(' '),
        })),
      segments: turns.map(({ at, speaker, text }) => ({
        id: `s${at}`,
        speaker_id: speaker,
        start_ms: at * 5000,
        end_ms: at * 5000 + 4500,
        text,
        confidence: null,
        edited: false,
      })),
      client: {
        id: '018f7f5e-0000-7000-8000-000000000002',
        display_name: client.slice(0, -1).join(' '),
        given_name: client[0] ?? null,
        pronouns: client.at(-1) ?? null,
      },
      session: {
        id: '018f7f5e-0000-7000-8000-000000000001',
        session_type: 'individual',
        modality: 'in_person',
        starts_at: session[0] ?? '',
        duration_minutes: Number(session[1]),
        time_zone: 'UTC',
      },
    },
    cases: lines.flatMap((line) => (/^[+-] /.test(line) ? [readCase(id, line)] : [])),
  }
}

interface Recorded {
  readonly speakers: readonly { readonly id: string; readonly role: SpeakerRole; readonly name: string }[]
  readonly turns: readonly { readonly speaker_id: string; readonly text: string }[]
}

function readRecorded(fixture: string): { speakers: Speaker[]; turns: { at: number; speaker: string; text: string }[] } {
  const file = path.join(repository, 'test', 'fixtures', `${fixture}.json`)
  const { speakers, turns } = JSON.parse(readFileSync(file, 'utf8')) as Recorded
  return {
    speakers: speakers.map(({ id, role, name }) => ({ id, role, label: name })),
    turns: turns.map(({ speaker_id, text }, at) => ({ at, speaker: speaker_id, text })),
  }
}

function readCase(dialogue: string, line: string): Case {
  const parts = line.slice(2).split(' | ')
  const isRight = line.startsWith('+')
  const [kind = '', section = '', turns = '', text = '', finding] = isRight ? ['right', ...parts] : parts
  const [state, ...topic] = (finding ?? '').split(' ')
  return {
    dialogue,
    isRight,
    kind,
    section,
    turns: turns.split(',').map(Number),
    text,
    finding: state === 'denied' || state === 'stated' ? { state, topic: topic.join(' ') } : null,
  }
}

export function statementOf(source: CheckSource, { turns, text, finding }: Pick<Case, 'turns' | 'text' | 'finding'>): Statement {
  return {
    id: `st_${text.length}_${turns.join('_')}`,
    text,
    evidence: turns.flatMap((turn) => {
      const segment = source.segments[turn]
      return segment
        ? [
            {
              segment_id: segment.id,
              start_ms: segment.start_ms,
              end_ms: segment.end_ms,
              quote: segment.text,
              quote_sha256: null,
            },
          ]
        : []
    }),
    support: 'paraphrase',
    origin: 'model',
    finding,
    safety: false,
    confirmed_at: null,
  }
}

export function noteWith(statements: readonly Statement[], section = 'subjective'): NoteBody {
  return {
    session_id: null,
    client_id: null,
    template: 'soap',
    sections: [{ key: section, title: section, statements: [...statements] }],
    unsupported: [],
    omissions: [],
    checks: [],
    engine: { name: 'test', version: '1', model: null },
  }
}

export interface Outcome extends Case {
  readonly verdict: 'keep' | 'mark' | 'drop'
  readonly reason: string
}

export function outcomesOf(talk: Talk): Outcome[] {
  return talk.cases.map((each) => {
    const checked = checkDraft(noteWith([statementOf(talk.source, each)], each.section), talk.source)
    const [dropped] = checked.unsupported
    const kept = checked.sections[0]?.statements[0]
    if (dropped) return { ...each, verdict: 'drop', reason: dropped.reason }
    return { ...each, verdict: kept?.doubt == null ? 'keep' : 'mark', reason: kept?.doubt ?? '' }
  })
}
