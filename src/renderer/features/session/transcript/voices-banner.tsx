import { Users } from 'lucide-react'
import type { Transcript } from '#contract/model/transcript.ts'
import { transcriptWords as words } from '#renderer/strings/transcript.ts'
import { Button } from '#renderer/ui/button.tsx'
import { Notice } from '#renderer/ui/page.tsx'
import { hasVoice, nextWithoutVoice, runOfUnknown, unknownVoices, type Voice } from './speakers.ts'
import { chosenRange } from './turn-choice.ts'
import type { Turns } from './use-turns.ts'

interface BannerProps {
  readonly transcript: Transcript
  readonly voices: readonly Voice[]
  readonly label: (voice: Voice) => string
  readonly turns: Turns
}

/** Who said what is never guessed: it is asked for, and answered quickly. */
export function VoicesBanner({ transcript, voices, label, turns }: BannerProps) {
  const left = unknownVoices(transcript)
  const { from, to } = chosenRange(turns.choice)
  const current = transcript.segments[turns.choice.at]
  if (left === 0) return to > from ? <Chosen count={to - from + 1} voices={voices} label={label} turns={turns} /> : null
  const isNoneKnown = left === transcript.segments.length
  return (
    <Notice
      tone="needs"
      icon={Users}
      title={isNoneKnown ? words.voicesUnknown : words.voicesUnknownSome(left)}
      actions={
        current !== undefined && !hasVoice(transcript, current) ? (
          <span className="voices-run" role="group" aria-label={words.selectMore}>
            {voices.slice(0, 2).map((voice) => (
              <Button key={voice.id} size="row" onPress={() => (to > from ? turns.give(voice) : turns.giveRun(voice))}>
                {to > from
                  ? `${words.chosen(to - from + 1)}: ${label(voice)}`
                  : words.runAssign(label(voice), runOfUnknown(transcript, turns.choice.at).length - 1)}
              </Button>
            ))}
          </span>
        ) : (
          <Button size="row" onPress={() => turns.choose(nextWithoutVoice(transcript, turns.choice.at))}>
            {words.voicesStart}
          </Button>
        )
      }
    >
      {words.voicesHelp(voices.map((voice) => (voice.role === 'therapist' ? words.you.toLowerCase() : label(voice))))}{' '}
      {words.selectMore}
    </Notice>
  )
}

function Chosen({ count, voices, label, turns }: { readonly count: number } & Omit<BannerProps, 'transcript'>) {
  return (
    <Notice
      title={words.chosen(count)}
      actions={voices.map((voice) => (
        <Button key={voice.id} size="row" onPress={() => turns.give(voice)}>
          {label(voice)}
        </Button>
      ))}
    />
  )
}
