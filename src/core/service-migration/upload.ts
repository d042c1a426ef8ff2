import { systemClock } from '#base/clock.ts'
import { newId } from '#base/ids.ts'
import type { Note } from '#contract/model/note.ts'
import type { AnyIntent, IntentKind, StoredIntent } from '#core/outbox/intents.ts'
import { orNull, type Sending } from '#core/outbox/sending.ts'
import type { Fields } from '#core/outbox/three-way.ts'
import { isSignedOverErased } from '#core/records/content-hash.ts'
import type { IncomingRecord } from '#core/sync/merge/common.ts'
import type { Merge } from '#core/sync/merge/merge.ts'
import { mergeableClients, mergeableSessions, picked } from '#core/sync/merge/merge-fields.ts'
import { intentsOf, missingOf } from '#core/sync/push-again.ts'
import { documentSenders, sendTemplate } from '#core/sync/send-documents.ts'
import { recordSenders } from '#core/sync/send-records.ts'
import type { Step } from '#core/sync/sync-loop.ts'
import type { MigrationRecord, Uploaded } from './migration-repository.ts'
import { contentOf, differing, documentHash, findHere, type Found, readThere, type Target } from './target.ts'

interface Uploading {
  readonly target: Target
  readonly record: MigrationRecord
  readonly remember: (sent: unknown) => void
}

const MAX_REMEMBERED = 8

export async function upload(uploading: Uploading): Promise<Uploaded | 'signed-over-erased' | null> {
  const { target, record } = uploading
  const here = findHere(target, record.kind as Found['kind'], record.id)
  if (here === null) return null
  const remembered = Array.isArray(record.sent) ? (record.sent as unknown[]) : []
  const parts = { ...uploading, here, remembered }
  if (here.kind === 'client' || here.kind === 'session') return uploadFields({ ...parts, here })
  if (here.kind !== 'consent') return uploadDocument(parts)
  const sent = contentOf(here)
  uploading.remember(sent)
  const sender = createSender(parts)
  for (const intent of intentsOf.consent(target.own, record.id)) await sender.send(intent)
  return { ...sender.uploaded(), sent, differing: [] }
}

type Parts = Uploading & { readonly here: Found; readonly remembered: readonly unknown[] }

/** `differing` in the result names the fields that keep another value on the target, e.g. after a change there. */
async function uploadFields(parts: Parts & { readonly here: Found & { kind: 'client' | 'session' } }): Promise<Uploaded> {
  const { target, record, here, remember } = parts
  const { own } = target
  const of = here.kind === 'client' ? mergeableClients(own.clients) : mergeableSessions(own.sessions)
  const wanted = contentOf(here)
  const created = here.kind === 'client' ? wanted : { ...wanted, started_at: null, finished_at: null }
  const remembered = parts.remembered as readonly Fields[]
  const before = [...remembered, created]
  remember([...before, wanted].slice(-MAX_REMEMBERED))
  const sender = createSender(parts)
  // If the record may exist, read it first, because a refused creation of a session counts toward the quota.
  if (record.there_version !== null) sender.take(await readThere(target, here))
  else if (record.sent !== undefined) sender.take(await orNull(readThere(target, here)))
  const [create] = intentsOf[here.kind](own, record.id)
  if (sender.there() === null) await sender.send(create!)
  const there = sender.there()?.record ?? {}
  const changed = differing(there, wanted)
  const isOwn = (name: string): boolean =>
    target.over || before.some((sent) => name in sent && differing(there, { [name]: sent[name] }).length === 0)
  const left = changed.filter((name) => !of.names.includes(name) || !isOwn(name))
  const patch = picked(
    wanted,
    changed.filter((name) => !left.includes(name)),
  )
  const about = of.about(here.record as never)
  if (Object.keys(patch).length > 0)
    await sender.send({ kind: of.updateIntent, ...about, body: { patch, base: {} } } as AnyIntent)
  const last = remembered.at(-1)
  const sent = left.length === 0 || last === undefined ? wanted : { ...wanted, ...picked(last, left) }
  return { ...sender.uploaded(), sent: [sent], differing: left }
}

