import { Info, ListVideo, Pause, Pencil, Play, ArrowLeftRight, FileX, Quote, type LucideIcon } from 'lucide-react'
import { isAbsence } from '#domain/note-review.ts'
import type { Note, Statement } from '#contract/model/note.ts'
import type { Transcript } from '#contract/model/transcript.ts'
import { useName } from '#renderer/lib/names.ts'
import { navigate, sessionPath } from '#renderer/lib/routes.ts'
import { noteWords } from '#renderer/strings/note.ts'
import { listOfNames } from '#renderer/strings/lists.ts'
import { transcriptWords } from '#renderer/strings/transcript.ts'
import { Button, IconButton } from '#renderer/ui/button.tsx'
import { Spoken } from '#renderer/ui/spoken.tsx'
import { formatLength, formatMoment } from '#renderer/strings/time.ts'
import { useIsLost } from '#renderer/sessions/lost-parts.ts'
import type { SessionData } from '../session-data.ts'
import { speakerOf, speakerTone } from '../transcript/speakers.ts'
import type { Player } from '#renderer/audio/use-player.ts'
import { createContext, use } from 'react'
import { Button as AriaButton } from 'react-aria-components'
import {
  evidenceKind,
  isSourceErased,
  isSourceMissing,
  moments,
  type Moment,
  type MomentTurn,
  firstMoment,
  type EvidenceKind,
} from './evidence-moments.ts'
import { evidenceOf, type NoteItem } from './note-items.ts'

const words = noteWords.panel

interface PanelProps {
  readonly data: SessionData
  readonly note: Note
  readonly item: NoteItem | null
  readonly transcript: Transcript | null
  readonly player: Player
  readonly onEdit?: (id: string) => void
  readonly onRemove?: (id: string) => void
}

export function EvidencePanel(props: PanelProps) {
  const { item, transcript, note, data, onEdit, onRemove } = props
  const name = useName()
  const isLost = useIsLost(data.row.session.id, 'transcript')
  const found = item === null ? [] : moments(evidenceOf(item), transcript)
  const first = found[0]?.turns.find((turn) => !turn.isContext)?.segment.id
  return (
    <aside className="evidence" aria-label={words.title} data-region tabIndex={-1}>
      <h2 className="session-aside-title">{words.title}</h2>
      <p className="evidence-lead" aria-live="polite">
        {item === null
          ? `${words.choose} ${props.player.source === null ? words.chooseHelpNoSound : words.chooseHelp}`
          : lead(item, found, { transcript, name, isLost })}
      </p>
      {found.map((moment, index) => (
        <MomentCard key={moment.key} {...props} moment={moment} before={found[index - 1] ?? null} />
      ))}
      {item !== null && (
        <div className="evidence-buttons">
          {first !== undefined && (
            <Button size="row" icon={ListVideo} onPress={() => navigate(sessionPath(data.row.session.id, 'transcript', first))}>
              {words.toTranscript}
            </Button>
          )}
          {item.kind === 'statement' && onEdit !== undefined && (
            <Button size="row" icon={Pencil} onPress={() => onEdit(item.id)}>
              {words.editSentence}
            </Button>
          )}
          {item.kind === 'statement' && onRemove !== undefined && (
            <Button size="row" variant="quiet" onPress={() => onRemove(item.id)}>
              {noteWords.remove}
            </Button>
          )}
        </div>
      )}
      <Legend note={note} isFromTranscript={transcript !== null || hasSource(note)} />
    </aside>
  )
}

interface Naming {
  readonly transcript: Transcript | null
  readonly name: (name: string) => string
  readonly isLost: boolean
}

function lead(item: NoteItem, found: readonly Moment[], { transcript, name, isLost }: Naming): string {
  const evidence = evidenceOf(item)
  if (isSourceErased(evidence)) return words.erased
  if (isSourceMissing(evidence, found)) return isLost ? words.lost : words.otherTranscript
  const speakers = listOfNames([
    ...new Set(
      found.flatMap((moment) =>
        moment.turns.filter((turn) => !turn.isContext).map((turn) => speakerLabel(transcript, turn, name)),
      ),
    ),
  ])
  if (item.kind === 'omission') return words.quote({ speakers })
  const { statement } = item
  if (isAbsence(statement)) return words.notAssessed
  switch (evidenceKind(statement)) {
    case 'own':
      return evidence.length === 0 ? words.ownNoSource : words.own
    case 'none':
      return words.none
    case 'quote':
      return evidence.length === 0 ? words.none : words.quote({ speakers })
    case 'reworded':
      return words.reworded({ count: found.length, speakers })
  }
}

function speakerLabel(transcript: Transcript | null, turn: MomentTurn, name: (name: string) => string): string {
  const speaker = transcript === null ? undefined : speakerOf(transcript, turn.segment)
  if (speaker === undefined || speaker.role === 'unknown') return words.somebody
  return speaker.role === 'therapist' ? transcriptWords.you.toLowerCase() : name(speaker.label)
}

function speakerShort(transcript: Transcript | null, turn: MomentTurn, name: (name: string) => string): string {
  const speaker = transcript === null ? undefined : speakerOf(transcript, turn.segment)
  if (speaker === undefined || speaker.role === 'unknown') return ''
  return speaker.role === 'therapist' ? transcriptWords.you : (name(speaker.label).split(' ')[0] ?? '')
}

interface MomentProps extends PanelProps {
  readonly moment: Moment
  readonly before: Moment | null
}

