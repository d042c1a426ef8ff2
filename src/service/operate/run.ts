import { cpSync, existsSync, mkdirSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Log } from '#base/log.ts'
import { replaceFile } from '#base/durable-file.ts'
import { openEncrypted, snapshot } from '#base/sqlite.ts'
import { systemClock, timestamp } from '#base/clock.ts'
import { newId } from '#base/ids.ts'
import { planSchema } from '#contract/model/me.ts'
import { exportKey, newOwnerKey, byOperator, insertOwnerKey, openPractice } from './keys.ts'
import { Mistake } from './server-settings.ts'
import { modelCommands } from './models.ts'
import { closePractice, exportToFile, importFromFile, removePractice, reopenPractice } from './move-practice.ts'
import { serve } from './serve.ts'
import type { Settings } from './settings.ts'
import { openStore } from '../store/open-store.ts'
import { migrations } from '../store/migrations.ts'
import { databaseFile, findPlace, lockData, type Say, withStore } from './place.ts'
import { listRefused } from '../store/call-counts.ts'
import { blobFolder, manifestFile, manifestOf, restore, verify } from './copy.ts'
import { appendAudit } from '../store/audit.ts'
import { inPractice } from '../store/in-practice.ts'
import { allPractices, ensurePractice, setPlan } from '../store/practices.ts'

const MAX_NAME = 200

async function addPractice(settings: Settings, log: Log, say: Say, given = ''): Promise<number> {
  const name = given.trim()
  if (name === '' || name.length > MAX_NAME) throw new Mistake(`A name has 1 to ${MAX_NAME} characters.`)
  return withStore(settings, log, async (db, { keys }) => {
    const id = newId(systemClock)
    const secret = await inPractice(db, id, async (write) => {
      await ensurePractice(write, id, name, settings.plan, timestamp(systemClock))
      return insertOwnerKey(write, id, keys.pepper)
    })
    say(`practice: ${id}`)
    say(`owner key: ${secret}`)
  })
}

function listPractices(settings: Settings, log: Log, say: Say): Promise<number> {
  return withStore(settings, log, async (db) => {
    for (const { id, plan, created_at, name, state, moved_to } of await allPractices(db))
      say(`${id} ${(moved_to === null ? state : 'moved').padEnd(8)} ${plan.padEnd(12)} since ${created_at.slice(0, 10)} ${name}`)
  })
}

async function changePlan(settings: Settings, log: Log, say: Say, id = '', plan = ''): Promise<number> {
  const wanted = planSchema.safeParse(plan).data
  if (wanted === undefined) throw new Mistake(`There is no plan "${plan}". There are ${planSchema.options.join(', ')}.`)
  return withStore(settings, log, async (db) => {
    await openPractice(db, id)
    await inPractice(db, id, async (write) => {
      await setPlan(write, id, wanted)
      await appendAudit(write, id, byOperator('changePlan', 'U', [id]))
    })
    say(`${id} is now on the plan ${plan}`)
  })
}

const MAX_LINES = 500

function refused(settings: Settings, log: Log, say: Say): Promise<number> {
  return withStore(settings, log, async (db) => {
    const rows = await listRefused(db, MAX_LINES)
    for (const { hour, source, reason, calls } of rows) say(`${hour}:00Z ${source} ${calls} ${meanings[reason] ?? reason}`)
    if (rows.length === 0) say('no calls were refused in the last 30 days')
  })
}

const meanings: Readonly<Record<string, string>> = { none: 'without a key', wrong: 'with a wrong key or token' }

type Run = (settings: Settings, log: Log, say: Say) => Promise<number>

interface Command {
  readonly arguments?: readonly string[]
  readonly optional?: number
  readonly run: (settings: Settings, log: Log, say: Say, ...given: string[]) => Promise<number>
}

const done =
  (work: (settings: Settings, log: Log, say: Say) => Promise<void>): Run =>
  async (settings, log, say) => {
    await work(settings, log, say)
    return 0
  }

const models = modelCommands()
const model = 'the id of the model'

