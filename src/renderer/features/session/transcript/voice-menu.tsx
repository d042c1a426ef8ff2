import { ArrowLeftRight, Merge, UserRoundPen } from 'lucide-react'
import { transcriptWords as words } from '#renderer/strings/transcript.ts'
import { IconButton } from '#renderer/ui/button.tsx'
import { Menu } from '#renderer/ui/menu.tsx'
import { inSentence, type Voice } from './speakers.ts'
import type { Regroup } from './use-turns.ts'

interface MenuProps {
  readonly voice: Voice
  readonly voices: readonly Voice[]
  readonly label: (voice: Voice) => string
  readonly regroup: Regroup
}

export function VoiceMenu({ voice, voices, label, regroup }: MenuProps) {
  const others = voices.filter(({ id }) => id !== voice.id)
  if (others.length === 0) return null
  return (
    <Menu
      label={words.changeVoice({ name: label(voice) })}
      trigger={<IconButton label={words.changeVoice({ name: label(voice) })} icon={UserRoundPen} size="row" />}
      entries={[
        ...others.map((other) => ({
          id: `swap-${other.id}`,
          label: words.swapWith({ name: inSentence(other, label) }),
          icon: ArrowLeftRight,
          onAction: () => regroup.swap(voice, other),
        })),
        ...others.map((other, index) => ({
          id: `merge-${other.id}`,
          label: words.allSaidBy({ name: inSentence(other, label) }),
          icon: Merge,
          startsGroup: index === 0,
          onAction: () => regroup.merge(voice.id, other),
        })),
      ]}
    />
  )
}

interface TurnMenuProps {
  readonly speaker: Voice
  readonly voices: readonly Voice[]
  readonly label: (voice: Voice) => string
  readonly alike: number
  readonly onVoice: (voice: Voice) => void
  readonly onAlike: (voice: Voice) => void
  readonly onWholeVoice: (voice: Voice) => void
}

export function TurnVoiceMenu({ speaker, voices, label, alike, onVoice, onAlike, onWholeVoice }: TurnMenuProps) {
  const others = voices.map((voice, index) => ({ voice, key: String(index + 1) })).filter(({ voice }) => voice.id !== speaker.id)
  if (others.length === 0) return null
  return (
    <Menu
      label={words.who}
      trigger={<IconButton className="turn-change-voice" label={words.who} icon={UserRoundPen} size="row" />}
      entries={[
        ...others.map(({ voice, key }) => ({
          id: `turn-${voice.id}`,
          label: words.thisTurn({ name: label(voice) }),
          ...(Number(key) <= 4 ? { shortcut: key } : {}),
          onAction: () => onVoice(voice),
        })),
        ...(alike > 1 ? others : []).map(({ voice }, index) => ({
          id: `alike-${voice.id}`,
          label: words.alikeTurns({ more: alike - 1, name: label(voice) }),
          startsGroup: index === 0,
          onAction: () => onAlike(voice),
        })),
        ...others.map(({ voice }, index) => ({
          id: `all-${voice.id}`,
          label: words.everyTurn({ name: label(voice) }),
          startsGroup: index === 0,
          onAction: () => onWholeVoice(voice),
        })),
      ]}
    />
  )
}
