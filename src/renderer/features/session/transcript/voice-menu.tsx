import { ArrowLeftRight, Merge, UserRoundPen } from 'lucide-react'
import type { Segment } from '#contract/model/transcript.ts'
import { transcriptWords as words } from '#renderer/strings/transcript.ts'
import { IconButton } from '#renderer/ui/button.tsx'
import { Menu } from '#renderer/ui/menu.tsx'
import { inSentence, soundingLike, type Voice } from './speakers.ts'
import type { TranscriptModel } from './use-turns.ts'

export function VoiceMenu({ voice, voices, label, regroup }: TranscriptModel & { readonly voice: Voice }) {
  const others = voices.filter(({ id }) => id !== voice.id)
  if (others.length === 0) return null
  return (
    <Menu
      label={words.changeVoice(label(voice))}
      trigger={<IconButton label={words.changeVoice(label(voice))} icon={UserRoundPen} size="row" />}
      entries={[
        ...others.map((other) => ({
          id: `swap-${other.id}`,
          label: words.swapWith(inSentence(other, label)),
          icon: ArrowLeftRight,
          onAction: () => regroup.swap(voice, other),
        })),
        ...others.map((other, index) => ({
          id: `merge-${other.id}`,
          label: words.allSaidBy(inSentence(other, label)),
          icon: Merge,
          startsGroup: index === 0,
          onAction: () => regroup.merge(voice.id, other),
        })),
      ]}
    />
  )
}

type TurnMenuProps = TranscriptModel & { readonly segment: Segment; readonly speaker: Voice }

export function TurnVoiceMenu({ segment, speaker, transcript, voices, label, turns, regroup }: TurnMenuProps) {
  const others = voices.map((voice, index) => ({ voice, key: String(index + 1) })).filter(({ voice }) => voice.id !== speaker.id)
  if (others.length === 0) return null
  const alike = soundingLike(transcript, segment.id)
  return (
    <Menu
      label={words.who}
      trigger={<IconButton className="turn-change-voice" label={words.who} icon={UserRoundPen} size="row" />}
      entries={[
        ...others.map(({ voice, key }) => ({
          id: `turn-${voice.id}`,
          label: words.thisTurn(label(voice)),
          ...(Number(key) <= 4 ? { shortcut: key } : {}),
          onAction: () => turns.giveOne(segment.id, voice),
        })),
        ...(alike.length > 1 ? others : []).map(({ voice }, index) => ({
          id: `alike-${voice.id}`,
          label: words.alikeTurns(alike.length - 1, label(voice)),
          startsGroup: index === 0,
          onAction: () => void regroup.give(alike, voice),
        })),
        ...others.map(({ voice }, index) => ({
          id: `all-${voice.id}`,
          label: words.everyTurn(label(voice)),
          startsGroup: index === 0,
          onAction: () => regroup.merge(speaker.id, voice),
        })),
      ]}
    />
  )
}
