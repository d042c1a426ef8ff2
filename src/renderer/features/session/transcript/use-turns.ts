import { useEffect, useState } from 'react'
import type { Gap } from '#contract/model/recording.ts'
import type { Transcript } from '#contract/model/transcript.ts'
import type { Player } from '#renderer/audio/use-player.ts'
import { transcriptWords as words } from '#renderer/strings/transcript.ts'
import { useToast } from '#renderer/ui/toast.tsx'
import type { Autosave } from '../autosave.ts'
import { afterVoice, chooseTurn, chosenRange, moveChoice, nextWithoutVoice, runOfUnknown, type TurnChoice } from './speakers.ts'
import { giveTurns, inSentence, mergeVoice, swapVoices, takeBack, type Regrouping, type Voice } from './speakers.ts'
import { turnAt, worthAListen, type WorthAListen } from './unclear.ts'

export interface TranscriptModel {
  readonly transcript: Transcript
  readonly autosave: Autosave<Transcript>
  readonly turns: ReturnType<typeof useTurns>
  readonly regroup: Regroup
  readonly player: Player
  readonly gaps: readonly Gap[]
  readonly voices: readonly Voice[]
  readonly label: (voice: Voice) => string
  readonly shortLabel: (voice: Voice) => string
  readonly add: (voice: Voice) => void
}

export function useTurns(transcript: Transcript, regroup: Regroup, player: Player, place: string | null) {
  const indexOfPlace = transcript.segments.findIndex(({ id }) => id === place)
  const [choice, setChoice] = useState<TurnChoice>(chooseTurn(Math.max(0, indexOfPlace)))
  const [shownPlace, setShownPlace] = useState(place)
  // A search result can lead to another turn of the transcript that is already open.
  if (shownPlace !== place) {
    setShownPlace(place)
    if (indexOfPlace >= 0) setChoice(chooseTurn(indexOfPlace))
  }
  const [editing, edit] = useState<string | null>(null)
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
    edit,
    choose: (index: number) => setChoice(chooseTurn(index)),
    move: (step: number, isExtending = false) => setChoice((old) => moveChoice(old, step, segments.length, isExtending)),
    give: (voice: Voice | undefined) => {
      const chosen = segments.slice(from, to + 1).map(({ id }) => id)
      if (voice !== undefined) giveTo(chosen, voice)
    },
    giveRun: (voice: Voice) => giveTo(runOfUnknown(transcript, choice.at), voice),
    giveOne: (segmentId: string, voice: Voice) => giveTo([segmentId], voice),
    toUnassigned: () => setChoice(chooseTurn(nextWithoutVoice(transcript, choice.at))),
    nextToCheck: () => {
      const left = worthAListen(transcript)
      const next = left.find((item) => item.index > choice.at) ?? left[0]
      if (next !== undefined) setChoice(chooseTurn(next.index))
    },
    play: ({ index, start_ms }: Pick<WorthAListen, 'index' | 'start_ms'>) => {
      setChoice(chooseTurn(index))
      if (start_ms !== null) player.playFrom(start_ms)
    },
    playChosen: () => {
      const start = segments[choice.at]?.start_ms ?? null
      if (start !== null) player.playFrom(start)
    },
  }
}

type Regroup = ReturnType<typeof useRegroup>

export function useRegroup(transcript: Transcript, autosave: Autosave<Transcript>, label: (voice: Voice) => string) {
  const toast = useToast()
  const carryOut = (change: (body: Transcript) => Regrouping<Transcript>, text: (changed: number) => string): Transcript => {
    const { body: after, changed } = change(transcript)
    autosave.change((record) => change(record).body)
    const onUndo = (): void => autosave.change((record) => takeBack(record, transcript, after))
    if (changed > 1) toast({ text: text(changed), onUndo })
    return after
  }
  const nowSaidBy = (voice: Voice) => (changed: number) => words.nowSaidBy({ count: changed, name: inSentence(voice, label) })
  return {
    give: (segmentIds: readonly string[], voice: Voice) =>
      carryOut((body) => giveTurns(body, new Set(segmentIds), voice), nowSaidBy(voice)),
    merge: (speakerId: string, voice: Voice) => void carryOut((body) => mergeVoice(body, speakerId, voice), nowSaidBy(voice)),
    swap: (left: Voice, right: Voice) =>
      void carryOut(
        (body) => swapVoices(body, left, right),
        () => words.swapped({ left: label(left), right: inSentence(right, label) }),
      ),
  }
}
