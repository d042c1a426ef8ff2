import { newId } from '#base/ids.ts'
import type { StoredCoverage } from '#contract/model/coverage.ts'
import { getReached, rowsWithin } from '#service/access/reach.ts'
import { type Call, foundReply, type HandlersOf, pageReply, putReply, queueOperation } from '#service/access/call.ts'
import type { Services } from './services.ts'
import type { VerifyTask } from '../jobs/verify-insurance.ts'
import { gatewayFor, questionOf } from '../payer/desk.ts'
import { completedSessions, countedOne, findAnswer, findRaw, listCoverage, withVisits } from '../store/coverages.ts'
import { insertAuthorisation, listAuthorisations, updateAuthorisation } from '../store/coverages.ts'
import { findPayer, getPayer, listPayers, payerNamed, putPayer } from '../store/coverages.ts'
import type { Write } from '../store/tables.ts'
import { AppError } from '#contract/errors.ts'
import type { Payer, Authorisation } from '#contract/model/payer.ts'
import { invalid, requirePutVersion, requireVersion } from '#service/kernel/problem.ts'
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
      const asked = { kind: 'verify-insurance', route: 'verifyInsurance', payload: JSON.stringify(task) } as const
      const operation = await queueOperation(write, clock, call, { ...asked, consent: null })
      return { operation, touched: [operation, ...touched] }
    },
  }

  async function taskFor(write: Write, call: Call<'verifyInsurance'>): Promise<VerifyTask> {
    const { practice, body, caller } = call
    const client_id = body.client_id ?? null
    const client = client_id === null ? null : await getReached(write, call, 'clients', client_id)
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
    listCoverage: (call) => async (db) =>
      pageReply(await listCoverage(db, call.practice, call.query, rowsWithin('coverages', call.scope))),
    getCoverage: (call) => async (db) => foundReply(await getReached(db, call, 'coverages', call.params.id)),
    getRawCoverage: (call) => async (db) => {
      const { practice, params } = call
      await getReached(db, call, 'coverages', params.id)
      const raw = await findRaw(db, practice, params.id)
      if (raw === null) throw new AppError('not-found', 'The payer sent nothing that could be kept.')
      const media_type = raw.media_type === 'application/json' ? ('application/json' as const) : ('application/edi-x12' as const)
      return { status: 200, data: { eligibility_id: params.id, media_type, text: raw.text }, touched: [params.id] }
    },
  }
}

export function payerHandlers(): HandlersOf<'listPayers' | 'getPayer' | 'putPayer'> {
  return {
    listPayers: (call) => async (db) => pageReply(await listPayers(db, call.practice, call.query)),
    getPayer: (call) => async (db) => foundReply(await getPayer(db, call.practice, call.params.id)),
    putPayer: (call) => async (db) => {
      const { practice, params, body, ifMatch, now } = call
      const current = await findPayer(db, practice, params.id)
      requirePutVersion(ifMatch, current)
      const payer: Payer = current ? changed({ ...current, ...body }, now) : { ...body, ...newRecord(params.id, now) }
      await putPayer(db, practice, payer)
      return putReply(payer)
    },
  }
}

export function authorisationHandlers({
  clock,
}: Services): HandlersOf<'listAuthorisations' | 'getAuthorisation' | 'createAuthorisation' | 'updateAuthorisation'> {
  return {
    listAuthorisations: (call) => async (db) => {
      const page = await listAuthorisations(db, call.practice, call.query, rowsWithin('authorisations', call.scope))
      return pageReply({ ...page, data: await counted(db, call.practice, page.data) })
    },
    getAuthorisation: (call) => async (db) => {
      return foundReply(await countedOne(db, call.practice, await getReached(db, call, 'authorisations', call.params.id)))
    },
    createAuthorisation: (call) => async (db) => {
      const { practice, body, now, caller } = call
      await getReached(db, call, 'clients', body.client_id)
      const { id = newId(clock), ...draft } = body
      const kept: KeptAuthorisation = { ...draft, ...newRecord(id, now) }
      requireDays(kept)
      await insertAuthorisation(db, practice, kept, caller.person_id)
      const data = await countedOne(db, practice, kept)
      return { status: 201, data, record: { kind: 'authorisation', id, version: 1 }, touched: [id, body.client_id] }
    },
    updateAuthorisation: (call) => async (db) => {
      const { practice, params, body, ifMatch, now } = call
      const current = await getReached(db, call, 'authorisations', params.id)
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
  throw invalid('/ends_on', 'invalid_value', 'before it begins')
}

async function counted(db: Write, practice: string, kept: readonly KeptAuthorisation[]): Promise<Authorisation[]> {
  const completed = new Map<string, Awaited<ReturnType<typeof completedSessions>>>()
  for (const { client_id } of kept)
    if (!completed.has(client_id)) completed.set(client_id, await completedSessions(db, practice, client_id))
  return kept.map((authorisation) => withVisits(authorisation, completed.get(authorisation.client_id) ?? []))
}
