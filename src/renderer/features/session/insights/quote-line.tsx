import { ChevronRight } from 'lucide-react'
import { createContext, use, type ReactNode } from 'react'
import type { Analysis } from '#contract/model/analysis.ts'
import type { Evidence } from '#contract/model/note.ts'
import type { Transcript } from '#contract/model/transcript.ts'
import { PlayPart } from '#renderer/audio/player-bar.tsx'
import type { Player } from '#renderer/audio/use-player.ts'
import { navigate, sessionPath } from '#renderer/lib/routes.ts'
import { insightWords } from '#renderer/strings/insights.ts'
import { noteWords } from '#renderer/strings/note.ts'
import { formatMoment } from '#renderer/strings/time.ts'
import { LinkButton } from '#renderer/ui/button.tsx'
import { Chip } from '#renderer/ui/chip.tsx'
import { Spoken } from '#renderer/ui/spoken.tsx'

const words = insightWords.quote

interface Place {
  readonly player: Player
  readonly sessionId: string
  readonly transcript: Transcript | null
}

export const PlaceContext = createContext<Place | null>(null)

export function QuoteList({ title, evidence }: { readonly title?: string; readonly evidence: readonly Evidence[] }) {
  const quotes = evidence.filter(({ quote }) => quote !== null)
  return (
    <div className="quotes">
      {title !== undefined && (
        <div className="quotes-head">
          <h3>{title}</h3>
          <span className="caption">{insightWords.topics.moments({ count: quotes.length })}</span>
        </div>
      )}
      <ul>
        {quotes.map((each) => (
          <li key={`${each.segment_id} ${each.quote}`}>
            <QuoteLine evidence={each} />
          </li>
        ))}
      </ul>
    </div>
  )
}

export function QuoteLine({ evidence }: { readonly evidence: Pick<Evidence, 'start_ms' | 'end_ms' | 'segment_id' | 'quote'> }) {
  const place = use(PlaceContext)
  const { start_ms, end_ms, segment_id, quote } = evidence
  if (place === null) {
    return (
      <span className="quote">
        <Spoken>{quote}</Spoken>
      </span>
    )
  }
  const at = start_ms === null ? turnOf(place.transcript, segment_id) : formatMoment(start_ms)
  return (
    <span className="quote">
      <span className="quote-time tabular">
        <LinkButton onPress={() => navigate(sessionPath(place.sessionId, 'transcript', segment_id))}>
          <span aria-hidden>{at}</span>
          <span className="visually-hidden">{words.toTranscript({ at })}</span>
        </LinkButton>
      </span>
      <Spoken>{quote}</Spoken>
      {start_ms !== null && <PlayMoment start={start_ms} end={end_ms} label={words.play({ at: formatMoment(start_ms) })} />}
    </span>
  )
}

export function PlayMoment(part: { readonly start: number; readonly end: number | null; readonly label: string }) {
  const place = use(PlaceContext)
  return place && <PlayPart {...part} player={place.player} stop={words.stop} size="row" variant="outlined" />
}

function turnOf(transcript: Transcript | null, segmentId: string): string {
  const at = transcript?.segments.findIndex(({ id }) => id === segmentId) ?? -1
  return at < 0 ? words.untimed : noteWords.evidence.turn({ number: at + 1 })
}

interface ListProps {
  readonly title: string
  readonly children: ReactNode
  readonly none: string
  readonly help?: string
  readonly isEmpty: boolean
}

function AsideList({ title, none, help, isEmpty, children }: ListProps) {
  return (
    <section className="aside-part">
      <h2 className="session-aside-title">{title}</h2>
      {isEmpty && <p className="muted">{none}</p>}
      <ul className="next-questions">{children}</ul>
      {!isEmpty && help !== undefined && <p className="caption">{help}</p>}
    </section>
  )
}

interface DetailsProps {
  readonly summary: string
  readonly evidence: readonly Evidence[]
  readonly className?: string
  readonly children?: ReactNode
}

export function QuoteDetails({ summary, evidence, className, children }: DetailsProps) {
  return (
    <details className={className}>
      <summary>
        <ChevronRight aria-hidden />
        <span>{summary}</span>
      </summary>
      {children}
      <QuoteList evidence={evidence} />
    </details>
  )
}

export function NextQuestions({ analysis }: { readonly analysis: Analysis }) {
  const words = insightWords.next
  const questions = analysis.next_questions.filter(({ kind }) => kind !== 'risk')
  return (
    <AsideList title={words.title} none={words.none} help={words.help} isEmpty={questions.length === 0}>
      {questions.map(({ kind, text, rationale, evidence, evidence_of }) => {
        const isFromBefore = evidence_of === 'session_before'
        const details = (
          <QuoteDetails summary={text} evidence={evidence}>
            <p className="caption">{isFromBefore ? `${words.fromBefore} ${rationale}` : rationale}</p>
          </QuoteDetails>
        )
        return <li key={`${kind} ${text}`}>{isFromBefore ? <PlaceContext value={null}>{details}</PlaceContext> : details}</li>
      })}
    </AsideList>
  )
}

export function Homework({ analysis: { homework } }: { readonly analysis: Analysis }) {
  const words = insightWords.homework
  return (
    <AsideList title={words.title} none={words.none} isEmpty={homework.length === 0}>
      {homework.map(({ text, evidence }) => (
        <li key={text}>
          <QuoteDetails summary={text} evidence={evidence} />
        </li>
      ))}
    </AsideList>
  )
}

export function Goals({ analysis: { goals } }: { readonly analysis: Analysis }) {
  const words = insightWords.goals
  return (
    <AsideList title={words.title} none={words.none} isEmpty={goals.length === 0}>
      {goals.map(({ text, evidence, source }) => (
        <li key={`${source} ${text}`}>
          {evidence.length === 0 ? (
            <p className="goal-silent">
              {text} <Chip>{words.notRaised}</Chip>
            </p>
          ) : (
            <QuoteDetails summary={source === 'said' ? `“${text}”` : text} evidence={evidence} />
          )}
        </li>
      ))}
    </AsideList>
  )
}
