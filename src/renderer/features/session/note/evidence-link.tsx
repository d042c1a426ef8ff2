import { ArrowLeftRight, FileX, Pencil, Quote, type LucideIcon } from 'lucide-react'
import { createContext, use } from 'react'
import { Button as AriaButton } from 'react-aria-components'
import type { Statement } from '#contract/model/note.ts'
import { noteWords } from '#renderer/strings/note.ts'
import { formatMoment } from '#renderer/strings/time.ts'
import { evidenceKind, firstMoment, isSourceErased, type EvidenceKind } from './evidence-moments.ts'

const words = noteWords.evidence

export const evidenceIcons: Record<Exclude<EvidenceKind, 'none'>, LucideIcon> = {
  quote: Quote,
  reworded: ArrowLeftRight,
  own: Pencil,
}

/** Names a turn of a transcript without times, "turn 12"; null where there is no transcript. */
export const TurnNames = createContext<(segmentId: string) => string | null>(() => null)

interface EvidenceLinkProps {
  readonly statement: Pick<Statement, 'support' | 'evidence'>
  /** False for a line that only says that nothing was said. */
  readonly isOwn?: boolean
  readonly isSelected: boolean
  /** Shows where it was said, and plays it where there is sound. */
  readonly onShow: () => void
}

export function EvidenceLink({ statement, isSelected, isOwn = true, onShow }: EvidenceLinkProps) {
  const kind = evidenceKind(statement)
  const { evidence } = statement
  const turnName = use(TurnNames)
  if (kind === 'none' || evidence.length === 0) {
    return kind === 'own' && isOwn ? (
      <span className="evidence-own" title={words.own}>
        <Pencil aria-hidden />
        <span className="visually-hidden">{words.own}</span>
      </span>
    ) : null
  }
  const isErased = isSourceErased(evidence)
  const moment = firstMoment(evidence)
  const time = moment === null ? (turnName(evidence[0]?.segment_id ?? '') ?? words.untimed) : formatMoment(moment.start_ms)
  const places = new Set(evidence.map((item) => item.segment_id)).size
  const Icon = isErased ? FileX : evidenceIcons[kind]
  return (
    <AriaButton
      className={isSelected ? 'evidence-link evidence-link-selected' : 'evidence-link'}
      aria-label={(moment === null ? words.nameUntimed : words.name)(time, words.kinds[kind])}
      onPress={() => {
        onShow()
        // In a narrow window the panel stands below the note.
        if (window.matchMedia('(width < 760px)').matches)
          requestAnimationFrame(() => document.querySelector('.evidence')?.scrollIntoView())
      }}
    >
      <Icon aria-hidden />
      {isErased ? words.erased : time}
      {!isErased && places > 1 && words.more(places - 1)}
    </AriaButton>
  )
}
