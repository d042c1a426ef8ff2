import { isDeepStrictEqual } from 'node:util'
import { isIntact } from '#core/records/content-hash.ts'
import type { Laptop } from './laptop.ts'
import { type Records, recordsAtService, recordsOn } from './records.ts'
import type { World } from './world.ts'

/** What a person was told is done at this laptop is there, or stands in a conflict. */
export async function nothingVanished({ ledger }: World, laptop: Laptop): Promise<string[]> {
  const { fields } = await recordsOn(laptop)
  return [...ledger.fields.keys()].flatMap((field) =>
    ledger.lost(field, fields.get(field) ?? [], laptop.name).map((value) => `${laptop.name} lost ${value} of ${field}`),
  )
}

/** Once all is sent: every place says the same, and it is what people were told. */
export async function allAgree(world: World): Promise<string[]> {
  const service = await recordsAtService(world.practice.owner)
  const problems = []
  for (const laptop of world.laptops) {
    const records = await recordsOn(laptop)
    problems.push(...differences(world, service, records, laptop.name), ...lostOn(world, records, laptop.name))
  }
  return [...problems, ...broken(world, service), ...madeOtherwise(world, service), ...draftedTooOften(world, service)]
}

/** Forms are compared on the laptop where they were written: they reach the service with the first note drafted in them. */
function* lostOn({ ledger }: World, { fields }: Records, name: string): Generator<string> {
  for (const field of ledger.fields.keys()) {
    const by = field.startsWith('template ') ? name : undefined
    for (const value of ledger.lost(field, fields.get(field) ?? [], by)) yield `${value} of ${field} is not on ${name}`
  }
}

function* differences({ ledger }: World, service: Records, records: Records, name: string): Generator<string> {
  for (const key of new Set([...service.byId.keys(), ...records.byId.keys()])) {
    if (ledger.kept.has(`${name} ${key}`)) continue
    const [there, here] = [service.byId.get(key), records.byId.get(key)]
    // What was replaced by another of the same session may still stand at the service.
    const isReplaced = here === undefined && /^(?:note|transcript) /.test(key) && hasAnother(there, records, key)
    // Drafted, and nobody wanted it any more when it came.
    const isUnwanted = name === 'alone' && here === undefined && service.notes.get(key.split(' ')[1]!)?.status === 'draft'
    // Nothing tells a laptop by itself that its note counts as amended.
    const said = name === 'alone' && key.startsWith('note ') ? asSigned(there) : ofThisTherapist(there, here)
    const difference = isReplaced || isUnwanted ? null : differenceOf(said, here)
    if (difference !== null) yield `${key} ${difference} on ${name}`
  }
}

/** A session that is nobody's at the service stays the therapist's on the laptop that made it. */
function ofThisTherapist(there: unknown, here: unknown): unknown {
  const [said, told] = [there, here] as (Record<string, unknown> | undefined)[]
  return said?.['clinician_id'] === null && told !== undefined ? { ...said, clinician_id: told['clinician_id'] } : there
}

function asSigned(record: unknown): unknown {
  const { status, ...said } = record as { status: string }
  return { ...said, status: status === 'amended' ? 'signed' : status }
}

function differenceOf(there: unknown, here: unknown): string | null {
  if (there === undefined || here === undefined)
    return here === undefined ? 'is at the service and not' : 'is not at the service but'
  const [said, told] = [there, here] as Record<string, unknown>[]
  const [name] = Object.keys({ ...said, ...told }).filter((key) => !isDeepStrictEqual(said![key], told![key]))
  return name === undefined ? null : `${name} is ${JSON.stringify(said![name])} at the service and ${JSON.stringify(told![name])}`
}

/** Revocations and signatures that are not as they were told. */
function* broken({ ledger }: World, service: Records): Generator<string> {
  for (const id of ledger.revoked) if (!service.revoked.has(id)) yield `consent ${id} was revoked and is alive`
  for (const [id, hash] of ledger.signed) {
    if (ledger.erased.has(`note ${id}`)) continue
    const note = service.notes.get(id)
    if (note?.signature?.content_hash !== hash || !isIntact(note)) yield `note ${id} is not as it was signed`
  }
  for (const [text, id] of ledger.addenda) {
    if (ledger.erased.has(`note ${id}`)) continue
    const found = service.notes.get(id)?.addenda.filter((addendum) => addendum.text === text) ?? []
    if (found.length !== 1) yield `"${text}" stands ${found.length} times in note ${id}`
  }
}

/** Records are there exactly once. */
function* madeOtherwise({ ledger }: World, service: Records): Generator<string> {
  for (const [id, kind] of ledger.made)
    if (kind !== 'template' && !service.byId.has(`${kind} ${id}`)) yield `${kind} ${id} was made and is nowhere`
  for (const kind of ['client', 'session', 'consent']) {
    const unknown = [...service.byId.keys()].filter((key) => key.startsWith(`${kind} `) && !ledger.made.has(key.split(' ')[1]!))
    const perhaps = [...ledger.perhapsMade].filter((key) => key.startsWith(`${kind} `))
    if (unknown.length > perhaps.length) yield `${unknown.length} of ${kind} that nobody made, ${perhaps.length} perhaps`
  }
}

/** A draft that was asked for once is written once. */
function* draftedTooOften({ ledger }: World, { notes }: Records): Generator<string> {
  for (const [session, drafts] of Map.groupBy(notes.values(), ({ session_id }) => session_id ?? '')) {
    const asked = ledger.drafts.get(session) ?? 0
    if (drafts.length > asked) yield `${drafts.length} notes of session ${session}, which were asked for ${asked} times`
  }
}

function hasAnother(record: unknown, { byId }: Records, key: string): boolean {
  const { session_id } = record as { session_id: string }
  const kind = key.split(' ')[0]!
  return [...byId].some(([other, found]) => other.startsWith(kind) && (found as { session_id: string }).session_id === session_id)
}
