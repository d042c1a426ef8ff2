import type { NoteCheck } from '#contract/model/note.ts'
import type { Pass } from './passes.ts'

export interface Coverage {
  readonly read: readonly Pass[]
  readonly unread: readonly Pass[]
  /** Read, and answered with no statement at all. */
  readonly silent: readonly Pass[]
  /** The model counted far fewer tokens than it was sent. */
  readonly is_doubtful: boolean
}

/** About a minute of talk. */
const lettersWorthASentence = 800

/** How much of the session the model was given and answered for: said openly, in every draft. */
export function coverageChecks({ read, unread, silent, is_doubtful }: Coverage, whole: string): NoteCheck[] {
  const checks: NoteCheck[] = []
  const done = lettersOf(read)
  const all = done + lettersOf(unread)
  const share = Math.floor((100 * done) / Math.max(1, all))
  const passes = read.length === 1 ? 'one pass' : `${read.length} passes`
  if (unread.length === 0) checks.push({ code: 'coverage', severity: 'info', message: `Read 100 % of ${whole} in ${passes}.` })
  else {
    const where = unread.slice(0, 10).map(stretchOf).join(', ')
    checks.push({
      code: 'coverage',
      severity: 'needs_you',
      message: `Read ${share} % of ${whole} in ${passes}. The model gave no usable answer for the rest (${where}). Read that part yourself.`,
    })
  }
  const telling = silent.filter(({ letters }) => letters >= lettersWorthASentence)
  if (telling.length > 0)
    checks.push({
      code: 'coverage-silent',
      severity: 'needs_you',
      message: `The model found nothing to write in ${telling.slice(0, 10).map(stretchOf).join(', ')}. Look whether that is so.`,
    })
  if (is_doubtful)
    checks.push({
      code: 'coverage-doubtful',
      severity: 'needs_you',
      message:
        'The model counted far fewer words than it was sent, so it may not have read all of them. Set the context size in Settings to the one its server runs with, and draft again.',
    })
  return checks
}

function lettersOf(passes: readonly Pass[]): number {
  return passes.reduce((sum, pass) => sum + pass.letters, 0)
}

function stretchOf({ lines }: Pass): string {
  const first = lines[0]
  const last = lines.at(-1)
  if (!first || !last) return ''
  const { start_ms } = first.segment
  const { end_ms } = last.segment
  return start_ms === null || end_ms === null
    ? `turns ${first.number} to ${last.number}`
    : `${clockOf(start_ms)} to ${clockOf(end_ms)}`
}

function clockOf(ms: number): string {
  const seconds = Math.floor(ms / 1000)
  const pad = (value: number): string => String(value).padStart(2, '0')
  const hours = Math.floor(seconds / 3600)
  return `${hours > 0 ? `${hours}:` : ''}${pad(Math.floor(seconds / 60) % 60)}:${pad(seconds % 60)}`
}
