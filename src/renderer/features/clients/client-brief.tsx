import { ListVideo, Printer } from 'lucide-react'
import { createPortal } from 'react-dom'
import type { Brief } from '#contract/bridge/insights.ts'
import { useName } from '#renderer/lib/names.ts'
import { navigate, sessionPath } from '#renderer/lib/routes.ts'
import { useNow } from '#renderer/lib/use-now.ts'
import { useCall } from '#renderer/bridge/use-bridge.ts'
import { briefWords as words, insightWords } from '#renderer/strings/insights.ts'
import { Button } from '#renderer/ui/button.tsx'
import { Answer, Empty } from '#renderer/ui/page.tsx'
import { Spoken } from '#renderer/ui/spoken.tsx'
import { formatDate, formatDayTime } from '#renderer/strings/time.ts'
import './client-brief.css'

type Quotes = Brief['plan'][number]['evidence']

export function ClientBrief({ id }: { readonly id: string }) {
  const found = useCall('clients.brief', { client_id: id })
  if (found.error || !found.data)
    return (
      <div className="client-panel">
        <Answer of={found} />
      </div>
    )
  const brief = found.data
  const { last_session } = brief
  if (last_session === null)
    return (
      <div className="client-panel">
        <Empty title={words.nothing}>{words.nothingText}</Empty>
      </div>
    )
  return (
    <div className="client-panel brief">
      <div className="brief-actions">
        <Button icon={Printer} onPress={() => window.print()} label={words.print} />
        <Button icon={ListVideo} onPress={() => navigate(sessionPath(last_session.id, 'insights'))} label={words.toSession} />
        <span className="caption">{words.printHelp}</span>
      </div>
      <BriefPage brief={brief} session={last_session} />
      {createPortal(
        <div className="brief-paper" aria-hidden>
          <BriefPage brief={brief} session={last_session} isPaper />
        </div>,
        document.body,
      )}
    </div>
  )
}

type BriefPageProps = Readonly<{ brief: Brief; session: NonNullable<Brief['last_session']>; isPaper?: boolean }>

function BriefPage({ brief, session, isPaper = false }: BriefPageProps) {
  const nameOf = useName()
  const now = useNow(60_000)
  const next = brief.next_session_at === null ? words.noNext : words.next({ when: formatDayTime(brief.next_session_at, now) })
  return (
    <article className="brief-page">
      <h2 className="brief-title">
        {words.title}
        {isPaper && `: ${nameOf(brief.client_name)}`}
      </h2>
      <p className="brief-lead">
        {next} {words.last({ number: session.number, date: formatDate(session.starts_at) })}
        {brief.note !== null && ['draft', 'in_review', 'returned'].includes(brief.note.status) && ` ${words.unsigned}`}
      </p>
      {brief.cues.length > 0 && (
        <BriefPart title={words.cues}>
          {brief.cues.map(({ id, evidence, decision }) => (
            <li key={id}>
              <QuotedWords evidence={evidence} />
              {decision !== null && (
                <p className="caption">
                  {insightWords.cues.outcomes[decision.decision]}
                  {decision.reason !== '' && `: ${decision.reason}`}
                </p>
              )}
            </li>
          ))}
        </BriefPart>
      )}
      {brief.safety !== null && (
        <BriefPart title={words.safety({ date: formatDate(brief.safety.starts_at, now) })}>
          {brief.safety.texts.map((text) => (
            <li key={text}>{text}</li>
          ))}
        </BriefPart>
      )}
      <BriefPart title={words.plan} none={brief.note === null ? words.noNote : words.planNone}>
        {brief.plan.map(({ text }) => (
          <li key={text}>{text}</li>
        ))}
      </BriefPart>
      {brief.agreed.length > 0 && (
        <BriefPart title={insightWords.homework.title}>
          {brief.agreed.map(({ text }) => (
            <li key={text}>{text}</li>
          ))}
        </BriefPart>
      )}
      {brief.insights === 'present' ? (
        <FromInsights brief={brief} />
      ) : (
        <p className="muted brief-missing">{brief.insights === 'not_agreed' ? words.notAgreed : words.notAsked}</p>
      )}
    </article>
  )
}

function FromInsights({ brief }: { readonly brief: Brief }) {
  return (
    <>
      <BriefPart title={words.questions} none={words.questionsNone}>
        {brief.questions.map(({ text, rationale }) => (
          <li key={text}>
            {text}
            <span className="caption brief-why"> {rationale}</span>
          </li>
        ))}
      </BriefPart>
      {brief.goals.length > 0 && (
        <BriefPart title={words.goals}>
          {brief.goals.map(({ text, source, evidence }) => (
            <li key={text}>
              {source === 'said' ? <Spoken size="small">“{text}”</Spoken> : text}
              {evidence.length === 0 && <span className="caption brief-why"> {insightWords.goals.notRaised}</span>}
            </li>
          ))}
        </BriefPart>
      )}
      {brief.changes !== null && brief.changes.items.length > 0 && (
        <BriefPart title={words.changes}>
          {brief.changes.items.map(({ kind, text, before, now }) => (
            <li key={`${kind} ${text}`} className="brief-change">
              <span>{kind === 'goal' ? `“${text}”` : text}</span>
              <QuotedWords evidence={before.slice(0, 1)} lead={formatDate(brief.changes?.starts_at ?? '')} />
              {now.length === 0 ? (
                <p className="caption">{insightWords.quote.notSpoken}</p>
              ) : (
                <QuotedWords evidence={now.slice(0, 1)} lead={insightWords.quote.now} />
              )}
            </li>
          ))}
        </BriefPart>
      )}
    </>
  )
}

function BriefPart({ title, none, children }: Readonly<{ title: string; none?: string; children: React.ReactNode[] }>) {
  return (
    <section className="brief-part">
      <h3 className="session-aside-title">{title}</h3>
      {children.length === 0 ? <p className="muted">{none}</p> : <ul>{children}</ul>}
    </section>
  )
}

function QuotedWords({ evidence, lead }: { readonly evidence: Quotes; readonly lead?: string }) {
  return (
    <>
      {evidence.map(({ segment_id, quote }) => (
        <p key={`${segment_id} ${quote}`} className="brief-quote">
          {lead !== undefined && <span className="caption">{lead} </span>}
          <Spoken size="small">“{quote}”</Spoken>
        </p>
      ))}
    </>
  )
}
