import type { Transcript } from '#contract/model/transcript.ts'
import { transcriptWords as words } from '#renderer/strings/transcript.ts'
import { useToast } from '#renderer/ui/toast.tsx'
import type { Autosave } from '../autosave.ts'
import { giveTurns, mergeVoice, swapVoices, takeBack, type Regrouping } from './regroup.ts'
import { inSentence, type Voice } from './speakers.ts'

/** Says who speaks; a change of more than one turn is told, with a way back. */
export interface Regroup {
  give(segmentIds: readonly string[], voice: Voice): Transcript
  /** Every turn of a voice, named or not, is this person's. */
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
        (changed) => words.nowSaidBy(changed, inSentence(voice, label)),
      ),
    merge: (speakerId, voice) =>
      void carryOut(
        (body) => mergeVoice(body, speakerId, voice),
        (changed) => words.nowSaidBy(changed, inSentence(voice, label)),
      ),
    swap: (left, right) =>
      void carryOut(
        (body) => swapVoices(body, left, right),
        () => words.swapped(label(left), inSentence(right, label)),
      ),
  }
}
