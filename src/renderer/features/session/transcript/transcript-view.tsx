import { Download, Ellipsis, RotateCcw } from 'lucide-react'
import { useCallback, useMemo, useState } from 'react'
import type { Gap } from '#contract/model/recording.ts'
import type { Transcript } from '#contract/model/transcript.ts'
import { unknownVoices } from '#domain/speaker-roles.ts'
import type { Player } from '#renderer/audio/use-player.ts'
import { PlayerAudio, PlayerBar } from '#renderer/audio/player-bar.tsx'
import { call, download, failureCode } from '#renderer/bridge/use-bridge.ts'
import { useName } from '#renderer/lib/names.ts'
import { navigate, sessionPath } from '#renderer/lib/routes.ts'
import { isUnreadable } from '#renderer/sessions/damage.ts'
import { DamagedSound } from '#renderer/sessions/damaged-sound.tsx'
import { errorSentences } from '#renderer/strings/errors.ts'
import { transcriptWords as words } from '#renderer/strings/transcript.ts'
import { Button, IconButton } from '#renderer/ui/button.tsx'
import { Menu } from '#renderer/ui/menu.tsx'
import { Notice } from '#renderer/ui/page.tsx'
import { useToast } from '#renderer/ui/toast.tsx'
import { SaveNotice, useAutosave } from '../notices.tsx'
import { peopleOf, playableId, useAudioOutcome, useSession, useSessionPlayer, type SessionData } from '../session-data.ts'
import { HeadActions } from '../session-head.tsx'
import { useShortcuts } from '#renderer/lib/shortcuts.ts'
import { firstNameAmong, knownSpeakerOf, speakerTone, voiceChoices, type Voice } from './speakers.ts'
import { TurnList } from './turn-list.tsx'
import { turnAt, whyNotAgain } from './unclear.ts'
import { useRegroup, useTurns, type TranscriptModel } from './use-turns.ts'
import { VoicesBanner, VoicesPanel } from './voices-panel.tsx'

const noGaps: readonly Gap[] = []

interface ViewProps {
  readonly transcript: Transcript
  readonly segmentId: string | null
  readonly speechReady: boolean
  readonly onReload: () => Promise<{ data?: { transcript: Transcript | null } | undefined }>
}

export function TranscriptView({ transcript: stored, segmentId, speechReady, onReload }: ViewProps) {
  const { id, row, recording, settings } = useSession()
  const { state, autosave } = useAutosave(stored, {
    save: ({ version, speakers, segments }) => call('transcripts.save', { session_id: id, version, speakers, segments }),
    merge: (fresh, local) => ({ ...fresh, speakers: local.speakers, segments: local.segments }),
  })
  const transcript = state.record
  const player = useSessionPlayer()
  const voicing = useVoices(transcript)
  const regroup = useRegroup(transcript, autosave, voicing.label)
  const turns = useTurns(transcript, regroup, player, segmentId)
  const model = { transcript, autosave, player, regroup, turns, gaps: recording?.gaps ?? noGaps, ...voicing }
  useTranscriptKeys(model, settings.single_key_shortcuts)
  const reload = async (): Promise<void> => {
    const fresh = (await onReload()).data?.transcript
    if (fresh) autosave.replace(fresh)
  }
  return (
    <div className="transcript">
      <TranscriptActions transcript={transcript} speechReady={speechReady} />
      <PlayerAudio player={player} />
      <Sound transcript={transcript} player={player} />
      <div className="transcript-columns">
        <section className="transcript-main" aria-label={words.list} data-region tabIndex={-1}>
          <div className="transcript-notices">
            <DamagedSound recording={recording} row={row} />
            {player.hasFailed && <Notice tone="needs" title={words.soundFailed} />}
            <SaveNotice
              save={state.save}
              words={{ ...words, failed: words.saveFailed }}
              onReload={() => void reload()}
              onRetry={() => void autosave.flush()}
            />
            <VoicesBanner {...model} />
          </div>
          <TurnList {...model} />
          <KeysLine hasSound={player.source !== null} />
        </section>
        <VoicesPanel {...model} />
      </div>
    </div>
  )
}

function Sound({ transcript, player }: { readonly transcript: Transcript; readonly player: Player }) {
  const { recording } = useSession()
  const { sentence } = useAudioOutcome()
  return recording === null || playableId(recording) === null ? (
    <p className="transcript-no-sound muted">{recording?.state === 'erased' ? sentence : whyNoSound(recording)}</p>
  ) : (
    <PlayerBar player={player} recording={recording} laneAt={laneOf(transcript)} />
  )
}

const whyNoSound = (recording: SessionData['recording']): string =>
  isUnreadable(recording) ? words.soundUnreadable : words.noSound

