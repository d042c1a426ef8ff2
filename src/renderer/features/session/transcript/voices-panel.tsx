import { ArrowLeftRight, AudioLines, Merge, Play, UserRoundPen, Users } from 'lucide-react'
import { useState } from 'react'
import { unknownVoices } from '#domain/speaker-roles.ts'
import { useAction, useCall } from '#renderer/bridge/use-bridge.ts'
import { formatLength, formatMoment } from '#renderer/strings/time.ts'
import { transcriptWords as words } from '#renderer/strings/transcript.ts'
import { Button, IconButton, LinkButton } from '#renderer/ui/button.tsx'
import { Chip } from '#renderer/ui/chip.tsx'
import { SelectField, TextField } from '#renderer/ui/field.tsx'
import { Menu } from '#renderer/ui/menu.tsx'
import { Notice, Problem } from '#renderer/ui/page.tsx'
import { useToast } from '#renderer/ui/toast.tsx'
import { LocalForm } from '../parts.tsx'
import { chosenRange, hasVoice, inSentence, runOfUnknown, speakerTone, spokenTime } from './speakers.ts'
import type { Voice } from './speakers.ts'
import { worthAListen, type WorthAListen } from './unclear.ts'
import type { TranscriptModel } from './use-turns.ts'

export function VoicesPanel(props: TranscriptModel) {
  const { transcript, voices, player, add } = props
  const left = worthAListen(transcript)
  return (
    <aside className="transcript-aside" aria-label={words.voices} data-region tabIndex={-1}>
      <h2 className="session-aside-title">{words.voices}</h2>
      <VoiceTimes {...props} />
      {transcript.speakers
        .filter((speaker) => speaker.role === 'unknown')
        .map((speaker) => (
          <WhoIs key={speaker.id} {...props} speaker={speaker} />
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
      {left.length === 0 ? <p className="muted">{words.nothingLeft}</p> : <ListenList {...props} left={left} />}
    </aside>
  )
}

function WhoIs({ voices, label, regroup, speaker }: TranscriptModel & { readonly speaker: Voice }) {
  const other: Voice = { id: `other-${speaker.id}`.slice(0, 64), label: speaker.label, role: 'other' }
  const options = voices.map((voice) => ({ value: voice.id, label: label(voice) }))
  return (
    <SelectField
      label={words.voiceIs({ label: speaker.label })}
      placeholder={words.notSaid}
      options={[...options, { value: other.id, label: words.somebodyElse({ label: speaker.label }) }]}
      value={null}
      onChange={(id) => regroup.merge(speaker.id, voices.find((voice) => voice.id === id) ?? other)}
    />
  )
}

function AddVoice({ count, onAdd }: { readonly count: number; readonly onAdd: (voice: Voice) => void }) {
  const [name, setName] = useState<string | null>(null)
  if (name === null) return <LinkButton onPress={() => setName('')}>{words.addVoice}</LinkButton>
  const keep = (): void => {
    if (name.trim() !== '') onAdd({ id: `added-${count + 1}`, label: name.trim(), role: 'other' })
    setName(null)
  }
  return (
    <LocalForm className="add-voice" onSubmit={keep}>
      <TextField label={words.addVoiceName} value={name} onChange={setName} maxLength={80} autoFocus />
      <Button type="submit" label={words.addVoiceKeep} />
    </LocalForm>
  )
}

function ListenList({ left, turns }: TranscriptModel & { readonly left: readonly WorthAListen[] }) {
  return (
    <ul className="listen-list">
      {left.slice(0, 60).map((item) => (
        <li key={item.segment_id} className={item.index === turns.choice.at ? 'listen-row listen-row-chosen' : 'listen-row'}>
          <Button variant="quiet" className="listen-button" onPress={() => turns.play(item)}>
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

function VoiceTimes(props: TranscriptModel) {
  const { transcript, voices, label } = props
  const times = spokenTime(transcript)
  const known = voices.map((voice, index) => ({
    voice,
    ms: times?.get(voice.id) ?? 0,
    look: `voice-square-${speakerTone(transcript, voice) || index + 1}`,
  }))
  const total = known.reduce((sum, entry) => sum + entry.ms, 0)
  return (
    <>
      <ul className="voice-times">
        {known.map(({ voice, ms, look }) => (
          <li key={voice.id}>
            <span className={`voice-square ${look}`} aria-hidden />
            <span>{label(voice)}</span>
            <span className="muted tabular">{times === null ? '' : ms === 0 ? words.notSaid : formatLength(ms)}</span>
            {transcript.segments.some(({ speaker_id }) => speaker_id === voice.id) && <VoiceMenu {...props} voice={voice} />}
          </li>
        ))}
      </ul>
      {total > 0 && (
        <div className="voice-bar" aria-hidden>
          {known.map(({ voice, ms, look }) => (
            <span key={voice.id} className={look} style={{ flexGrow: ms / total }} />
          ))}
        </div>
      )}
    </>
  )
}

function KeepMyVoice({ sessionId }: { readonly sessionId: string }) {
  const voice = useCall('voices.get', {})
  const enroll = useAction('voices.enrollFromSession')
  const toast = useToast()
  if (!voice.data?.ready || (voice.data.enrolled_at !== null && voice.data.usable)) return null
  const onSuccess = (): void => {
    toast({ text: words.keptVoice })
    void voice.refetch()
  }
  return (
    <div className="keep-my-voice">
      <Button
        size="row"
        icon={AudioLines}
        busy={enroll.isPending ? words.keepingVoice : undefined}
        onPress={() => enroll.mutate({ session_id: sessionId }, { onSuccess })}
        label={words.keepVoice}
      />
      <p className="caption">{words.keepVoiceHelp}</p>
      {enroll.error && <Problem code={enroll.error.code} />}
    </div>
  )
}

export function VoicesBanner({ transcript, voices, label, turns }: TranscriptModel) {
  const left = unknownVoices(transcript)
  const { from, to } = chosenRange(turns.choice)
  const current = transcript.segments[turns.choice.at]
  if (left === 0 && to === from) return null
  if (left === 0) {
    const actions = voices.map((voice) => (
      <Button key={voice.id} size="row" onPress={() => turns.give(voice)} label={label(voice)} />
    ))
    return <Notice title={words.chosen({ count: to - from + 1 })} actions={actions} />
  }
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
              <Button
                key={voice.id}
                size="row"
                onPress={() => (to > from ? turns.give(voice) : turns.giveRun(voice))}
                label={
                  to > from
                    ? `${words.chosen({ count: to - from + 1 })}: ${label(voice)}`
                    : words.runAssign({ name: label(voice), more: runOfUnknown(transcript, turns.choice.at).length - 1 })
                }
              />
            ))}
          </span>
        ) : (
          <Button size="row" onPress={turns.toUnassigned} label={words.voicesStart} />
        )
      }
    >
      {words.voicesHelp(voices.map((voice) => (voice.role === 'therapist' ? words.you.toLowerCase() : label(voice))))}{' '}
      {words.selectMore}
    </Notice>
  )
}

function VoiceMenu({ voice, voices, label, regroup }: TranscriptModel & { readonly voice: Voice }) {
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
