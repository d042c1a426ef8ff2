import { createContext, use } from 'react'
import type { Evidence } from '#contract/model/note.ts'
import type { Transcript } from '#contract/model/transcript.ts'
import { PlayPart } from '#renderer/audio/player-bar.tsx'
import type { Player } from '#renderer/audio/use-player.ts'
import { navigate, sessionPath } from '#renderer/lib/routes.ts'
import { insightWords } from '#renderer/strings/insights.ts'
import { noteWords } from '#renderer/strings/note.ts'
import { formatMoment } from '#renderer/strings/time.ts'
import { LinkButton } from '#renderer/ui/button.tsx'
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
          <span className="caption">{insightWords.topics.moments(quotes.length)}</span>
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
          <span className="visually-hidden">{words.toTranscript(at)}</span>
        </LinkButton>
      </span>
      <Spoken>{quote}</Spoken>
      {start_ms !== null && <PlayMoment start={start_ms} end={end_ms} label={words.play(formatMoment(start_ms))} />}
    </span>
  )
}

export function PlayMoment(part: { readonly start: number; readonly end: number | null; readonly label: string }) {
  const place = use(PlaceContext)
  return place && <PlayPart {...part} player={place.player} stop={words.stop} size="row" variant="outlined" />
}

function turnOf(transcript: Transcript | null, segmentId: string): string {
  const at = transcript?.segments.findIndex(({ id }) => id === segmentId) ?? -1
  return at < 0 ? words.untimed : noteWords.evidence.turn(at + 1)
}
