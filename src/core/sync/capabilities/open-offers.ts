import type { Handlers } from '#contract/bridge/methods.ts'
import type { RecordSort } from '#contract/bridge/offers.ts'
import { recordSorts } from '#contract/bridge/offers.ts'
import type { Settings } from '#contract/bridge/settings.ts'
import type { Clock } from '#base/clock.ts'
import { errorKind, type Log } from '#base/log.ts'
import type { Sqlite } from '#base/sqlite.ts'
import type { ServiceClient } from '#client/client.ts'
import { AppError } from '#contract/errors.ts'
import type { Repositories } from '#core/records/repositories.ts'
import { createKeptAnswers } from '#core/records/kept-answers.ts'
import type { Outbox } from '#core/outbox/outbox.ts'
import { hasFeed, kindsOf } from '../pull/prepare.ts'
import { sortOf, unlistedHere } from '../pull/unlisted.ts'
import type { Senders } from '../sync.ts'
import { type Capabilities, createCapabilities, type Offers } from './capabilities.ts'
import { createKeptHere, type KeptHere } from './kept-here.ts'
import { offeredClient } from './offered-client.ts'
import { sendersOfWhatIsOffered } from './send-offered.ts'
import { tellWhatWasKept } from './tell-kept.ts'

interface Parts extends Repositories {
  readonly db: Sqlite
  readonly clock: Clock
  readonly log: Log
  readonly outbox: Outbox
  readonly settings: () => Settings
  /** The service of the moment, as it is. */
  readonly connection: () => ServiceClient
}

export interface Offering {
  readonly capabilities: Capabilities
  readonly keptHere: KeptHere
  readonly handlers: Handlers<'service.offers'>
  /** The service of the moment, asked for nothing that it does not offer. */
  client(): ServiceClient
  isUnknownThere(clientId: string): boolean
  senders(senders: Senders, plain: Parameters<typeof sendersOfWhatIsOffered>[1]['plain']): Senders
  /** Tells what stayed here, where the service of the moment takes it. */
  lookAtKept(): void
}

/** What the service of the moment can be told and asked; the one on this laptop takes all, and costs nothing to ask. */
export function openOffers(parts: Parts): Offering {
  const { db, clock, log, settings, connection } = parts
  const address = (): string | null => settings().service_address
  const isRemote = (): boolean => address() !== null
  const keptHere = createKeptHere(db)
  const keptAnswers = createKeptAnswers(db, clock)
  const capabilities = createCapabilities({ connection, address, keptAnswers, clock })
  const limited = new WeakMap<ServiceClient, ServiceClient>()
  capabilities.onAnswer((offers) => db.open && tellWhatWasKept({ ...parts, keptHere }, offers))

  return {
    capabilities,
    keptHere,
    isUnknownThere: (clientId) => keptHere.holds('create-client', clientId),
    client() {
      const client = connection()
      if (!isRemote()) return client
      const known = limited.get(client) ?? offeredClient(client, capabilities)
      limited.set(client, known)
      return known
    },
    senders: (senders, plain) => sendersOfWhatIsOffered(senders, { capabilities, keptHere, isRemote, plain }),
    lookAtKept() {
      if (!isRemote() || keptHere.counts().length === 0) return
      capabilities.now().catch((error: unknown) => log.info('offers.not-asked', { kind: errorKind(error) }))
    },
    handlers: {
      async 'service.offers'() {
        const offers = await knownOffers(capabilities)
        const kept_there = recordSorts.filter((sort) => offers !== null && isKeptThere[sort](offers))
        return {
          service: isRemote() ? 'remote' : 'embedded',
          is_known: offers !== null,
          kept_there,
          waiting: keptHere.counts(),
          brought_here: offers === null ? [] : kindsOf(offers).flatMap((kind) => sortOf[kind] ?? []),
          tells_changes: offers !== null && hasFeed(offers),
          unlisted: isRemote() ? unlistedHere(db) : [],
        }
      },
    },
  }
}

const isKeptThere: Readonly<Record<RecordSort, (offers: Offers) => boolean>> = {
  clients: (offers) => offers.has('clients.write'),
  sessions: () => true,
  consents: (offers) => offers.has('consents'),
  transcripts: (offers) => offers.has('transcripts'),
  notes: (offers) => offers.has('notes'),
  templates: (offers) => offers.has('templates'),
  working_hours: (offers) => offers.has('availability'),
}

async function knownOffers(capabilities: Capabilities): Promise<Offers | null> {
  try {
    return await capabilities.now()
  } catch (error) {
    if (error instanceof AppError) return null
    throw error
  }
}