function laneOf(transcript: Transcript): ((ms: number) => 0 | 1 | 2) | undefined {
  if (unknownVoices(transcript) > transcript.segments.length / 2) return undefined
  return (ms) => {
    const segment = transcript.segments[turnAt(transcript.segments, ms)]
    if (segment === undefined || (segment.end_ms !== null && ms > segment.end_ms + 1500)) return 0
    const tone = speakerTone(transcript, knownSpeakerOf(transcript, segment))
    return tone === 0 || tone === 1 ? tone : 2
  }
}

const lines = [
  { keys: ['Space'], does: words.keys.play, ofSound: true },
  { keys: ['J', 'L'], does: words.keys.jump, ofSound: true },
  { keys: ['E'], does: words.keys.correct, ofSound: false },
  { keys: ['1', '2'], does: words.keys.speaker, ofSound: false },
  { keys: ['N'], does: words.keys.next, ofSound: false },
]

function KeysLine({ hasSound }: { readonly hasSound: boolean }) {
  return (
    <p className="keys-line">
      {lines
        .filter(({ ofSound }) => hasSound || !ofSound)
        .map(({ keys, does }) => (
          <span key={does}>
            {keys.map((key) => (
              <kbd key={key}>{key}</kbd>
            ))}
            {does}
          </span>
        ))}
    </p>
  )
}

const JUMP_MS = 5000

function useTranscriptKeys({ transcript, turns, player, voices }: TranscriptModel, singleKeys: boolean): void {
  useShortcuts(
    {
      Space: player.toggle,
      j: () => player.seek(player.ms - JUMP_MS),
      l: () => player.seek(player.ms + JUMP_MS),
      e: () => turns.edit(transcript.segments[turns.choice.at]?.id ?? null),
      n: turns.nextToCheck,
      ArrowDown: () => turns.move(1),
      ArrowUp: () => turns.move(-1),
      'Shift+ArrowDown': () => turns.move(1, true),
      'Shift+ArrowUp': () => turns.move(-1, true),
      Enter: turns.playChosen,
      ...Object.fromEntries([1, 2, 3, 4].map((number) => [String(number), () => turns.give(voices[number - 1])])),
    },
    singleKeys,
  )
}

function useVoices({ speakers }: Transcript) {
  const name = useName()
  const [added, setAdded] = useState<readonly Voice[]>([])
  const { row, settings } = useSession()
  const voices = useMemo(() => {
    const known = voiceChoices(speakers, settings.therapist_name, peopleOf(row))
    return [...known, ...added.filter((voice) => !speakers.some((speaker) => speaker.id === voice.id))]
  }, [speakers, settings.therapist_name, row, added])
  const label = useCallback((voice: Voice): string => (voice.role === 'therapist' ? words.you : name(voice.label)), [name])
  const shortLabel = useCallback(
    (voice: Voice): string => (voice.role === 'therapist' ? words.you : name(firstNameAmong(voice, voices))),
    [name, voices],
  )
  const add = useCallback((voice: Voice) => setAdded((before) => [...before, voice]), [])
  return { voices, label, shortLabel, add }
}

function TranscriptActions({ transcript, speechReady }: Pick<ViewProps, 'transcript' | 'speechReady'>) {
  const data = useSession()
  const hasTimes = transcript.segments.some(({ start_ms }) => start_ms !== null)
  const toast = useToast()
  const orTell = async (work: () => Promise<void>): Promise<void> => {
    try {
      await work()
    } catch (failure) {
      toast({ text: errorSentences[failureCode(failure)].happened, kind: 'told' })
    }
  }
  const save = (format: 'txt' | 'vtt' | 'json'): Promise<void> =>
    orTell(async () => {
      download(await call('exports.transcript', { session_id: data.id, format }))
      toast({ text: words.exported, kind: 'told' })
    })
  const writeAgain = (): Promise<void> => orTell(async () => void (await call('transcripts.request', { session_id: data.id })))
  return (
    <HeadActions>
      <Menu
        label={words.export}
        trigger={<Button icon={Download} label={words.export} />}
        entries={(['txt', ...(hasTimes ? (['vtt'] as const) : []), 'json'] as const).map((format) => ({
          id: format,
          label: words.exports[format],
          onAction: () => void save(format),
        }))}
      />
      <More whyNot={whyNotAgain(data, transcript, speechReady)} onAgain={() => void writeAgain()} />
      <Button variant="filled" onPress={() => navigate(sessionPath(data.id, 'note'))} label={words.toNote} />
    </HeadActions>
  )
}

function More({ whyNot, onAgain }: { readonly whyNot: ReturnType<typeof whyNotAgain>; readonly onAgain: () => void }) {
  if (whyNot === 'no-engine' || whyNot === 'no-sound' || whyNot === 'own') return null
  return (
    <Menu
      label={words.more}
      trigger={<IconButton label={words.more} icon={Ellipsis} variant="outlined" />}
      entries={[
        {
          id: 'again',
          label: words.writeAgain,
          detail: whyNot === null ? words.writeAgainHelp : words.whyNotAgain[whyNot],
          icon: RotateCcw,
          isDisabled: whyNot !== null,
          onAction: onAgain,
        },
      ]}
    />
  )
}
