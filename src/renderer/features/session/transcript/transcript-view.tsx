import { useCallback, useMemo, useState } from 'react'
import type { Gap, Mark } from '#contract/model/recording.ts'
import type { Transcript } from '#contract/model/transcript.ts'
import { call, failureCode, download } from '#renderer/bridge/use-bridge.ts'
import { transcriptWords as words, transcriptWords } from '#renderer/strings/transcript.ts'
import { isUnreadable } from '#renderer/sessions/damage.ts'
import { DamagedSound } from '#renderer/sessions/damaged-sound.tsx'
import { Notice } from '#renderer/ui/page.tsx'
import { PlayerAudio, PlayerBar } from '#renderer/audio/waveform.tsx'
import { usePlayer, type Player } from '#renderer/audio/use-player.ts'
import { useName } from '#renderer/lib/names.ts'
import { SaveNotice, useAutosave } from '../notices.tsx'
import { playableId, type SessionData, peopleOf } from '../session-data.ts'
import { speakerOf, speakerTone, unknownVoices, type Voice, firstNameAmong, voiceChoices } from './speakers.ts'
import { Download, Ellipsis, RotateCcw } from 'lucide-react'
import { navigate, sessionPath } from '#renderer/lib/routes.ts'
import { errorSentences } from '#renderer/strings/errors.ts'
import { Button, IconButton } from '#renderer/ui/button.tsx'
import { Menu } from '#renderer/ui/menu.tsx'
import { useToast } from '#renderer/ui/toast.tsx'
import { HeadActions } from '../session-head.tsx'
import { whyNotAgain } from './write-again.ts'
import { TurnList } from './turn-list.tsx'
import { turnAt, worthAListen } from './unclear.ts'
import { useTurns, type Turns, useRegroup } from './use-turns.ts'
import { VoicesPanel, VoicesBanner } from './voices-panel.tsx'
import { useShortcuts } from '../shortcuts.ts'

const noGaps: readonly Gap[] = []
const noMarks: readonly Mark[] = []

interface ViewProps {
  readonly data: SessionData
  readonly transcript: Transcript
  readonly segmentId: string | null
  readonly speechReady: boolean
  readonly onReload: () => Promise<{ data?: { transcript: Transcript | null } | undefined }>
}

export function TranscriptView({ data, transcript: stored, segmentId, speechReady, onReload }: ViewProps) {
  const sessionId = data.row.session.id
  const { state, autosave } = useAutosave(stored, {
    save: ({ version, speakers, segments }) => call('transcripts.save', { session_id: sessionId, version, speakers, segments }),
    merge: (fresh, local) => ({ ...fresh, speakers: local.speakers, segments: local.segments }),
  })
  const transcript = state.record
  const player = usePlayer(playableId(data.recording))
  const first = segmentId === null ? -1 : transcript.segments.findIndex((segment) => segment.id === segmentId)
  const voicing = useVoices(data, transcript)
  const { voices, label } = voicing
  const regroup = useRegroup(transcript, autosave, label)
  const turns = useTurns(transcript, regroup, player, first)
  useTranscriptKeys({ transcript, turns, player, voices }, data.settings.single_key_shortcuts)
  const reload = async (): Promise<void> => {
    const fresh = (await onReload()).data?.transcript
    if (fresh) autosave.replace(fresh)
  }
  const gaps = data.recording?.gaps ?? noGaps
  return (
    <div className="transcript">
      <TranscriptActions data={data} transcript={transcript} speechReady={speechReady} />
      <PlayerAudio player={player} />
      <Sound data={data} transcript={transcript} player={player} />
      <div className="transcript-columns">
        <section className="transcript-main" aria-label={words.list} data-region tabIndex={-1}>
          <div className="transcript-notices">
            <DamagedSound recording={data.recording} row={data.row} />
            {player.hasFailed && <Notice tone="needs" title={words.soundFailed} />}
            <SaveNotice
              save={state.save}
              words={{ ...words, failed: words.saveFailed }}
              onReload={() => void reload()}
              onRetry={() => void autosave.flush()}
            />
            <VoicesBanner transcript={transcript} voices={voices} label={label} turns={turns} />
          </div>
          <TurnList
            transcript={transcript}
            turns={turns}
            {...voicing}
            autosave={autosave}
            regroup={regroup}
            player={player}
            gaps={gaps}
          />
          <KeysLine hasSound={player.source !== null} />
        </section>
        <VoicesPanel
          transcript={transcript}
          {...voicing}
          left={worthAListen(transcript)}
          turns={turns}
          player={player}
          regroup={regroup}
        />
      </div>
    </div>
  )
}

