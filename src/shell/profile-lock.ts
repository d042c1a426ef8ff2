import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { chmodSync, closeSync, existsSync, fsyncSync, linkSync, openSync, readFileSync, realpathSync, rmSync } from 'node:fs'
import { createConnection, createServer, type Server } from 'node:net'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { writeAll } from '#base/durable-file.ts'
import { rename } from '#base/rename.ts'

export interface ProfileLock {
  release(): void
}

/**
 * One app per profile. The lock is a listening socket named after the folder, so it ends with its process, however
 * that ends. A second start connects, the first answers with what it wants said (the preview: its address), and shows
 * itself. Socket names can be seen and taken by other people of this machine, so both sides prove that they can read
 * the profile: a process that cannot gets no answer, and what it says is not believed.
 *
 * The process that opens the records also holds a lock file inside the folder (core-threads.ts), which a start finds by
 * every path to it.
 *
 * @returns the lock, or what the first one answered; empty where whoever holds it could not prove itself
 */
export async function lockProfile(
  folder: string,
  onKnock: () => string,
  platform: NodeJS.Platform = process.platform,
): Promise<ProfileLock | { readonly answered: string }> {
  const path = socketPath(folder, platform)
  const isFile = platform !== 'linux' && platform !== 'win32'
  const secret = instanceKey(folder)
  for (const attempt of ['first', 'after removing a dead socket']) {
    const server = await listen(path, secret, onKnock)
    if (server !== null) {
      if (isFile) chmodSync(path, 0o600)
      return { release: () => server.close() }
    }
    const answered = await knock(path, secret)
    if (answered !== null) return { answered }
    if (attempt === 'first' && isFile) await removeDeadSocket(path, secret)
  }
  return { answered: '' }
}

/** Of two starts that find the same dead socket, the second must not remove the one the first has made since. */
async function removeDeadSocket(path: string, secret: Buffer): Promise<void> {
  if (!existsSync(path)) return
  const aside = `${path}.${process.pid}`
  rename(path, aside)
  if ((await knock(aside, secret)) === null) rmSync(aside, { force: true })
  else rename(aside, path)
}

const KEY_BYTES = 32
/** `sun_path` of macOS, its final zero byte included. */
const MAX_SOCKET_PATH_BYTES = 104

/** Exported for its test. Links to a folder, and its name in other letters where the disk ignores case, give one name. */
export function socketPath(folder: string, platform: NodeJS.Platform, temporary = tmpdir()): string {
  const real = realpathSync.native(folder)
  const one = platform === 'darwin' || platform === 'win32' ? real.normalize('NFC').toLowerCase() : real
  const name = `afterword-${createHash('sha256').update(one).digest('hex').slice(0, 24)}`
  if (platform === 'win32') return `\\\\.\\pipe\\${name}`
  // Linux: an abstract name, which ends with its process. Elsewhere a file, which may be left behind.
  if (platform === 'linux') return `\0${name}-${userInfo().uid}`
  // macOS deletes old files from its temporary folder, also while the app runs.
  const beside = join(real, 'instance.sock')
  return Buffer.byteLength(beside) < MAX_SOCKET_PATH_BYTES ? beside : join(temporary, `${name}.sock`)
}

/** Readable by this user alone, like the rest of the folder. Appears under its name only once it is whole. */
function instanceKey(folder: string): Buffer {
  const path = join(folder, 'knock.key')
  const known = readKey(path)
  if (known !== null) return known
  const whole = `${path}.${process.pid}.new`
  const file = openSync(whole, 'w', 0o600)
  try {
    writeAll(file, randomBytes(KEY_BYTES))
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
  try {
    // Unlike a rename, a link never replaces the key of another start.
    linkSync(whole, path)
  } catch (error) {
    // Some disks have no links.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') rename(whole, path)
  } finally {
    rmSync(whole, { force: true })
  }
  const made = readKey(path)
  if (made === null) throw new Error('the instance key cannot be read')
  return made
}

/** Null where there is none. A key of another length is damaged, e.g. empty after a power cut, and would let anyone in. */
function readKey(path: string): Buffer | null {
  const found = existsSync(path) ? readFileSync(path) : null
  if (found === null || found.length === KEY_BYTES) return found
  rmSync(path, { force: true })
  return null
}

/** 64 hex digits over the knocker's nonce and what is said. */
function proof(secret: Buffer, nonce: string, said: string): string {
  return createHmac('sha256', secret).update(`${nonce} ${said}`).digest('hex')
}

function isProof(given: string, secret: Buffer, nonce: string, said: string): boolean {
  const expected = Buffer.from(proof(secret, nonce, said))
  const bytes = Buffer.from(given)
  return bytes.length === expected.length && timingSafeEqual(bytes, expected)
}

function listen(path: string, secret: Buffer, onKnock: () => string): Promise<Server | null> {
  return new Promise((done, fail) => {
    const server = createServer((socket) => {
      let text = ''
      socket.setEncoding('utf8')
      socket.setTimeout(2000, () => socket.destroy())
      socket.on('error', () => {})
      socket.on('data', (part: string) => {
        text += part
        if (text.length > 200) socket.destroy()
        if (!text.endsWith('\n')) return
        const [nonce = '', given = ''] = text.trim().split(' ')
        if (!isProof(given, secret, nonce, 'knock')) return void socket.destroy()
        const said = onKnock()
        socket.end(`${proof(secret, nonce, said)} ${said}`)
      })
    })
    server.on('error', (error: NodeJS.ErrnoException) => (error.code === 'EADDRINUSE' ? done(null) : fail(error)))
    server.listen(path, () => {
      server.unref()
      done(server)
    })
  })
}

function knock(path: string, secret: Buffer): Promise<string | null> {
  return new Promise((done) => {
    const nonce = randomBytes(16).toString('hex')
    const socket = createConnection(path, () => socket.write(`${nonce} ${proof(secret, nonce, 'knock')}\n`))
    let text = ''
    socket.setEncoding('utf8')
    socket.setTimeout(5000, () => socket.destroy())
    socket.on('data', (part: string) => (text += part))
    socket.on('error', () => done(null))
    socket.on('close', () => {
      const said = text.slice(65)
      done(isProof(text.slice(0, 64), secret, nonce, said) ? said : '')
    })
  })
}
