import { useEffect, useState } from 'react'
import type { Transcript } from '#contract/model/transcript.ts'
import type { Player } from '#renderer/audio/use-player.ts'
import {
  nextWithoutVoice,
  runOfUnknown,
  type Voice,
  inSentence,
  giveTurns,
  mergeVoice,
  swapVoices,
  takeBack,
  type Regrouping,
  afterVoice,
  chooseTurn,
  chosenRange,
  moveChoice,
  type TurnChoice,
} from './speakers.ts'
import { transcriptWords as words } from '#renderer/strings/transcript.ts'
import { useToast } from '#renderer/ui/toast.tsx'
import type { Autosave } from '../autosave.ts'
import { turnAt, worthAListen } from './unclear.ts'

export interface Turns {
  readonly choice: TurnChoice
  readonly editing: string | null
  choose(index: number): void
  move(step: number, isExtending?: boolean): void
  edit(segmentId: string | null): void
  give(voice: Voice | undefined): void
  giveRun(voice: Voice): void
  giveOne(segmentId: string, voice: Voice): void
  nextToCheck(): void
  playChosen(): void
}

export function useTurns(transcript: Transcript, regroup: Regroup, player: Player, firstIndex: number): Turns {
  const [choice, setChoice] = useState<TurnChoice>(chooseTurn(Math.max(0, firstIndex)))
  const [editing, setEditing] = useState<string | null>(null)
  const { segments } = transcript
  const heard = player.isPlaying ? turnAt(segments, player.ms) : -1
  useEffect(() => {
    if (heard >= 0 && editing === null) setChoice(chooseTurn(heard))
  }, [heard, editing])

  const giveTo = (ids: readonly string[], voice: Voice): void => {
    const last = segments.findLastIndex((segment) => ids.includes(segment.id))
    const after = regroup.give(ids, voice)
    setChoice(afterVoice({ at: last, anchor: last }, nextWithoutVoice(after, last), segments.length, player.isPlaying))
  }
  const { from, to } = chosenRange(choice)
  return {
    choice,
    editing,
    choose: (index) => setChoice(chooseTurn(index)),
    move: (step, isExtending = false) => setChoice((old) => moveChoice(old, step, segments.length, isExtending)),
    edit: setEditing,
    give: (voice) => {
      if (voice !== undefined)
        giveTo(
          segments.slice(from, to + 1).map((segment) => segment.id),
          voice,
        )
    },
    giveRun: (voice) => giveTo(runOfUnknown(transcript, choice.at), voice),
    giveOne: (segmentId, voice) => giveTo([segmentId], voice),
    nextToCheck: () => {
      const left = worthAListen(transcript)
      const next = left.find((item) => item.index > choice.at) ?? left[0]
      if (next !== undefined) setChoice(chooseTurn(next.index))
    },
    playChosen: () => {
      const start = segments[choice.at]?.start_ms ?? null
      if (start !== null) player.playFrom(start)
    },
  }
}

export interface Regroup {
  give(segmentIds: readonly string[], voice: Voice): Transcript
  merge(speakerId: string, voice: Voice): void
  swap(left: Voice, right: Voice): void
}

export function useRegroup(transcript: Transcript, autosave: Autosave<Transcript>, label: (voice: Voice) => string): Regroup {
  const toast = useToast()
  const carryOut = (change: (body: Transcript) => Regrouping<Transcript>, text: (changed: number) => string): Transcript => {
    const before = transcript
    const { body: after, changed } = change(before)
    autosave.change((record) => change(record).body)
    if (changed > 1) toast({ text: text(changed), onUndo: () => autosave.change((record) => takeBack(record, before, after)) })
    return after
  }
  return {
    give: (segmentIds, voice) =>
      carryOut(
        (body) => giveTurns(body, new Set(segmentIds), voice),
        (changed) => words.nowSaidBy({ count: changed, name: inSentence(voice, label) }),
      ),
    merge: (speakerId, voice) =>
      void carryOut(
        (body) => mergeVoice(body, speakerId, voice),
        (changed) => words.nowSaidBy({ count: changed, name: inSentence(voice, label) }),
      ),
    swap: (left, right) =>
      void carryOut(
        (body) => swapVoices(body, left, right),
        () => words.swapped({ left: label(left), right: inSentence(right, label) }),
      ),
  }
}
