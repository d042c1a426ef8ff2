import { Pause, Play } from 'lucide-react'
import { createContext, use } from 'react'
import type { Evidence } from '#contract/model/note.ts'
import type { Transcript } from '#contract/model/transcript.ts'
import { navigate, sessionPath } from '#renderer/lib/routes.ts'
import type { Player } from '#renderer/audio/use-player.ts'
import { insightWords } from '#renderer/strings/insights.ts'
import { noteWords } from '#renderer/strings/note.ts'
import { IconButton, LinkButton } from '#renderer/ui/button.tsx'
import { Spoken } from '#renderer/ui/spoken.tsx'
import { formatMoment } from '#renderer/strings/time.ts'

const words = insightWords.quote

interface Place {
  readonly player: Player
  readonly sessionId: string
  readonly transcript: Transcript | null
}

/** The session that the quotes come from, or null if it is not the session on this page. */
export const PlaceContext = createContext<Place | null>(null)

interface QuoteListProps {
  readonly title?: string
  readonly evidence: readonly Evidence[]
}

export function QuoteList({ title, evidence }: QuoteListProps) {
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

export function QuoteLine({ evidence }: { readonly evidence: Evidence }) {
  const place = use(PlaceContext)
  const { start_ms, end_ms, segment_id, quote } = evidence
  return (
    <span className="quote">
      {place !== null && (
        <span className="quote-time tabular">
          <LinkButton onPress={() => navigate(sessionPath(place.sessionId, 'transcript', segment_id))}>
            <span aria-hidden>{start_ms === null ? turnOf(place.transcript, segment_id) : formatMoment(start_ms)}</span>
            <span className="visually-hidden">
              {words.toTranscript({ at: start_ms === null ? turnOf(place.transcript, segment_id) : formatMoment(start_ms) })}
            </span>
          </LinkButton>
        </span>
      )}
      <Spoken>{quote}</Spoken>
      {place !== null && start_ms !== null && <PlayMoment player={place.player} start={start_ms} end={end_ms} />}
    </span>
  )
}

export function PlayMoment({
  player,
  start,
  end,
  label,
}: {
  readonly player: Player
  readonly start: number
  readonly end: number | null
  readonly label?: string
}) {
  if (player.source === null) return null
  const isHere = player.isPlaying && player.ms >= start - 100 && player.ms <= (end ?? start + 5_000)
  return (
    <IconButton
      size="row"
      variant="outlined"
      label={isHere ? words.stop : (label ?? words.play({ at: formatMoment(start) }))}
      icon={isHere ? Pause : Play}
      onPress={() => (isHere ? player.pause() : player.playFrom(start, end))}
    />
  )
}

function turnOf(transcript: Transcript | null, segmentId: string): string {
  const at = transcript?.segments.findIndex(({ id }) => id === segmentId) ?? -1
  return at < 0 ? words.untimed : noteWords.evidence.turn({ number: at + 1 })
}