/**
 * If the target has a version that this app never sent, reports the document as differing and keeps that version, unless `over`
 * is set.
 */
async function uploadDocument(parts: Parts): Promise<Uploaded | 'signed-over-erased'> {
  const { target, here, remember } = parts
  const before = parts.remembered as readonly string[]
  const hash = documentHash(here)!
  const sent = [...before.filter((one) => one !== hash), hash].slice(-MAX_REMEMBERED)
  remember(sent)
  const sender = createSender(parts, sent)
  const signature = here.kind === 'note' ? here.record.signature : null
  if (here.kind === 'note' && isSignedOverErased(here.record)) {
    // The signed text was erased, so the signature can't be sent: the note must already be signed on the target.
    const there = (await orNull(readThere(target, here)))?.record as Note | undefined
    if (there?.signature?.content_hash !== signature?.content_hash) return 'signed-over-erased'
  } else {
    try {
      await sender.put()
    } catch (error) {
      if (!sender.isForeign()) throw error
      return { ...sender.uploaded(), sent: before, differing: ['content'] }
    }
  }
  if (signature !== null) {
    const there = await readThere(target, here)
    sender.take(there)
    const missing = missingOf(there.record as Note, intentsOf.note(target.own, here.record.id))
    for (const intent of missing) if (intent.kind !== 'put-note') await sender.send(intent)
  }
  return { ...sender.uploaded(), sent, differing: [] }
}

/** The senders of the sync, bound to the target: they use the target's record versions and do not merge. */
function createSender({ target, record, here }: Parts, sent: readonly string[] = []) {
  const { client, own, over, signal } = target
  let there: Found | null = null
  let refused: Found | null = null
  let version = record.there_version
  const take = (found: IncomingRecord | null): void => {
    if (found === null || !('record' in found)) return
    there = found
    version = found.record.version
  }
  const isForeign = (): boolean => refused !== null && !over && !sent.includes(documentHash(refused) ?? '')
  const merge: Pick<Merge, 'take' | 'answered' | 'answeredNote' | 'refused' | 'keepCommon' | 'isAsked'> = {
    take,
    answered: (_intent, _fields, answer) => take(answer),
    answeredNote: (_intent, note) => take({ kind: 'note', record: note }),
    refused(found) {
      take(found)
      refused = there
    },
    keepCommon: (_kind, _id, common): void => void (version = common.version),
    isAsked: isForeign,
  }
  const versions = {
    serviceVersion: () => version,
    keepServiceVersion: (_id: string, now: number): void => void (version = now),
  }
  const parts = {
    clients: { ...own.clients, ...versions },
    sessions: { ...own.sessions, ...versions },
    consents: { ...own.consents, ...versions },
    transcripts: { ...own.transcripts, ...versions },
    notes: { ...own.notes, ...versions },
    outbox: { find: () => ({ state: isForeign() ? 'needs_you' : 'waiting' }) as StoredIntent, remember: () => {} },
    merge,
    localOnly: { isNotRepresentable: () => false, keep: () => {} },
    bookingRefused: (error: unknown) => Promise.reject(error as Error),
    withKnownClinician: <Body, Result>(body: Body, send: (body: Body) => Promise<Result>) => send(body),
  }
  const senders = { ...recordSenders(parts), ...documentSenders(parts) }
  const send = async (intent: AnyIntent): Promise<void> => {
    const sender = senders[intent.kind as keyof typeof senders] as (sending: Sending<IntentKind>) => Promise<Step>
    const options = { idempotencyKey: newId(systemClock), signal }
    const step = await sender({ intent: { ...intent, id: record.id } as StoredIntent, client, options })
    if (step.state === 'done') step.apply()
  }
  return {
    send,
    take,
    isForeign,
    there: () => there,
    async put(): Promise<void> {
      if (here.kind === 'template') return sendTemplate({ templates: own.templates, merge }, { client, id: record.id, signal })
      const [put] = intentsOf[here.kind](own, record.id)
      await send({ ...put, body: { sent_hashes: sent } } as AnyIntent)
    },
    uploaded: () => ({ local_version: here.record.version, version: version! }),
  }
}
