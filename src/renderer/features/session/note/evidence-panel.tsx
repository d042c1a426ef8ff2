import { ArrowLeftRight, FileX, Info, ListVideo, Pencil, Quote, type LucideIcon } from 'lucide-react'
import { createContext, use, type ReactNode } from 'react'
import { Button as AriaButton } from 'react-aria-components'
import { isAbsence } from '#domain/note-review.ts'
import type { Note, Statement } from '#contract/model/note.ts'
import type { Segment, Transcript } from '#contract/model/transcript.ts'
import { isPlayingPart, PlayPart } from '#renderer/audio/player-bar.tsx'
import type { Player } from '#renderer/audio/use-player.ts'
import { useName } from '#renderer/lib/names.ts'
import { navigate, sessionPath } from '#renderer/lib/routes.ts'
import { useIsLost } from '#renderer/sessions/lost-parts.ts'
import { noteWords } from '#renderer/strings/note.ts'
import { sessionWords } from '#renderer/strings/session.ts'
import { listOfNames } from '#renderer/strings/lists.ts'
import { formatLength, formatMoment } from '#renderer/strings/time.ts'
import { transcriptWords } from '#renderer/strings/transcript.ts'
import { Button } from '#renderer/ui/button.tsx'
import { Spoken } from '#renderer/ui/spoken.tsx'
import { IconText } from '../parts.tsx'
import { useSession } from '../session-data.ts'
import { knownSpeakerOf, speakerTone } from '../transcript/speakers.ts'
import { evidenceKind, firstMoment, isSourceErased, isSourceMissing, moments, type Moment } from './evidence-moments.ts'
import { evidenceOf, type NoteItem } from './note-items.ts'
import { NoteEditingContext } from './use-note-editing.ts'

const words = noteWords.panel

interface PanelProps {
  readonly note: Note
  readonly item: NoteItem | null
  readonly transcript: Transcript | null
  readonly player: Player
  readonly children?: ReactNode
}

export function EvidencePanel({ note, item, transcript, player, children }: PanelProps) {
  const { id } = useSession()
  const editing = use(NoteEditingContext)
  const found = item === null ? [] : moments(evidenceOf(item), transcript)
  const isFromTranscript = transcript !== null || hasSource(note)
  if (!isFromTranscript && note.engine.name === 'typed') {
    return children ? (
      <aside className="evidence" aria-label={noteWords.lastNote.label} data-region tabIndex={-1}>
        {children}
      </aside>
    ) : null
  }
  const first = found[0]?.turns.find((turn) => !turn.isContext)?.segment.id
  return (
    <aside className="evidence" aria-label={words.title} data-region tabIndex={-1}>
      <h2 className="session-aside-title">{words.title}</h2>
      <p className="evidence-lead" aria-live="polite">
        {item === null ? (
          `${words.choose} ${player.source === null ? words.chooseHelpNoSound : words.chooseHelp}`
        ) : (
          <Lead item={item} found={found} transcript={transcript} />
        )}
      </p>
      {found.map((moment, index) => (
        <MomentCard key={moment.key} moment={moment} before={found[index - 1] ?? null} player={player} transcript={transcript} />
      ))}
      {item !== null && (
        <div className="evidence-buttons">
          {first !== undefined && (
            <Button
              size="row"
              icon={ListVideo}
              onPress={() => navigate(sessionPath(id, 'transcript', first))}
              label={words.toTranscript}
            />
          )}
          {item.kind === 'statement' && editing !== null && (
            <>
              <Button size="row" icon={Pencil} onPress={() => editing.startEdit(item.id)} label={words.editSentence} />
              <Button size="row" variant="quiet" onPress={() => editing.remove(item.id)} label={noteWords.remove} />
            </>
          )}
        </div>
      )}
      {children}
      <Legend note={note} isFromTranscript={isFromTranscript} />
    </aside>
  )
}

interface LeadProps {
  readonly item: NoteItem
  readonly found: readonly Moment[]
  readonly transcript: Transcript | null
}

function Lead({ item, found, transcript }: LeadProps) {
  const name = useName()
  const isLost = useIsLost(useSession().id, 'transcript')
  const evidence = evidenceOf(item)
  const turns = found.flatMap((moment) => moment.turns.filter((turn) => !turn.isContext))
  const labelOf = (segment: Segment): string => {
    const speaker = knownSpeakerOf(transcript, segment)
    if (speaker === undefined) return words.somebody
    return speaker.role === 'therapist' ? transcriptWords.you.toLowerCase() : name(speaker.label)
  }
  const speakers = listOfNames([...new Set(turns.map(({ segment }) => labelOf(segment)))])
  if (isSourceErased(evidence)) return words.erased
  if (isSourceMissing(evidence, found)) return isLost ? words.lost : words.otherTranscript
  if (item.kind === 'omission') return words.quote({ speakers })
  if (isAbsence(item.statement)) return words.notAssessed
  switch (evidenceKind(item.statement)) {
    case 'own':
      return evidence.length === 0 ? words.ownNoSource : words.own
    case 'none':
      return words.none
    case 'quote':
      return words.quote({ speakers })
    case 'reworded':
      return words.reworded({ count: found.length, speakers })
  }
}

