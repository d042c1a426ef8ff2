import { sql } from 'kysely'
import { PgBoss, fromKysely } from 'pg-boss'
import { errorKind } from '#base/log.ts'
import { newId } from '#base/ids.ts'
import { inPractice } from '../store/in-practice.ts'
import type { OperationKind, OperationRow, WorkQueue } from '../store/operations.ts'
import { claimRow, forsake, getOperation, isOver, LEASE_MS, renewLease, runningElsewhere, setQueue } from '../store/operations.ts'
import { convertPostgres } from '../store/postgres/failures.ts'
import { channel, openNews } from '../store/postgres/open.ts'
import type { Database, Write } from '../store/tables.ts'
import type { ClaimLimits, JobNews, JobPort, JobPorts } from './run.ts'

interface JobData {
  readonly operation: string
  readonly practice: string
}

const schema = 'afterword_jobs'
const DAY = 24 * 60 * 60
const queueOptions = {
  retryLimit: 1_000_000,
  retryDelay: 0,
  expireInSeconds: DAY - 1,
  heartbeatSeconds: LEASE_MS / 1000,
  retentionSeconds: 365 * DAY,
  deleteAfterSeconds: DAY,
}
const SWEEP_MS = 5000
const workerLock = (owner: string): string => `afterword worker ${owner}`

/** Adding, ending, or handing back an operation changes its row, which holds the state, and its job in one transaction. */
export async function pgBossJobs(ports: JobPorts, url: string, kinds: readonly OperationKind[]): Promise<JobPort> {
  const { db, clock, log } = ports
  const owner = newId(clock)
  const news = await openNews(url, workerLock(owner)).catch((error: unknown) => {
    throw convertPostgres(error)
  })
  const boss = await startBoss(ports, url, kinds).catch(async (error: unknown) => {
    await news.close()
    throw convertPostgres(error)
  })
  const taken = new Map<OperationKind, Map<string, OperationRow>>()
  setQueue(db, queueOver(boss))
  await sweep(db, owner)
  const sweepOrSay = (): void => void sweep(db, owner).catch((error) => log.error('jobs.sweep', { error: errorKind(error) }))
  const sweeper = setInterval(sweepOrSay, SWEEP_MS)
  sweeper.unref()
  return {
    owner,
    lookAgainMs: 2000,
    claim: async (kind, limits) => {
      const mine = taken.get(kind) ?? new Map<string, OperationRow>()
      taken.set(kind, mine)
      for (const before of [...mine.values()].filter(({ id }) => !limits.busy.has(id))) {
        const again = await claimAgain(ports, before, owner)
        if (again !== null) return again
        mine.delete(before.id)
      }
      const row = await claim(ports, boss, kind, owner, limits)
      if (row !== null) mine.set(row.id, row)
      return row
    },
    renew: async ({ id, kind, practice_id }) => {
      await boss.touch(kind, id)
      return inPractice(db, practice_id, (write) => renewLease(write, id, owner, clock.now() + LEASE_MS))
    },
    listen: ({ work, over }: JobNews) => news.listen((text) => (text.startsWith('over ') ? over(text.slice(5)) : work())),
    close: async () => {
      clearInterval(sweeper)
      await boss.stop({ graceful: false })
      await news.close()
    },
  }
}

async function startBoss({ log }: JobPorts, url: string, kinds: readonly OperationKind[]): Promise<PgBoss> {
  const boss = new PgBoss({ connectionString: url, schema, max: 3, schedule: false, superviseIntervalSeconds: 15 })
  boss.on('error', (error) => log.error('jobs.queue', { error: errorKind(error) }))
  await boss.start()
  for (const kind of kinds) await boss.createQueue(kind, queueOptions)
  return boss
}

function queueOver(boss: PgBoss): WorkQueue {
  const within = (write: Write) => ({ db: fromKysely(write) })
  const tell = (write: Write, text: string) => sql`select pg_notify(${channel}, ${text})`.execute(write)
  return {
    async added(write, { id, kind, practice_id }) {
      const data: JobData = { operation: id, practice: practice_id }
      await boss.send(kind, data, { id, group: { id: practice_id }, ...within(write) })
      await tell(write, 'work')
    },
    async ended(write, { id, kind }) {
      await boss.complete(kind, id, null, { includeQueued: true, ...within(write) })
      await tell(write, `over ${id}`)
    },
    async handedBack(write, { id, kind }) {
      await boss.fail(kind, id, null, within(write))
      await tell(write, 'work')
    },
  }
}

function claimAgain({ db, clock }: JobPorts, { id, practice_id }: OperationRow, owner: string): Promise<OperationRow | null> {
  return inPractice(db, practice_id, async (write) => {
    const row = await getOperation(write, practice_id, id)
    return row.status === 'running' && row.lease_owner === owner ? claimRow(write, row, owner, clock.now()) : null
  })
}

async function claim(
  { db, clock }: JobPorts,
  boss: PgBoss,
  kind: OperationKind,
  owner: string,
  { except, isOnePerPractice }: ClaimLimits,
): Promise<OperationRow | null> {
  const groups = { ignoreGroups: [...except], ...(isOnePerPractice ? { groupConcurrency: 1 } : {}) }
  for (;;) {
    const [job] = await boss.fetch<JobData>(kind, groups).catch((error: unknown) => {
      throw convertPostgres(error)
    })
    if (job === undefined) return null
    const { practice, operation } = job.data
    const row = await inPractice(db, practice, async (write) => {
      const found = await getOperation(write, practice, operation)
      return isOver(found.status) ? null : claimRow(write, found, owner, clock.now())
    })
    if (row !== null) return row
    await boss.complete(kind, job)
  }
}

/** If the lock of a worker is free, its process counts as dead, so its operations are released. */
async function sweep(db: Database, owner: string): Promise<void> {
  const { rows: busy } = await sql<{ practice: string }>`
    select distinct data ->> 'practice' as practice from ${sql.table(`${schema}.job`)} where state = 'active'`.execute(db)
  for (const { practice } of busy) {
    await inPractice(db, practice, async (write) => {
      for (const row of await runningElsewhere(write, owner)) {
        const { rows } = await sql<{ gone: boolean }>`
          select pg_try_advisory_xact_lock(hashtextextended(${workerLock(row.lease_owner)}, 0)) as gone`.execute(write)
        if (rows[0]?.gone === true) await forsake(write, row)
      }
    })
  }
}
