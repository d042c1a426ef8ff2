import type { FigurePeriod } from '#contract/bridge/figures.ts'
import type { ExportTicket } from '#contract/bridge/library.ts'
import type { Handlers } from '#contract/bridge/methods.ts'
import type { Analytics } from '#contract/model/analytics.ts'
import { analyticsSchema } from '#contract/model/analytics.ts'
import type { Clock } from '#base/clock.ts'
import { systemTimeZone } from '#base/system-time-zone.ts'
import type { ServiceClient } from '#client/client.ts'
import type { KeptAnswer, KeptAnswers } from '#core/records/kept-answers.ts'
import { figuresCsv } from './figures-csv.ts'
import { intervalOf } from './period.ts'

interface Parts {
  readonly client: () => ServiceClient
  readonly keptAnswers: KeptAnswers
  readonly clock: Clock
  /** Hands a file to the window. */
  readonly issue: (stem: string, format: 'csv', bytes: Buffer) => ExportTicket
}

/** The service counts; this asks it for the days the therapist sees. */
export function figureHandlers({ client, keptAnswers, clock, issue }: Parts): Handlers<'figures.read' | 'figures.export'> {
  function read(period: FigurePeriod): Promise<KeptAnswer<Analytics>> {
    const time_zone = systemTimeZone()
    const query = { ...intervalOf(period, clock.now(), time_zone), time_zone }
    const question = `figures ${query.from} ${query.to} ${query.group_by} ${time_zone}`
    return keptAnswers.ask(question, analyticsSchema, async () => (await client().call('readAnalytics', { query })).data)
  }
  return {
    async 'figures.read'({ period }) {
      const { value: analytics, ...answered } = await read(period)
      return { analytics, ...answered }
    },
    async 'figures.export'({ period }) {
      const { value } = await read(period)
      return issue(`figures-${value.from}-to-${value.to}`, 'csv', Buffer.from(figuresCsv(value)))
    },
  }
}