const commands: Readonly<Record<string, Command>> = {
  serve: { run: done(serve) },
  'audit verify': { run: verify },
  'audit refused': { run: refused },
  backup: { arguments: ['the new folder that the copy goes to'], run: backup },
  restore: { arguments: ['the folder that the copy is in'], run: restore },
  migrate: { run: done(migrateStore) },
  keys: { run: newOwnerKey },
  'practices add': { arguments: ['the name of the new practice'], run: addPractice },
  'practices list': { run: listPractices },
  'practices export': { arguments: ['the id of the practice', 'the new file it goes to'], run: exportToFile },
  'practices import': { arguments: ['the file that holds the practice'], run: importFromFile },
  'practices close': { arguments: ['the id of the practice'], run: closePractice },
  'practices open': { arguments: ['the id of the practice'], run: reopenPractice },
  'practices remove': { arguments: ['the id of the practice'], run: removePractice },
  'practices plan': { arguments: ['the id of the practice', 'its plan (free, professional, enterprise)'], run: changePlan },
  'keys export': { arguments: ['the new file that the key goes to'], run: exportKey },
  models: { run: models.list },
  'models install': { arguments: [model], run: models.install },
  'models import': { arguments: ['the folder or file of the model'], optional: 1, run: models.import },
  'models choose': { arguments: [model], run: models.choose },
  'models test': { arguments: [model], run: models.test },
  'models remove': { arguments: [model], run: models.remove },
}

export function findCommand(words: readonly string[]): Run {
  if (words.length === 0) return commands['serve']!.run as Run
  for (const length of [2, 1]) {
    const name = words.slice(0, length).join(' ')
    if (!Object.hasOwn(commands, name)) continue
    const { arguments: wanted = [], optional = 0, run } = commands[name]!
    const given = words.slice(length)
    if (given.length < wanted.length) throw new Mistake(`${name}: say ${wanted.slice(given.length).join(' and ')}.`)
    if (given.length > wanted.length + optional) throw new Mistake(`${name}: there is a word too many.`)
    return (settings, log, say) => run(settings, log, say, ...given)
  }
  throw new Mistake(`There is no command "${words.join(' ')}". --help names them all.`)
}

async function migrateStore(settings: Settings, log: Log, say: Say): Promise<void> {
  const { data, store, key } = await findPlace(settings, log)
  const lock = store.kind === 'sqlite' ? lockData(data) : null
  const db = await openStore(store)
  key.fill(0)
  await db.destroy()
  lock?.release()
  say(`the store is at version ${migrations.at(-1)?.version}`)
}

async function backup(settings: Settings, log: Log, say: Say, folder: string): Promise<number> {
  const to = resolve(folder)
  if (existsSync(to)) throw new Mistake(`${to} is there already; a backup goes into a new folder.`)
  if (settings.database_url !== undefined)
    throw new Mistake('PostgreSQL is backed up with its own tools (pg_dump, or base backups and WAL): see docs/operating.md.')
  const { data, key } = await findPlace(settings, log)
  mkdirSync(to, { recursive: true, mode: 0o700 })
  try {
    const source = openEncrypted(databaseFile(data), key)
    try {
      snapshot(source, databaseFile(to))
    } finally {
      source.close()
    }
    // Copy blobs after the database, so that the copied database references no blob that is newer than the blob copy.
    if (existsSync(blobFolder(data))) cpSync(blobFolder(data), blobFolder(to), { recursive: true })
    const manifest = await manifestOf(to, key)
    replaceFile(join(to, manifestFile), `${JSON.stringify(manifest, null, 2)}\n`)
    say(`${Object.values(manifest.rows).reduce((sum, count) => sum + count, 0)} rows and ${manifest.blobs} blobs are in ${to}`)
    say('It opens with the key of the store alone. Keep that key elsewhere ("keys export FILE" writes it).')
    return 0
  } catch (error) {
    rmSync(to, { recursive: true, force: true })
    throw error
  } finally {
    key.fill(0)
  }
}
