import { Play, AudioLines, Users } from 'lucide-react'
import { useState } from 'react'
import type { Transcript } from '#contract/model/transcript.ts'
import { transcriptWords as words } from '#renderer/strings/transcript.ts'
import { Button, LinkButton } from '#renderer/ui/button.tsx'
import { Chip } from '#renderer/ui/chip.tsx'
import { SelectField, TextField } from '#renderer/ui/field.tsx'
import { formatLength, formatMoment } from '#renderer/strings/time.ts'
import type { Player } from '#renderer/audio/use-player.ts'
import { useAction, useCall } from '#renderer/bridge/use-bridge.ts'
import { Problem, Notice } from '#renderer/ui/page.tsx'
import { useToast } from '#renderer/ui/toast.tsx'
import {
  speakerTone,
  spokenTime,
  type Voice,
  hasVoice,
  nextWithoutVoice,
  runOfUnknown,
  unknownVoices,
  chosenRange,
} from './speakers.ts'
import type { Turns, Regroup } from './use-turns.ts'
import { VoiceMenu } from './voice-menu.tsx'
import type { WorthAListen } from './unclear.ts'

interface PanelProps {
  readonly transcript: Transcript
  readonly voices: readonly Voice[]
  readonly label: (voice: Voice) => string
  readonly left: readonly WorthAListen[]
  readonly turns: Turns
  readonly player: Player
  readonly regroup: Regroup
  readonly add: (voice: Voice) => void
}

export function VoicesPanel(props: PanelProps) {
  const { transcript, voices, label, left, turns, player, regroup, add } = props
  return (
    <aside className="transcript-aside" aria-label={words.voices} data-region tabIndex={-1}>
      <h2 className="session-aside-title">{words.voices}</h2>
      <VoiceTimes transcript={transcript} voices={voices} label={label} regroup={regroup} />
      {transcript.speakers
        .filter((speaker) => speaker.role === 'unknown')
        .map((speaker) => (
          <SelectField
            key={speaker.id}
            label={words.voiceIs({ label: speaker.label })}
            placeholder={words.notSaid}
            options={[...voices, somebodyElse(speaker)].map((voice) => ({
              value: voice.id,
              label: voice.id === somebodyElse(speaker).id ? words.somebodyElse({ label: speaker.label }) : label(voice),
            }))}
            value={null}
            onChange={(id) => {
              const voice = [...voices, somebodyElse(speaker)].find((candidate) => candidate.id === id)
              if (voice !== undefined) regroup.merge(speaker.id, voice)
            }}
          />
        ))}
      <p className="caption">{words.voicesPanelHelp}</p>
      <AddVoice count={voices.length} onAdd={add} />
      {player.source !== null &&
        transcript.session_id !== null &&
        transcript.speakers.some(({ role }) => role === 'therapist') && <KeepMyVoice sessionId={transcript.session_id} />}
      <div className="listen-head">
        <h2 className="session-aside-title">{words.listen}</h2>
        {left.length > 0 && (
          <Chip tone="needs" icon={null}>
            {words.left({ count: left.length })}
          </Chip>
        )}
      </div>
      {left.length === 0 ? (
        <p className="muted">{words.nothingLeft}</p>
      ) : (
        <ListenList left={left} turns={turns} player={player} />
      )}
    </aside>
  )
}

const somebodyElse = (speaker: Voice): Voice => ({ id: `other-${speaker.id}`.slice(0, 64), label: speaker.label, role: 'other' })

function AddVoice({ count, onAdd }: { readonly count: number; readonly onAdd: (voice: Voice) => void }) {
  const [name, setName] = useState<string | null>(null)
  if (name === null) return <LinkButton onPress={() => setName('')}>{words.addVoice}</LinkButton>
  return (
    <form
      className="add-voice"
      onSubmit={(event) => {
        event.preventDefault()
        if (name.trim() !== '') onAdd({ id: `added-${count + 1}`, label: name.trim(), role: 'other' })
        setName(null)
      }}
    >
      <TextField label={words.addVoiceName} value={name} onChange={setName} maxLength={80} autoFocus />
      <Button type="submit">{words.addVoiceKeep}</Button>
    </form>
  )
}

