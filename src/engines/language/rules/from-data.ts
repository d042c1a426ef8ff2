import type { NoteBody, NoteSection, Statement } from '#contract/model/note.ts'
import type { Engine } from '#contract/model/transcript.ts'
import type { DataDraftRequest } from '../port.ts'
import { noticesOf } from '../notices.ts'
import { capitalise } from './clean.ts'
import { contentId } from './quotes.ts'
import { statementOf } from './statements.ts'
import { mentionsMedication, riskTopic } from './lexicon/topics.ts'
import { formOf, type DataField } from './forms.ts'
import { cutText } from '#base/cut-text.ts'
import { MAX_PARAGRAPH } from '#contract/model/common.ts'

export function draftFromData(request: DataDraftRequest, engine: Engine): NoteBody {
  const form = formOf(request.template, request.own ?? null, [])
  const given: readonly (readonly [field: DataField, label: string, texts: readonly string[]])[] = [
    ['session', 'Session', [`${request.session_type.trim()}, ${request.duration_minutes} minutes`]],
    ['concerns', 'Presenting concern', request.presenting_concerns],
    ['interventions', 'Intervention', request.interventions],
    ['response', 'Client response', request.client_response.trim() === '' ? [] : [request.client_response]],
  ]
  const sections: NoteSection[] = form.plans.map((plan) => {
    const own = given
      .filter(([field]) => form.homes[field] === plan.key)
      .flatMap(([, label, texts]) => texts.map((text) => entered(`${label}: ${text.trim()}`)))
    const empty = plan.empty.startsWith('Not stated') ? 'Not stated.' : plan.empty
    const needsMore = own.length > 0 && isForPlans(plan)
    const statements = needsMore
      ? [...own, nothing('Homework and next appointment: not stated.')]
      : own.length > 0
        ? own
        : [{ ...nothing(empty), id: contentId('st', `${plan.key}: ${empty}`, []) }]
    return { key: plan.key, title: plan.title, statements }
  })
  return {
    session_id: request.session?.id ?? null,
    client_id: request.client?.id ?? null,
    template: request.template,
    sections: sections
      .map((section) => (!form.isLong && section.key === form.marks ? withRisk(section) : section))
      .toSorted((left, right) => form.order.indexOf(left.key) - form.order.indexOf(right.key)),
    unsupported: [],
    omissions: [],
    checks: noticesOf([['no-transcript', true]]),
    engine,
  }
}

const isForPlans = ({ key }: { readonly key: string }): boolean =>
  key === 'plan' || key === 'recommendations' || key === 'aftercare'

function withRisk(section: NoteSection): NoteSection {
  const given = section.statements.map((statement) => statement.text).join(' ')
  const missing = [
    riskTopic(given) === null ? 'Risk: not assessed.' : '',
    mentionsMedication(given) ? '' : 'Medication: not assessed.',
  ].filter((line) => line !== '')
  return { ...section, statements: [...section.statements, ...missing.map((line) => nothing(line))] }
}

function entered(text: string): Statement {
  const line = cutText(capitalise(text), MAX_PARAGRAPH - 1)
  const whole = /[.?!]$/.test(line) ? line : `${line}.`
  return {
    ...nothing(whole),
    support: 'clinician_entered',
    origin: 'person',
    safety: riskTopic(text) !== null || mentionsMedication(text),
  }
}

function nothing(text: string): Statement {
  const finding = /not assessed/i.test(text)
    ? ({ topic: cutText(text.replace(/[:.].*$/, ''), 100), state: 'not_assessed' } as const)
    : null
  return statementOf(text, { finding })
}
