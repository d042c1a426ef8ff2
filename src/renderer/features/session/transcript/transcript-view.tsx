import type { Gap, Mark } from '#contract/model/recording.ts'
import type { Transcript } from '#contract/model/transcript.ts'
import { call } from '#renderer/bridge/use-bridge.ts'
import { transcriptWords as words } from '#renderer/strings/transcript.ts'
import { DamagedSound, isUnreadable } from '#renderer/sessions/damaged-sound.tsx'
import { Notice } from '#renderer/ui/page.tsx'
import { PlayerAudio, PlayerBar } from '#renderer/audio/player-bar.tsx'
import { SaveNotice } from '../save-notice.tsx'
import { playableId, type SessionData } from '../session-data.ts'
import { useAutosave } from '../use-autosave.ts'
import { usePlayer, type Player } from '#renderer/audio/use-player.ts'
import { KeysLine } from './keys-line.tsx'
import { speakerOf, speakerTone, unknownVoices } from './speakers.ts'
import { TranscriptActions } from './transcript-actions.tsx'
import { TurnList } from './turn-list.tsx'
import { turnAt, worthAListen } from './unclear.ts'
import { useRegroup } from './use-regroup.ts'
import { useTranscriptKeys } from './use-transcript-keys.ts'
import { useTurns } from './use-turns.ts'
import { useVoices } from './use-voices.ts'
import { VoicesBanner } from './voices-banner.tsx'
import { VoicesPanel } from './voices-panel.tsx'

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
            <DamagedSound recording={data.recording} />
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

/** Two lanes once voices are known. */
function laneOf(transcript: Transcript): ((ms: number) => 0 | 1 | 2) | undefined {
  if (unknownVoices(transcript) > transcript.segments.length / 2) return undefined
  return (ms) => {
    const segment = transcript.segments[turnAt(transcript.segments, ms)]
    // Sound in which nobody is written down belongs to nobody's lane.
    if (segment === undefined || (segment.end_ms !== null && ms > segment.end_ms + 1500)) return 0
    const tone = speakerTone(transcript, speakerOf(transcript, segment))
    return tone === 0 ? 0 : tone === 1 ? 1 : 2
  }
}
