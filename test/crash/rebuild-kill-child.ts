/**
 * `node rebuild-kill-child.ts FOLDER STEP`: opens the damaged profile in FOLDER and kills itself before the given step of its
 * rebuilds; a step is a change of the folder, or a row that goes into a new database. Writes the name of each step.
 */
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { basename, join } from 'node:path'
import { argv, exit, kill, pid } from 'node:process'
import Database from 'better-sqlite3'

const [folder = '', killAt = '0'] = argv.slice(2)
let count = 0

function step(name: string): void {
  count += 1
  fs.writeSync(1, `${name}\n`)
  if (count === Number(killAt)) kill(pid, 'SIGKILL')
}

/** Of a file that is being made, set aside or put in place. */
const isOfRebuild = (path: unknown): boolean =>
  typeof path === 'string' && /(vault|service)\.db(-wal|-shm)?$|\.rebuil|\.damaged-|\.unreadable-|\.renaming/.test(path)

const kindOf = (path: string): string => basename(path).replace(/\d{4}-\d\d-\d\dT[\d-]{8}/, 'DATE')

const { renameSync, rmSync } = fs
fs.renameSync = (from, to) => {
  if (isOfRebuild(from) || isOfRebuild(to)) step(`rename ${kindOf(String(from))}`)
  renameSync(from, to)
}
fs.rmSync = (path, options) => {
  if (isOfRebuild(path) && fs.existsSync(path)) step(`remove ${kindOf(String(path))}`)
  rmSync(path, options)
}
syncBuiltinESMExports()

type Prepared = ReturnType<Database.Database['prepare']>
const { prepare } = Database.prototype
Database.prototype.prepare = function (this: Database.Database, sql: string): Prepared {
  const statement = prepare.call(this, sql) as Prepared
  const what = /^insert or (?:replace|ignore) into "(\w+)"/.exec(sql)?.[1]
  if (!this.name.endsWith('.rebuilding') || what === undefined) return statement
  const run = statement.run.bind(statement) as (...values: unknown[]) => Database.RunResult
  statement.run = (...values: unknown[]) => {
    step(`row of ${what}`)
    return run(...values)
  }
  return statement
} as typeof prepare

const { coreKit } = await import('#test/core/core-kit.ts')
const { fileKeychain } = await import('#test/core/file-keychain.ts')
const open = await coreKit({ folder: join(folder, 'profile') }).open({ keychain: fileKeychain(join(folder, 'keychain.json')) })
if (open.core.state().phase === 'ready') await open.settled()
await open.core.close()
exit(0)
