import { newId } from '#base/ids.ts'
import type { StoredCoverage } from '#contract/model/coverage.ts'
import { requireReach } from '#service/access/reach.ts'
import { askedBy } from '#service/access/audit-event.ts'
import type { Call, HandlersOf } from '#service/access/call.ts'
import type { Services } from './services.ts'
import type { VerifyTask } from '../jobs/verify-insurance.ts'
import { gatewayFor, questionOf } from '../payer/question.ts'
import { getClient } from '../store/clients.ts'
import { findAnswer } from '../store/coverages.ts'
import { insertOperation } from '../store/operations.ts'
import { payerNamed } from '../store/payers.ts'
import type { Write } from '../store/tables.ts'

const hour = 60 * 60 * 1000

/** An answer that is young enough is given again; else the payer is asked, which is long work. */
export function insuranceHandlers({ clock, payer: desk }: Services): HandlersOf<'verifyInsurance'> {
  return {
    verifyInsurance: (call) => async (write) => {
      const { practice, body, now } = call
      const task = await taskFor(write, call)
      const touched = task.client_id === null ? [] : [task.client_id]
      if (body.max_age_hours > 0) {
        const since = new Date(Date.parse(now) - body.max_age_hours * hour).toISOString()
        const found = await findAnswer(write, practice, task.question_hash, task.client_id, since)
        if (found !== null) return again(found, now, touched)
      }
      const operation = newId(clock)
      const agent = askedBy(call, null)
      const payload = JSON.stringify(task)
      const asked = { practice_id: practice, kind: 'verify-insurance', route: 'verifyInsurance', payload, agent } as const
      await insertOperation(write, { id: operation, ...asked }, now)
      return { operation, touched: [operation, ...touched] }
    },
  }

  async function taskFor(write: Write, call: Call<'verifyInsurance'>): Promise<VerifyTask> {
    const { practice, body, caller } = call
    const client_id = body.client_id ?? null
    if (client_id !== null) await requireReach(write, call, 'clients', client_id)
    const client = client_id === null ? null : await getClient(write, practice, client_id)
    const known = { body, client, payer: await payerNamed(write, practice, body.payer_id), settings: desk.settings() }
    const gateway = gatewayFor(caller, known)
    const question = questionOf(known, desk.gateway(gateway))
    const question_hash = desk.hashOf(practice, gateway, { ...question, network: body.network })
    return { gateway, question, network: body.network, client_id, question_hash }
  }
}

function again(found: StoredCoverage, now: string, touched: readonly string[]) {
  const age_seconds = Math.max(0, Math.round((Date.parse(now) - Date.parse(found.checked_at)) / 1000))
  // What the sandbox said stays the sandbox's, however old.
  const source = found.source === 'live' ? ('cache' as const) : found.source
  const record = { kind: 'coverage', id: found.id, version: found.version } as const
  return { status: 200, data: { ...found, source, age_seconds }, record, touched: [found.id, ...touched] }
}
