import { newId } from '#base/ids.ts'
import type { StoredCoverage } from '#contract/model/coverage.ts'
import { requireReach, rowsWithin } from '#service/access/reach.ts'
import { askedBy } from '#service/access/call.ts'
import type { Call, HandlersOf } from '#service/access/call.ts'
import type { Services } from './services.ts'
import type { VerifyTask } from '../jobs/verify-insurance.ts'
import { gatewayFor, questionOf } from '../payer/desk.ts'
import { getClient } from '../store/clients.ts'
import {
  findAnswer,
  findRaw,
  getCoverage,
  listCoverage,
  completedSessions,
  countedOne,
  withVisits,
  getAuthorisation,
  insertAuthorisation,
  listAuthorisations,
  updateAuthorisation,
} from '../store/coverages.ts'
import { insertOperation } from '../store/operations.ts'
import { payerNamed, findPayer, getPayer, insertPayer, listPayers, updatePayer } from '../store/payers.ts'
import type { Write } from '../store/tables.ts'
import { AppError } from '#contract/errors.ts'
import type { Payer, Authorisation } from '#contract/model/payer.ts'
import { requireVersion, Stale } from '#service/kernel/problem.ts'
import { changed, newRecord } from '../store/records.ts'
import type { KeptAuthorisation } from '../store/coverages.ts'
import { named } from './clients.ts'

const HOUR = 60 * 60 * 1000

export function insuranceHandlers({ clock, payer: desk }: Services): HandlersOf<'verifyInsurance'> {
  return {
    verifyInsurance: (call) => async (write) => {
      const { practice, body, now } = call
      const task = await taskFor(write, call)
      const touched = task.client_id === null ? [] : [task.client_id]
      if (body.max_age_hours > 0) {
        const since = new Date(Date.parse(now) - body.max_age_hours * HOUR).toISOString()
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
  // A sandbox answer must never look like a cached live one.
  const source = found.source === 'live' ? ('cache' as const) : found.source
  const record = { kind: 'coverage', id: found.id, version: found.version } as const
  return { status: 200, data: { ...found, source, age_seconds }, record, touched: [found.id, ...touched] }
}

export function coverageHandlers(): HandlersOf<'listCoverage' | 'getCoverage' | 'getRawCoverage'> {
  return {
    listCoverage:
      ({ practice, query, scope }) =>
      async (db) => {
        const data = await listCoverage(db, practice, query, rowsWithin('coverages', scope))
        return { status: 200, data, touched: data.data.map(({ id }) => id) }
      },
    getCoverage: (call) => async (db) => {
      const { practice, params } = call
      await requireReach(db, call, 'coverages', params.id)
      return { status: 200, data: await getCoverage(db, practice, params.id), touched: [params.id] }
    },
    getRawCoverage: (call) => async (db) => {
      const { practice, params } = call
      await requireReach(db, call, 'coverages', params.id)
      await getCoverage(db, practice, params.id)
      const raw = await findRaw(db, practice, params.id)
      if (raw === null) throw new AppError('not-found', 'The payer sent nothing that could be kept.')
      const media_type = raw.media_type === 'application/json' ? ('application/json' as const) : ('application/edi-x12' as const)
      return { status: 200, data: { eligibility_id: params.id, media_type, text: raw.text }, touched: [params.id] }
    },
  }
}

export function payerHandlers(): HandlersOf<'listPayers' | 'getPayer' | 'putPayer'> {
  return {
    listPayers:
      ({ practice, query }) =>
      async (db) => {
        const data = await listPayers(db, practice, query)
        return { status: 200, data, touched: data.data.map(({ id }) => id) }
      },
    getPayer:
      ({ practice, params }) =>
      async (db) => ({ status: 200, data: await getPayer(db, practice, params.id), touched: [params.id] }),
    putPayer:
      ({ practice, params, body, ifMatch, now }) =>
      async (db) => {
        const current = await findPayer(db, practice, params.id)
        if (current) requireVersion(ifMatch, current)
        else if (ifMatch !== null) throw new Stale(null)
        const payer: Payer = current ? changed({ ...current, ...body }, now) : { ...body, ...newRecord(params.id, now) }
        if (current) await updatePayer(db, practice, payer)
        else await insertPayer(db, practice, payer)
        return { status: current ? 200 : 201, data: payer, touched: [params.id] }
      },
  }
}

export function authorisationHandlers({
  clock,
}: Services): HandlersOf<'listAuthorisations' | 'getAuthorisation' | 'createAuthorisation' | 'updateAuthorisation'> {
  return {
    listAuthorisations:
      ({ practice, query, scope }) =>
      async (db) => {
        const page = await listAuthorisations(db, practice, query, rowsWithin('authorisations', scope))
        const data = await counted(db, practice, page.data)
        return { status: 200, data: { ...page, data }, touched: data.map(({ id }) => id) }
      },
    getAuthorisation: (call) => async (db) => {
      const { practice, params } = call
      await requireReach(db, call, 'authorisations', params.id)
      const data = await countedOne(db, practice, await getAuthorisation(db, practice, params.id))
      return { status: 200, data, touched: [params.id] }
    },
    createAuthorisation: (call) => async (db) => {
      const { practice, body, now, caller } = call
      await requireReach(db, call, 'clients', body.client_id)
      await getClient(db, practice, body.client_id)
      const { id = newId(clock), ...draft } = body
      const kept: KeptAuthorisation = { ...draft, ...newRecord(id, now) }
      requireDays(kept)
      await insertAuthorisation(db, practice, kept, caller.person_id)
      const data = await countedOne(db, practice, kept)
      return { status: 201, data, record: { kind: 'authorisation', id, version: 1 }, touched: [id, body.client_id] }
    },
    updateAuthorisation: (call) => async (db) => {
      const { practice, params, body, ifMatch, now } = call
      await requireReach(db, call, 'authorisations', params.id)
      const current = await getAuthorisation(db, practice, params.id)
      requireVersion(ifMatch, current)
      const kept = changed({ ...current, ...named(body) }, now)
      requireDays(kept)
      await updateAuthorisation(db, practice, kept)
      return { status: 200, data: await countedOne(db, practice, kept), touched: [params.id, kept.client_id] }
    },
  }
}

function requireDays({ starts_on, ends_on }: KeptAuthorisation): void {
  if (ends_on === null || starts_on <= ends_on) return
  throw new AppError('validation-failed', undefined, [
    { pointer: '/ends_on', code: 'invalid_value', message: 'before it begins' },
  ])
}

async function counted(db: Write, practice: string, kept: readonly KeptAuthorisation[]): Promise<Authorisation[]> {
  const completed = new Map<string, Awaited<ReturnType<typeof completedSessions>>>()
  for (const { client_id } of kept)
    if (!completed.has(client_id)) completed.set(client_id, await completedSessions(db, practice, client_id))
  return kept.map((authorisation) => withVisits(authorisation, completed.get(authorisation.client_id) ?? []))
}