function Sound({ data, transcript, player }: Pick<ViewProps, 'data' | 'transcript'> & { readonly player: Player }) {
  const recordingId = playableId(data.recording)
  return recordingId === null ? (
    <p className="transcript-no-sound muted">{whyNoSound(data)}</p>
  ) : (
    <PlayerBar
      player={player}
      recordingId={recordingId}
      gaps={data.recording?.gaps ?? noGaps}
      marks={data.recording?.marks ?? noMarks}
      laneAt={laneOf(transcript)}
    />
  )
}

function whyNoSound({ recording }: SessionData): string {
  if (recording?.state === 'erased') return words.soundErased
  return isUnreadable(recording) ? words.soundUnreadable : words.noSound
}

function laneOf(transcript: Transcript): ((ms: number) => 0 | 1 | 2) | undefined {
  if (unknownVoices(transcript) > transcript.segments.length / 2) return undefined
  return (ms) => {
    const segment = transcript.segments[turnAt(transcript.segments, ms)]
    if (segment === undefined || (segment.end_ms !== null && ms > segment.end_ms + 1500)) return 0
    const tone = speakerTone(transcript, speakerOf(transcript, segment))
    return tone === 0 ? 0 : tone === 1 ? 1 : 2
  }
}

const { keys } = transcriptWords
const lines: readonly { readonly keys: readonly string[]; readonly does: string }[] = [
  { keys: ['Space'], does: keys.play },
  { keys: ['J', 'L'], does: keys.jump },
  { keys: ['E'], does: keys.correct },
  { keys: ['1', '2'], does: keys.speaker },
  { keys: ['N'], does: keys.next },
]
const soundKeys: ReadonlySet<string> = new Set([keys.play, keys.jump])

function KeysLine({ hasSound }: { readonly hasSound: boolean }) {
  return (
    <p className="keys-line">
      {lines
        .filter((line) => hasSound || !soundKeys.has(line.does))
        .map((line) => (
          <span key={line.does}>
            {line.keys.map((key) => (
              <kbd key={key}>{key}</kbd>
            ))}
            {line.does}
          </span>
        ))}
    </p>
  )
}

const JUMP_MS = 5000

interface Keyed {
  readonly transcript: Transcript
  readonly turns: Turns
  readonly player: Player
  readonly voices: readonly Voice[]
}

function useTranscriptKeys({ transcript, turns, player, voices }: Keyed, singleKeys: boolean): void {
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

interface Voices {
  readonly voices: readonly Voice[]
  readonly label: (voice: Voice) => string
  readonly shortLabel: (voice: Voice) => string
  readonly add: (voice: Voice) => void
}

function useVoices(data: SessionData, transcript: Transcript): Voices {
  const name = useName()
  const [added, setAdded] = useState<readonly Voice[]>([])
  const { row, settings } = data
  const { speakers } = transcript
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

interface ActionsProps {
  readonly data: SessionData
  readonly transcript: Transcript
  readonly speechReady: boolean
}

function TranscriptActions({ data, transcript, speechReady }: ActionsProps) {
  // The captions format (VTT) needs times.
  const hasTimes = transcript.segments.some(({ start_ms }) => start_ms !== null)
  const toast = useToast()
  const sessionId = data.row.session.id
  const orTell = async (work: () => Promise<void>): Promise<void> => {
    try {
      await work()
    } catch (failure) {
      toast({ text: errorSentences[failureCode(failure)].happened, kind: 'told' })
    }
  }
  const save = (format: 'txt' | 'vtt' | 'json'): Promise<void> =>
    orTell(async () => {
      download(await call('exports.transcript', { session_id: sessionId, format }))
      toast({ text: words.exported, kind: 'told' })
    })
  const writeAgain = (): Promise<void> => orTell(async () => void (await call('transcripts.request', { session_id: sessionId })))
  return (
    <HeadActions>
      <Menu
        label={words.export}
        trigger={<Button icon={Download}>{words.export}</Button>}
        entries={(['txt', ...(hasTimes ? (['vtt'] as const) : []), 'json'] as const).map((format) => ({
          id: format,
          label: words.exports[format],
          onAction: () => void save(format),
        }))}
      />
      <More whyNot={whyNotAgain(data, transcript, speechReady)} onAgain={() => void writeAgain()} />
      <Button variant="filled" onPress={() => navigate(sessionPath(sessionId, 'note'))}>
        {words.toNote}
      </Button>
    </HeadActions>
  )
}

/** Hidden if there is nothing to transcribe again or no engine to do it. Disabled with a reason if work would be lost. */
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
