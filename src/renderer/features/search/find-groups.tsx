import { CalendarDays, FileText, MessageSquareQuote, UserRound, type LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import type { NoteHit, WordHit } from '#contract/bridge/library.ts'
import type { MethodOutput } from '#contract/bridge/methods.ts'
import type { SessionRow } from '#contract/bridge/sessions.ts'
import { useName } from '#renderer/lib/names.ts'
import { clientPath, sessionPath } from '#renderer/lib/routes.ts'
import { foundIn } from '#renderer/lib/text.ts'
import { sessionStatus } from '#renderer/sessions/session-status.ts'
import { searchStrings as words } from '#renderer/strings/app.ts'
import { formatClock, formatDate, formatDayAndDate, formatMoment } from '#renderer/strings/time.ts'
import { Spoken } from '#renderer/ui/spoken.tsx'

export interface Hit {
  readonly id: string
  readonly icon: LucideIcon
  readonly text: string
  readonly label?: ReactNode
  readonly detail?: string
  readonly keys?: string
  /** A path, or what to do. */
  readonly open: string | (() => void)
}

/** A command or a setting, found by its text and by other words for it. */
export type Entry = Hit & { readonly also?: readonly string[] }
export type HitGroup = Readonly<{ id: string; title: string; hits: readonly Hit[] }>

interface Sources {
  readonly q: string
  readonly found: MethodOutput<'search.find'> | undefined
  readonly appointments: readonly SessionRow[]
  readonly commands: readonly Entry[]
  readonly settings: readonly Entry[]
}

const MAX_SETTINGS = 6

/** What was found, by kind. Words of notes and transcripts are also grouped by session. */
export function useHitGroups({ q, found, appointments, commands, settings }: Sources): HitGroup[] {
  const nameOf = useName()
  const matching = (entries: readonly Entry[]): Entry[] =>
    entries.filter(({ text, detail = '', also = [] }) => foundIn(q, text, detail, ...also))
  const clients = (found?.clients ?? []).map(({ id, display_name }): Hit => ({
    id,
    icon: UserRound,
    text: nameOf(display_name),
    open: clientPath(id),
  }))
  const groups: HitGroup[] = [
    { id: 'clients', title: words.clients, hits: clients },
    { id: 'appointments', title: words.appointments, hits: appointments.map((row) => appointmentHit(row, nameOf)) },
    { id: 'commands', title: words.commands, hits: matching(commands) },
    { id: 'settings', title: words.settings, hits: q === '' ? [] : matching(settings).slice(0, MAX_SETTINGS) },
    ...bySession('note', found?.notes ?? [], nameOf),
    ...bySession('transcript', found?.words ?? [], nameOf),
  ]
  return groups.filter(({ hits }) => hits.length > 0)
}

type NameOf = (name: string) => string

function appointmentHit(row: SessionRow, nameOf: NameOf): Hit {
  const { id, starts_at } = row.session
  const { chip, tab } = sessionStatus(row)
  const when = `${formatDayAndDate(starts_at)}, ${formatClock(starts_at)}`
  const detail = chip === null ? when : `${when} · ${chip.text}`
  return { id, icon: CalendarDays, text: nameOf(row.client_name), detail, open: sessionPath(id, tab) }
}

const MAX_OF_SESSION = 3

const headings = { note: words.inNote, transcript: words.inTranscript }

function bySession(kind: keyof typeof headings, all: readonly (NoteHit | WordHit)[], nameOf: NameOf): HitGroup[] {
  return [...Map.groupBy(all, ({ session_id }) => session_id)].map(([id, hits]) => {
    const { client_name, starts_at } = hits[0]!
    const rest = hits.slice(MAX_OF_SESSION)
    const more = rest.slice(0, 1).map((hit): Hit => {
      const { id: place, icon, open } = excerptHit(hit)
      return { id: place, icon, text: words.more({ count: rest.length }), open }
    })
    return {
      id: `${kind} ${id}`,
      title: headings[kind]({ name: nameOf(client_name), day: formatDate(starts_at) }),
      hits: [...hits.slice(0, MAX_OF_SESSION).map(excerptHit), ...more],
    }
  })
}

function excerptHit(hit: NoteHit | WordHit): Hit {
  const text = hit.excerpt.map((part) => part.text).join('')
  const label = hit.excerpt.map((part, index) =>
    // oxlint-disable-next-line react/no-array-index-key -- the parts of one excerpt never change order
    part.matched ? <mark key={index}>{part.text}</mark> : <span key={index}>{part.text}</span>,
  )
  if (!('segment_id' in hit))
    return { id: hit.statement_id, icon: FileText, text, label, open: sessionPath(hit.session_id, 'note', hit.statement_id) }
  return {
    id: hit.segment_id,
    icon: MessageSquareQuote,
    text,
    label: <Spoken size="small">{label}</Spoken>,
    ...(hit.start_ms === null ? {} : { detail: formatMoment(hit.start_ms) }),
    open: sessionPath(hit.session_id, 'transcript', hit.segment_id),
  }
}