interface MomentProps extends Pick<PanelProps, 'player' | 'transcript'> {
  readonly moment: Moment
  readonly before: Moment | null
}

function MomentCard({ moment, before, player, transcript }: MomentProps) {
  const name = useName()
  const isDeleted = useSession().recording?.state === 'erased'
  const { start_ms, end_ms } = moment
  const length = start_ms === null || end_ms === null ? null : end_ms - start_ms
  const isHere = start_ms !== null && isPlayingPart(player, start_ms, end_ms)
  const share = isHere && length !== null && length > 0 ? Math.max(0, Math.min(1, (player.ms - start_ms) / length)) : 0
  const gap = before?.end_ms != null && start_ms !== null ? start_ms - before.end_ms : 0
  const shortName = (segment: Segment): string => {
    const speaker = knownSpeakerOf(transcript, segment)
    if (speaker === undefined) return ''
    return speaker.role === 'therapist' ? transcriptWords.you : (name(speaker.label).split(' ')[0] ?? '')
  }
  return (
    <div className="moment ui-card">
      <div className="moment-head">
        {start_ms !== null && (
          <PlayPart
            player={player}
            start={start_ms}
            end={end_ms}
            label={words.play({ time: formatMoment(start_ms) })}
            stop={words.stop}
            variant={before === null ? 'filled' : 'outlined'}
            className="moment-play"
          />
        )}
        <span className="moment-after">
          {isDeleted && sessionWords.audio.audioDeleted} {gap > 0 ? words.afterwards({ length: formatLength(gap) }) : ''}
          {before === null && player.source !== null && (
            <progress className="ui-progress moment-progress" value={share} max={1} aria-hidden />
          )}
        </span>
        {length !== null && <span className="muted tabular">{formatLength(Math.max(1000, length))}</span>}
      </div>
      {moment.turns.map(({ segment, isContext, parts }) => (
        <div key={segment.id} className={isContext ? 'moment-turn moment-context' : 'moment-turn'}>
          <span className={`moment-time tabular speaker-${speakerTone(transcript, knownSpeakerOf(transcript, segment))}`}>
            {segment.start_ms === null ? shortName(segment) : formatMoment(segment.start_ms)}
          </span>
          <Spoken>
            {parts.map((part, index) =>
              // oxlint-disable-next-line react/no-array-index-key -- the parts of one text never change order
              part.marked ? <mark key={index}>{part.text}</mark> : part.text,
            )}
          </Spoken>
        </div>
      ))}
    </div>
  )
}

const hasSource = ({ sections }: Note): boolean =>
  sections.some(({ statements }) => statements.some(({ evidence }) => evidence.length > 0))

const icons = { quote: Quote, reworded: ArrowLeftRight, own: Pencil }

function Legend({ note, isFromTranscript }: { readonly note: Note; readonly isFromTranscript: boolean }) {
  const { name, model } = note.engine
  const writtenBy = isFromTranscript ? noteWords.byRules : noteWords.byRulesFields
  const lines: readonly (readonly [LucideIcon, string])[] = [
    [icons.quote, noteWords.evidence.quote],
    [icons.reworded, noteWords.evidence.reworded],
    [icons.own, noteWords.evidence.own],
    ...(name === 'typed' ? [] : [[Info, model === null ? writtenBy : noteWords.byModel({ name: model })] as const]),
  ]
  return (
    <ul className="evidence-legend">
      {lines.map(([Icon, text]) => (
        <IconText as="li" key={text} icon={Icon} text={text} />
      ))}
    </ul>
  )
}

const linkWords = noteWords.evidence

export const TurnNames = createContext<(segmentId: string) => string | null>(() => null)

interface EvidenceLinkProps {
  readonly statement: Pick<Statement, 'support' | 'evidence'>
  readonly isSelected: boolean
  readonly onShow: () => void
}

export function EvidenceLink({ statement, isSelected, onShow }: EvidenceLinkProps) {
  const kind = evidenceKind(statement)
  const { evidence } = statement
  const turnName = use(TurnNames)
  if (kind === 'none') return null
  if (evidence.length === 0) {
    return (
      <span className="evidence-own" title={linkWords.own}>
        <Pencil aria-hidden />
        <span className="visually-hidden">{linkWords.own}</span>
      </span>
    )
  }
  const isErased = isSourceErased(evidence)
  const moment = firstMoment(evidence)
  const time = moment === null ? (turnName(evidence[0]?.segment_id ?? '') ?? linkWords.untimed) : formatMoment(moment.start_ms)
  const places = new Set(evidence.map((item) => item.segment_id)).size
  const Icon = isErased ? FileX : icons[kind]
  const shown = isErased ? linkWords.erased : `${time}${places > 1 ? linkWords.more({ count: places - 1 }) : ''}`
  return (
    <AriaButton
      className={isSelected ? 'evidence-link evidence-link-selected' : 'evidence-link'}
      aria-label={(moment === null ? linkWords.nameUntimed : linkWords.name)({ at: shown, kind: linkWords.kinds[kind] })}
      onPress={() => {
        onShow()
        if (window.matchMedia('(width < 760px)').matches)
          requestAnimationFrame(() => document.querySelector('.evidence')?.scrollIntoView())
      }}
    >
      <Icon aria-hidden />
      {shown}
    </AriaButton>
  )
}
