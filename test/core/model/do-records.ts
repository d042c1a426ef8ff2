import type { Client } from '#contract/model/client.ts'
import type { Session } from '#contract/model/session.ts'
import type { OwnTemplate } from '#contract/model/template.ts'
import type { MadeKind } from './ledger.ts'
import { type Act, oneOf } from './world.ts'

const clientFields = ['display_name', 'given_name', 'phone', 'email', 'pronouns', 'goals'] as const
const sessionFields = ['presenting_concerns', 'cpt_code'] as const
const day = 86_400_000
const inYears = Date.UTC(2040, 0, 2)

/** In the order in which they were made, so that the same steps meet the same records. */
async function clientsOf({ read, ledger }: Act): Promise<Client[]> {
  const order = [...ledger.made.keys()]
  const clients = (await read('clients.list', {})).map(({ client }) => client)
  return clients.filter(({ id }) => order.includes(id)).toSorted((one, other) => order.indexOf(one.id) - order.indexOf(other.id))
}

export async function sessionsOf({ read, ledger }: Act): Promise<Session[]> {
  const order = [...ledger.made.keys()]
  const sessions = (await read('sessions.list', {})).map(({ session }) => session)
  return sessions.filter(({ id }) => order.includes(id)).toSorted((one, other) => order.indexOf(one.id) - order.indexOf(other.id))
}

/** Known before it is asked for, so that it is known also where whoever asks dies. */
async function make(act: Act, kind: MadeKind, ask: () => Promise<{ id: string } | null>): Promise<void> {
  const { made, perhapsMade } = act.ledger
  const name = `${kind} ${act.step.tag}`
  perhapsMade.add(name)
  const record = await ask()
  if (record === null) return
  perhapsMade.delete(name)
  made.set(record.id, kind)
  act.ledger.madeOn.set(record.id, act.laptop.name)
}

export const recordDoings = {
  async client(act: Act): Promise<void> {
    await make(act, 'client', () => act.ask('clients.create', { display_name: `Client ${act.step.tag}` }))
  },
  async 'client.edit'(act: Act): Promise<void> {
    const { step } = act
    const before = oneOf(await clientsOf(act), step.which)
    if (before === null) return
    const names = step.what % 3 === 0 ? [step.what, step.what + 1] : [step.what]
    const patch = Object.fromEntries(names.map((index) => written(oneOf(clientFields, index)!, step.tag)))
    const promised = Object.entries(patch).map(([name, value]) =>
      act.edit(`client ${before.id} ${name}`, before[name as keyof Client], value),
    )
    await act.ask('clients.update', { id: before.id, version: before.version, patch }, promised)
  },
  async session(act: Act): Promise<void> {
    const { step } = act
    const client = oneOf(await clientsOf(act), step.which)
    if (client === null) return
    const starts_at = new Date(inYears + step.tag * day).toISOString()
    const times = { starts_at, duration_minutes: 50, time_zone: 'Europe/Madrid' }
    await make(act, 'session', () => act.ask('sessions.create', { client_id: client.id, session_type: 'individual', ...times }))
  },
  /** At one of few times, where somebody else may be booked already. */
  async 'session.clash'(act: Act): Promise<void> {
    const { step } = act
    const client = oneOf(await clientsOf(act), step.which)
    if (client === null) return
    const starts_at = new Date(inYears - (1 + (step.what % 3)) * day).toISOString()
    const times = { starts_at, duration_minutes: 50, time_zone: 'Europe/Madrid' }
    await make(act, 'session', () => act.ask('sessions.create', { client_id: client.id, session_type: 'individual', ...times }))
  },
  async 'session.edit'(act: Act): Promise<void> {
    const { step } = act
    const [name, value] = written(oneOf(sessionFields, step.what)!, step.tag)
    await changeSession(act, { [name]: value })
  },
  async 'session.move'(act: Act): Promise<void> {
    await changeSession(act, { starts_at: new Date(inYears + act.step.tag * day + 3_600_000).toISOString() })
  },
  async 'session.cancel'(act: Act): Promise<void> {
    await changeSession(act, { status: 'cancelled' })
  },
  async consent(act: Act): Promise<void> {
    const { step } = act
    const client = oneOf(await clientsOf(act), step.which)
    if (client === null) return
    const participant = { name: client.display_name, role: 'client' } as const
    const form = { scopes: ['transcribe', 'draft'] as ('transcribe' | 'draft')[], text_version: '1', method: 'spoken' as const }
    await make(act, 'consent', () => act.ask('consents.give', { client_id: client.id, participant, ...form }))
  },
  async revoke(act: Act): Promise<void> {
    const { step, ledger } = act
    const consents = [...ledger.made].filter(([, kind]) => kind === 'consent').map(([id]) => id)
    const id = oneOf(consents, step.which)
    if (id === null) return
    if ((await act.ask('consents.revoke', { id })) !== null) ledger.revoked.add(id)
  },
  async template(act: Act): Promise<void> {
    await make(act, 'template', () => act.ask('templates.save', { id: null, version: null, ...form(act.step.tag) }))
  },
  async 'template.edit'(act: Act): Promise<void> {
    const { step } = act
    const before = oneOf(await formsOf(act), step.which)
    if (before === null) return
    const { id, version } = before
    const after = form(step.tag)
    await act.ask('templates.save', { id, version, ...after }, [act.edit(`template ${id} name`, before.name, after.name)])
  },
  /** Off this laptop's list; notes keep it. */
  async 'template.remove'(act: Act): Promise<void> {
    const form = oneOf(await formsOf(act), act.step.which)
    if (form === null) return
    const removed = (): void => {
      act.ledger.removed.add(`${act.laptop.name} ${form.id}`)
      act.ledger.gone(`template ${form.id} name`, form.name)
    }
    await act.ask('templates.remove', { id: form.id }, [{ sure: removed, perhaps: removed, refused: () => {} }])
  },
}

/** In the order in which they were made. */
async function formsOf({ read, ledger }: Act): Promise<OwnTemplate[]> {
  const order = [...ledger.made.keys()]
  return (await read('templates.list', {})).toSorted((one, other) => order.indexOf(one.id) - order.indexOf(other.id))
}

async function changeSession(act: Act, patch: Partial<Session>): Promise<void> {
  const before = oneOf(await sessionsOf(act), act.step.which)
  if (before === null) return
  const promised = Object.entries(patch).map(([name, value]) =>
    act.edit(`session ${before.id} ${name}`, before[name as keyof Session], value),
  )
  await act.ask('sessions.update', { id: before.id, version: before.version, patch }, promised)
}

function written(name: string, tag: number): [string, unknown] {
  const text = name === 'email' ? `a${tag}@example.org` : `${name} ${tag}`
  return [name, name === 'goals' || name === 'presenting_concerns' ? [text] : text]
}

const form = (tag: number) => ({
  name: `Form ${tag}`,
  sections: [{ key: 'said', title: 'What was said', holds: ['said' as const] }],
})
