import { useState, type ReactNode } from 'react'
import { behaviourSchema, type Analysis, type Behaviour } from '#contract/model/analysis.ts'
import type { Speaker, Transcript } from '#contract/model/transcript.ts'
import { useName } from '#renderer/lib/names.ts'
import { insightWords } from '#renderer/strings/insights.ts'
import { formatLength, formatMoment } from '#renderer/strings/time.ts'
import { LinkButton } from '#renderer/ui/button.tsx'
import { Pairs } from '#renderer/ui/page.tsx'
import { speakerTone } from '../transcript/speakers.ts'
import { PlayMoment, QuoteList } from './quote-line.tsx'

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
  const facts = analysis.pace.map(({ speaker_id, words: count, words_per_minute }) => {
    const aMinute = words_per_minute === null ? '' : `${words.aMinute({ count: words_per_minute })}, `
    return [labelOf(speaker_id), `${aMinute}${words.words({ count })}`] as const
  })
  return (
    <section>
      <h2 className="session-section-title">{words.pace}</h2>
      <Pairs isTabular className="pace" items={facts} />
    </section>
  )
}

function Silence({ analysis }: { readonly analysis: Analysis }) {
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
            <PlayMoment
              start={Math.max(0, longest.start_ms - 5_000)}
              end={longest.end_ms}
              label={words.playBefore({ at: formatMoment(longest.start_ms) })}
            />
          </>
        )}
      </p>
    </section>
  )
}

function speakerWith(transcript: Transcript | null, id: string): Speaker | undefined {
  return transcript?.speakers.find((speaker) => speaker.id === id)
}

const toneOf = (transcript: Transcript | null, id: string): number => speakerTone(transcript, speakerWith(transcript, id))

export function useLabel(transcript: Transcript | null): (id: string) => string {
  const name = useName()
  return (id) => {
    const speaker = speakerWith(transcript, id)
    return speaker?.role === 'therapist' ? words.you : name(speaker?.label ?? id)
  }
}

const behaviourWords = insightWords.behaviours
const MAX_TURNS = 40

export function Part({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <section className="insights-part">
      <h2 className="session-section-title">{title}</h2>
      {children}
    </section>
  )
}

export function Behaviours({ analysis: { behaviours } }: { readonly analysis: Analysis }) {
  const [open, setOpen] = useState<Behaviour | null>(null)
  if (behaviours === null) {
    return (
      <Part title={behaviourWords.title}>
        <p className="muted">{behaviourWords.unknown}</p>
      </Part>
    )
  }
  const most = Math.max(1, ...Object.values(behaviours.counts))
  const ratios = [
    [behaviourWords.ratio, behaviourWords.times(behaviours.reflections_per_question)],
    [behaviourWords.complex, behaviourWords.share(behaviours.complex_share)],
    [behaviourWords.open, behaviourWords.share(behaviours.open_share)],
  ] as const
  return (
    <Part title={behaviourWords.title}>
      <table className="behaviours">
        <caption className="visually-hidden">{behaviourWords.title}</caption>
        <thead className="visually-hidden">
          <tr>
            <th scope="col">{behaviourWords.head.what}</th>
            <th scope="col">{behaviourWords.head.count}</th>
          </tr>
        </thead>
        <tbody>
          {behaviourSchema.options.map((each) => (
            <Row key={each} behaviour={each} count={behaviours.counts[each]} most={most} onOpen={setOpen} />
          ))}
        </tbody>
      </table>
      <Pairs isTabular className="ratios" items={ratios} />
      <p className="caption">{behaviourWords.help}</p>
      {open !== null && (
        <>
          <QuoteList
            title={behaviourWords.turnsOf({ behaviour: behaviourWords.names[open] })}
            evidence={behaviours.turns
              .filter(({ behaviour }) => behaviour === open)
              .flatMap(({ evidence }) => evidence)
              .slice(0, MAX_TURNS)}
          />
          <LinkButton onPress={() => setOpen(null)}>{behaviourWords.hide}</LinkButton>
        </>
      )}
    </Part>
  )
}

interface RowProps {
  readonly behaviour: Behaviour
  readonly count: number
  readonly most: number
  readonly onOpen: (behaviour: Behaviour) => void
}

function Row({ behaviour, count, most, onOpen }: RowProps) {
  return (
    <tr>
      <th scope="row">
        {count === 0 ? (
          behaviourWords.names[behaviour]
        ) : (
          <LinkButton onPress={() => onOpen(behaviour)}>{behaviourWords.names[behaviour]}</LinkButton>
        )}
      </th>
      <td>
        <span className="behaviour-bar" aria-hidden style={{ inlineSize: `${(100 * count) / most}%` }} />
        <span className="tabular">{count}</span>
      </td>
    </tr>
  )
}