function ListenList({ left, turns, player }: Pick<PanelProps, 'left' | 'turns' | 'player'>) {
  return (
    <ul className="listen-list">
      {left.slice(0, 60).map((item) => (
        <li key={item.segment_id} className={item.index === turns.choice.at ? 'listen-row listen-row-chosen' : 'listen-row'}>
          <Button
            variant="quiet"
            className="listen-button"
            onPress={() => {
              turns.choose(item.index)
              if (item.start_ms !== null) player.playFrom(item.start_ms)
            }}
          >
            <span className="listen-time tabular">{item.start_ms === null ? '' : formatMoment(item.start_ms)}</span>
            <span className="listen-what">{reason(item)}</span>
            <Play aria-hidden />
          </Button>
        </li>
      ))}
    </ul>
  )
}

function reason(item: WorthAListen): string {
  if (item.reason === 'words') return words.unclear(item.words)
  return item.reason === 'turn' ? words.unclearTurn : words.unclearVoice
}

function VoiceTimes({ transcript, voices, label, regroup }: Pick<PanelProps, 'transcript' | 'voices' | 'label' | 'regroup'>) {
  const times = spokenTime(transcript)
  const known = voices.map((voice) => ({ voice, ms: times?.get(voice.id) ?? 0 }))
  const total = known.reduce((sum, entry) => sum + entry.ms, 0)
  return (
    <>
      <ul className="voice-times">
        {known.map(({ voice, ms }, index) => (
          <li key={voice.id}>
            <span className={`voice-square voice-square-${speakerTone(transcript, voice) || index + 1}`} aria-hidden />
            <span>{label(voice)}</span>
            <span className="muted tabular">{times === null ? '' : ms === 0 ? words.notSaid : formatLength(ms)}</span>
            {transcript.segments.some((segment) => segment.speaker_id === voice.id) && (
              <VoiceMenu voice={voice} voices={voices} label={label} regroup={regroup} />
            )}
          </li>
        ))}
      </ul>
      {total > 0 && (
        <div className="voice-bar" aria-hidden>
          {known.map(({ voice, ms }, index) => (
            <span
              key={voice.id}
              className={`voice-square-${speakerTone(transcript, voice) || index + 1}`}
              style={{ flexGrow: ms / total }}
            />
          ))}
        </div>
      )}
    </>
  )
}

/** Lets the therapist enroll their voice from this session. This never happens without the therapist's request. */
function KeepMyVoice({ sessionId }: { readonly sessionId: string }) {
  const voice = useCall('voices.get', {})
  const enroll = useAction('voices.enrollFromSession')
  const toast = useToast()
  if (!voice.data?.ready || (voice.data.enrolled_at !== null && voice.data.usable)) return null
  return (
    <div className="keep-my-voice">
      <Button
        size="row"
        icon={AudioLines}
        busy={enroll.isPending ? words.keepingVoice : undefined}
        onPress={() =>
          enroll.mutate(
            { session_id: sessionId },
            {
              onSuccess: () => {
                toast({ text: words.keptVoice })
                void voice.refetch()
              },
            },
          )
        }
      >
        {words.keepVoice}
      </Button>
      <p className="caption">{words.keepVoiceHelp}</p>
      {enroll.error && <Problem code={enroll.error.code} />}
    </div>
  )
}

interface BannerProps {
  readonly transcript: Transcript
  readonly voices: readonly Voice[]
  readonly label: (voice: Voice) => string
  readonly turns: Turns
}

/** Asks the therapist to assign turns without a known speaker. If all are known, offers to change the selected turns. */
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
      title={isNoneKnown ? words.voicesUnknown : words.voicesUnknownSome({ count: left })}
      actions={
        current !== undefined && !hasVoice(transcript, current) ? (
          <span className="voices-run" role="group" aria-label={words.selectMore}>
            {voices.slice(0, 2).map((voice) => (
              <Button key={voice.id} size="row" onPress={() => (to > from ? turns.give(voice) : turns.giveRun(voice))}>
                {to > from
                  ? `${words.chosen({ count: to - from + 1 })}: ${label(voice)}`
                  : words.runAssign({ name: label(voice), more: runOfUnknown(transcript, turns.choice.at).length - 1 })}
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
      title={words.chosen({ count })}
      actions={voices.map((voice) => (
        <Button key={voice.id} size="row" onPress={() => turns.give(voice)}>
          {label(voice)}
        </Button>
      ))}
    />
  )
}
