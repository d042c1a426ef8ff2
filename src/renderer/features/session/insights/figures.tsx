import { use } from 'react'
import type { Analysis } from '#contract/model/analysis.ts'
import type { Speaker, Transcript } from '#contract/model/transcript.ts'
import { useName } from '#renderer/lib/names.ts'
import { insightWords } from '#renderer/strings/insights.ts'
import { formatLength, formatMoment } from '#renderer/strings/time.ts'
import { speakerTone } from '../transcript/speakers.ts'
import { PlaceContext, PlayMoment } from './quote-line.tsx'

const words = insightWords.figures

interface FiguresProps {
  readonly analysis: Analysis
  readonly transcript: Transcript | null
}

export function Figures({ analysis, transcript }: FiguresProps) {
  return (
    <div className="figures">
      <WhoSpoke analysis={analysis} transcript={transcript} />
      <Pace analysis={analysis} transcript={transcript} />
      <Silence analysis={analysis} />
    </div>
  )
}

function WhoSpoke({ analysis, transcript }: FiguresProps) {
  const labelOf = useLabel(transcript)
  const shares = Object.entries(analysis.talk_ratio ?? {})
  return (
    <section>
      <h2 className="session-section-title">{words.who}</h2>
      {shares.length === 0 ? (
        <p className="muted">{words.untimed}</p>
      ) : (
        <>
          <div className="shares" aria-hidden>
            {shares.map(([id, share]) => (
              <span key={id} className={`share share-${toneOf(transcript, id)}`} style={{ flexGrow: share }} />
            ))}
          </div>
          <ul className="share-names">
            {shares.map(([id, share]) => (
              <li key={id}>
                <span className={`share-dot share-${toneOf(transcript, id)}`} aria-hidden />
                {words.share(labelOf(id), share)}
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  )
}

function Pace({ analysis, transcript }: FiguresProps) {
  const labelOf = useLabel(transcript)
  return (
    <section>
      <h2 className="session-section-title">{words.pace}</h2>
      <dl className="pace">
        {analysis.pace.map(({ speaker_id, words: count, words_per_minute }) => (
          <div key={speaker_id}>
            <dt>{labelOf(speaker_id)}</dt>
            <dd className="tabular">
              {words_per_minute === null
                ? words.words({ count })
                : `${words.aMinute({ count: words_per_minute })}, ${words.words({ count })}`}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  )
}

function Silence({ analysis }: { readonly analysis: Analysis }) {
  const place = use(PlaceContext)
  const { silence } = analysis
  const longest = silence?.longest ?? null
  return (
    <section>
      <h2 className="session-section-title">{words.silence}</h2>
      <p className="silence">
        {silence === null
          ? words.untimed
          : silence.count === 0
            ? words.noSilence
            : words.silences({ count: silence.count, total: formatLength(silence.total_ms) })}
        {longest !== null && (
          <>
            {' '}
            {words.longest({ length: formatLength(longest.end_ms - longest.start_ms) })}
            {place !== null && (
              <PlayMoment
                player={place.player}
                start={Math.max(0, longest.start_ms - 5_000)}
                end={longest.end_ms}
                label={words.playBefore({ at: formatMoment(longest.start_ms) })}
              />
            )}
          </>
        )}
      </p>
    </section>
  )
}

function speakerWith(transcript: Transcript | null, id: string): Speaker | undefined {
  return transcript?.speakers.find((speaker) => speaker.id === id)
}

function toneOf(transcript: Transcript | null, id: string): number {
  return transcript === null ? 0 : speakerTone(transcript, speakerWith(transcript, id))
}

export function useLabel(transcript: Transcript | null): (id: string) => string {
  const name = useName()
  return (id) => {
    const speaker = speakerWith(transcript, id)
    return speaker?.role === 'therapist' ? words.you : name(speaker?.label ?? id)
  }
}