function MomentCard({ moment, before, player, transcript }: MomentProps) {
  const name = useName()
  const { start_ms, end_ms } = moment
  const isHere = player.isPlaying && start_ms !== null && player.ms >= start_ms - 100 && player.ms <= (end_ms ?? start_ms)
  const share =
    start_ms === null || end_ms === null || end_ms <= start_ms
      ? 0
      : Math.max(0, Math.min(1, (player.ms - start_ms) / (end_ms - start_ms)))
  const gap = before?.end_ms != null && start_ms !== null ? start_ms - before.end_ms : null
  return (
    <div className="moment ui-card">
      <div className="moment-head">
        {player.source !== null && start_ms !== null && (
          <IconButton
            label={isHere ? words.stop : words.play({ time: formatMoment(start_ms) })}
            icon={isHere ? Pause : Play}
            variant={before === null ? 'filled' : 'outlined'}
            className="moment-play"
            onPress={() => (isHere ? player.pause() : player.playFrom(start_ms, end_ms))}
          />
        )}
        <span className="moment-after">
          {gap !== null && gap > 0 ? words.afterwards({ length: formatLength(gap) }) : ''}
          {before === null && player.source !== null && (
            <progress className="ui-progress moment-progress" value={isHere ? share : 0} max={1} aria-hidden />
          )}
        </span>
        {start_ms !== null && end_ms !== null && (
          <span className="muted tabular">{formatLength(Math.max(1000, end_ms - start_ms))}</span>
        )}
      </div>
      {moment.turns.map((turn) => {
        const speaker = transcript === null ? undefined : speakerOf(transcript, turn.segment)
        return (
          <div key={turn.segment.id} className={turn.isContext ? 'moment-turn moment-context' : 'moment-turn'}>
            <span className={`moment-time tabular speaker-${transcript === null ? 0 : speakerTone(transcript, speaker)}`}>
              {turn.segment.start_ms === null ? speakerShort(transcript, turn, name) : formatMoment(turn.segment.start_ms)}
            </span>
            <Spoken>
              {turn.parts.map((part, index) =>
                // oxlint-disable-next-line react/no-array-index-key -- the parts of one text never change order
                part.marked ? <mark key={index}>{part.text}</mark> : part.text,
              )}
            </Spoken>
          </div>
        )
      })}
    </div>
  )
}

const hasSource = ({ sections }: Note): boolean =>
  sections.some(({ statements }) => statements.some(({ evidence }) => evidence.length > 0))

function Legend({ note, isFromTranscript }: { readonly note: Note; readonly isFromTranscript: boolean }) {
  const { quote: QuoteIcon, reworded: RewordedIcon, own: OwnIcon } = evidenceIcons
  const engine = note.engine.model ?? note.engine.name
  return (
    <ul className="evidence-legend">
      <li>
        <QuoteIcon aria-hidden />
        {noteWords.evidence.quote}
      </li>
      <li>
        <RewordedIcon aria-hidden />
        {noteWords.evidence.reworded}
      </li>
      <li>
        <OwnIcon aria-hidden />
        {noteWords.evidence.own}
      </li>
      <li>
        <Info aria-hidden />
        {note.engine.model !== null
          ? noteWords.byModel({ name: engine })
          : isFromTranscript
            ? noteWords.byRules
            : noteWords.byRulesFields}
      </li>
    </ul>
  )
}

const evidenceLinkWords = noteWords.evidence

const evidenceIcons: Record<Exclude<EvidenceKind, 'none'>, LucideIcon> = {
  quote: Quote,
  reworded: ArrowLeftRight,
  own: Pencil,
}

/**
 * Gives the label of a turn by its position, e.g. "turn 12", for transcripts without times. Null if the transcript does not
 * have the turn.
 */
export const TurnNames = createContext<(segmentId: string) => string | null>(() => null)

interface EvidenceLinkProps {
  readonly statement: Pick<Statement, 'support' | 'evidence'>
  readonly isOwn?: boolean
  readonly isSelected: boolean
  readonly onShow: () => void
}

export function EvidenceLink({ statement, isSelected, isOwn = true, onShow }: EvidenceLinkProps) {
  const kind = evidenceKind(statement)
  const { evidence } = statement
  const turnName = use(TurnNames)
  if (kind === 'none' || evidence.length === 0) {
    return kind === 'own' && isOwn ? (
      <span className="evidence-own" title={evidenceLinkWords.own}>
        <Pencil aria-hidden />
        <span className="visually-hidden">{evidenceLinkWords.own}</span>
      </span>
    ) : null
  }
  const isErased = isSourceErased(evidence)
  const moment = firstMoment(evidence)
  const time =
    moment === null ? (turnName(evidence[0]?.segment_id ?? '') ?? evidenceLinkWords.untimed) : formatMoment(moment.start_ms)
  const places = new Set(evidence.map((item) => item.segment_id)).size
  const Icon = isErased ? FileX : evidenceIcons[kind]
  return (
    <AriaButton
      className={isSelected ? 'evidence-link evidence-link-selected' : 'evidence-link'}
      aria-label={(moment === null ? evidenceLinkWords.nameUntimed : evidenceLinkWords.name)({
        at: time,
        kind: evidenceLinkWords.kinds[kind],
      })}
      onPress={() => {
        onShow()
        if (window.matchMedia('(width < 760px)').matches)
          requestAnimationFrame(() => document.querySelector('.evidence')?.scrollIntoView())
      }}
    >
      <Icon aria-hidden />
      {isErased ? evidenceLinkWords.erased : time}
      {!isErased && places > 1 && evidenceLinkWords.more({ count: places - 1 })}
    </AriaButton>
  )
}
