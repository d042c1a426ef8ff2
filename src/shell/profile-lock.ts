import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { chmodSync, existsSync, linkSync, readFileSync, realpathSync, rmSync } from 'node:fs'
import { createConnection, createServer, type Server } from 'node:net'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { rename, writeSynced } from '#base/durable-file.ts'

export interface ProfileLock {
  release(): void
}

/**
 * Allows one app per profile, with a listening socket whose path depends on the folder. Another user may take the path, so
 * both sides prove with an HMAC that they can read the profile.
 * @returns the lock, or the answer of the app that holds it; '' if there is no answer or its proof is wrong
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

/** Of two starts that find the same dead socket, the second must not remove the new socket of the first. */
async function removeDeadSocket(path: string, secret: Buffer): Promise<void> {
  if (!existsSync(path)) return
  const aside = `${path}.${process.pid}`
  rename(path, aside)
  if ((await knock(aside, secret)) === null) rmSync(aside, { force: true })
  else rename(aside, path)
}

const KEY_BYTES = 32
const MAX_SOCKET_PATH_BYTES = 104

/** The path is the same for all links to a folder, and for any upper or lower case on macOS and Windows. */
export function socketPath(folder: string, platform: NodeJS.Platform, temporary = tmpdir()): string {
  const real = realpathSync.native(folder)
  const one = platform === 'darwin' || platform === 'win32' ? real.normalize('NFC').toLowerCase() : real
  const name = `afterword-${createHash('sha256').update(one).digest('hex').slice(0, 24)}`
  if (platform === 'win32') return `\\\\.\\pipe\\${name}`
  // Linux frees an abstract socket name when its process ends; a socket file could be left behind.
  if (platform === 'linux') return `\0${name}-${userInfo().uid}`
  // A socket in the profile is safer: macOS deletes old files from its temporary folder, even while the app runs.
  const beside = join(real, 'instance.sock')
  return Buffer.byteLength(beside) < MAX_SOCKET_PATH_BYTES ? beside : join(temporary, `${name}.sock`)
}

function instanceKey(folder: string): Buffer {
  const path = join(folder, 'knock.key')
  const known = readKey(path)
  if (known !== null) return known
  const whole = `${path}.${process.pid}.new`
  writeSynced(whole, randomBytes(KEY_BYTES))
  try {
    // Unlike a rename, a link never replaces a key that another start has just created.
    linkSync(whole, path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') rename(whole, path)
  } finally {
    rmSync(whole, { force: true })
  }
  const made = readKey(path)
  // The key file is gone, e.g. because another start has moved the folder away (profile-folder.ts).
  if (made === null) throw Object.assign(new Error('the instance key cannot be read'), { code: 'ENOENT' })
  return made
}

/** Removes a key of the wrong length: after a power loss it may be empty, and any program could guess an empty key. */
function readKey(path: string): Buffer | null {
  const found = existsSync(path) ? readFileSync(path) : null
  if (found === null || found.length === KEY_BYTES) return found
  rmSync(path, { force: true })
  return null
}

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
