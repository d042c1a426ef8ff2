import { MessageSquareWarning } from 'lucide-react'
import { useState } from 'react'
import { cueDecisionSchema, type Analysis, type CueDecision, type RiskCue } from '#contract/model/analysis.ts'
import type { Transcript } from '#contract/model/transcript.ts'
import { useAction } from '#renderer/bridge/use-bridge.ts'
import { insightWords } from '#renderer/strings/insights.ts'
import { formatMoment } from '#renderer/strings/time.ts'
import { Button, LinkButton } from '#renderer/ui/button.tsx'
import { RadioGroup } from '#renderer/ui/choice.tsx'
import { TextField } from '#renderer/ui/field.tsx'
import { Problem } from '#renderer/ui/page.tsx'
import { useSession } from '../session-data.ts'
import { useLabel } from './figures.tsx'
import { QuoteLine } from './quote-line.tsx'

const words = insightWords.cues

interface CuesProps {
  readonly analysis: Analysis
  readonly decisions: readonly CueDecision[]
  readonly transcript: Transcript | null
}

export function Cues({ analysis, decisions, transcript }: CuesProps) {
  const [changing, setChanging] = useState<string | null>(null)
  const cues = analysis.risk_cues
  if (cues.length === 0)
    return (
      <section className="aside-part">
        <h2 className="session-aside-title">{words.title}</h2>
        <p className="muted">{words.none}</p>
      </section>
    )
  const decisionOn = (cue: RiskCue): CueDecision | undefined => decisions.find(({ cue_id }) => cue_id === cue.id)
  const open = cues.find((cue) => cue.id === changing) ?? cues.find((cue) => decisionOn(cue) === undefined)
  const decided = cues.flatMap((cue) => {
    const decision = cue === open ? undefined : decisionOn(cue)
    return decision === undefined ? [] : [{ ...decision, cue }]
  })
  return (
    <section className="aside-part">
      {open && (
        <div className="cue ui-card">
          <div className="cue-head">
            <h2 className="session-aside-title">
              <MessageSquareWarning aria-hidden />
              {words.title}
            </h2>
            <span className="caption tabular">{words.count({ at: cues.indexOf(open) + 1, of: cues.length })}</span>
          </div>
          <CueWords cue={open} transcript={transcript} />
          <Decide key={open.id} cue={open} before={decisionOn(open)} onDone={() => setChanging(null)} />
        </div>
      )}
      {decided.length > 0 && (
        <>
          <h3 className="session-aside-title">{words.decidedTitle}</h3>
          <ul className="next-questions">
            {decided.map(({ cue, decision, reason }) => (
              <li key={cue.id} className="cue-decided">
                <QuoteLine evidence={cue} />
                <p className="caption">
                  {words.outcomes[decision]}
                  {reason === '' ? '' : `: ${reason}`} <LinkButton onPress={() => setChanging(cue.id)}>{words.change}</LinkButton>
                </p>
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  )
}

function CueWords({ cue, transcript }: { readonly cue: RiskCue; readonly transcript: Transcript | null }) {
  const labelOf = useLabel(transcript)
  const [asked] = cue.asked
  const [later] = cue.taken_up
  const about = words.whom[cue.about]
  const takenUpAt = later?.start_ms == null ? words.takenUpUntimed : words.takenUp({ at: formatMoment(later.start_ms) })
  return (
    <>
      {asked && <p className="caption">{words.answers({ question: asked.quote ?? '' })}</p>}
      <QuoteLine evidence={cue} />
      <p className="cue-facts">
        {cue.speaker_id === null ? '' : `${words.said({ who: labelOf(cue.speaker_id) })} `}
        {later === undefined ? words.notTakenUp : takenUpAt}
        {about === '' ? '' : ` ${about}`}
      </p>
      <p className="caption">{words.lead}</p>
    </>
  )
}

interface DecideProps {
  readonly cue: RiskCue
  readonly before: CueDecision | undefined
  readonly onDone: () => void
}

function Decide({ cue, before, onDone }: DecideProps) {
  const { id } = useSession()
  const [decision, setDecision] = useState<CueDecision['decision'] | null>(before?.decision ?? null)
  const [reason, setReason] = useState(before?.reason ?? '')
  const [isTried, setTried] = useState(false)
  const decide = useAction('insights.decide')
  const lacksReason = decision === 'no_concern' && reason.trim() === ''
  const record = (): void => {
    setTried(true)
    if (decision === null || lacksReason) return
    decide.mutate({ session_id: id, cue_id: cue.id, decision, reason }, { onSuccess: onDone })
  }
  return (
    <div className="cue-decide">
      <RadioGroup
        label={words.choice}
        isLabelHidden
        value={decision}
        onChange={setDecision}
        options={cueDecisionSchema.shape.decision.options.map((value) => ({ value, label: words.options[value] }))}
      />
      {decision !== null && (
        <TextField
          label={words.reason}
          value={reason}
          onChange={setReason}
          error={isTried && lacksReason ? words.reasonNeeded : undefined}
        />
      )}
      {decide.error !== null && <Problem code={decide.error.code} />}
      <Button
        variant="filled"
        isDisabled={decision === null}
        reason={words.choose}
        busy={decide.isPending ? words.recording : undefined}
        onPress={record}
        label={words.record}
      />
    </div>
  )
}
