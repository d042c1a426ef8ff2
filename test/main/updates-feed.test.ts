import { generateKeyPairSync, randomBytes } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type UpdateServer, updateServer } from '#test/support/update-server.ts'
import { failsWith, installedAppImage } from './updates-kit.ts'

const bytes = randomBytes(1000)
let kit: Awaited<ReturnType<typeof installedAppImage>>
let server: UpdateServer
beforeEach(async () => {
  kit = await installedAppImage()
  server = kit.server
})
afterEach(() => kit.remove())

describe('a feed nobody vouches for', () => {
  test('is refused when one byte of it was changed', async () => {
    server.publish({ version: '1.1.0', bytes })
    server.replaceFeed(server.feed().replace('1.1.0', '1.1.1'))
    await expect(kit.source().check()).rejects.toMatchObject(failsWith('feed-unsigned'))
  })

  test('is refused when another key signed it', async () => {
    server.publish({ version: '1.1.0', bytes, signedWith: generateKeyPairSync('ed25519').privateKey })
    await expect(kit.source().check()).rejects.toMatchObject(failsWith('feed-unsigned'))
  })

  test('is refused when it is the signed feed of another system', async () => {
    server.publish({ version: '1.1.0', bytes, signedAs: 'latest-other.yml' })
    await expect(kit.source().check()).rejects.toMatchObject(failsWith('feed-unsigned'))
  })

  test('is refused when there is no signature', async () => {
    server.publish({ version: '1.1.0', bytes })
    server.intercept = (_, response, path) => path.endsWith('.sig') && Boolean(response.writeHead(404).end())
    await expect(kit.source().check()).rejects.toMatchObject(failsWith('feed-unsigned'))
  })

  test('is not read beyond its limit', async () => {
    server.publish({ version: '1.1.0', bytes })
    server.replaceFeed(Buffer.alloc(20_000_000, 'version: 1.1.0\n'))
    await expect(kit.source().check()).rejects.toMatchObject(failsWith('feed-unreadable'))
    expect(kit.paths()).toHaveLength(1)
  })

  test('names no other server to download from', async () => {
    const foreign = await updateServer()
    foreign.publish({ version: '1.1.0', bytes })
    server.publish({ version: '1.1.0', bytes, files: [`${foreign.address}/Afterword-1.1.0.AppImage`] })
    const updates = kit.source()
    await updates.check()
    await expect(updates.download(() => {})).rejects.toMatchObject(failsWith('feed-redirected'))
    expect(foreign.requests).toEqual([])
    await foreign.close()
  })
})

describe('a network in the way', () => {
  const html = '<html><body>Sign in to the hotel network</body></html>'
  test.each([['text/html'], ['text/plain']])('a sign-in page sent as %s is no feed', async (type) => {
    server.intercept = (_, response) => Boolean(response.writeHead(200, { 'content-type': type }).end(html))
    await expect(kit.source().check()).rejects.toMatchObject(failsWith('feed-unreadable'))
  })

  test('a sign-in page in the place of the download is no download', async () => {
    server.publish({ version: '1.1.0', bytes })
    const updates = kit.source()
    await updates.check()
    server.intercept = (_, response) => Boolean(response.writeHead(200, { 'content-type': 'text/html' }).end(html))
    await expect(updates.download(() => {})).rejects.toMatchObject(failsWith('feed-unreadable'))
    expect(kit.pending()).toEqual([])
  })

  test('a redirect to another host is not followed, one on the same host is', async () => {
    let visits = 0
    const portal = createServer((_, response) => {
      visits++
      response.end(html)
    })
    await new Promise<void>((done) => void portal.listen(0, '127.0.0.1', done))
    const away = `http://127.0.0.1:${(portal.address() as AddressInfo).port}/`
    server.intercept = (_, response) => Boolean(response.writeHead(302, { location: away }).end())
    await expect(kit.source().check()).rejects.toMatchObject(failsWith('feed-redirected'))
    expect(visits).toBe(0)
    portal.close()

    server.publish({ version: '1.1.0', bytes })
    server.intercept = (_, response, path) => {
      if (path.startsWith('/moved/') || path.endsWith('.sig')) return false
      return Boolean(response.writeHead(302, { location: `/moved${path}` }).end())
    }
    server.replace('/moved/latest-linux.yml', server.feed())
    server.replace('/moved/latest-linux-arm64.yml', server.feed())
    expect(await kit.source().check()).toMatchObject({ version: '1.1.0' })
    server.intercept = (request, response) => Boolean(response.writeHead(302, { location: request.url! }).end())
    await expect(kit.source().check()).rejects.toMatchObject(failsWith('feed-redirected'))
  })

  test.each([
    [404, 'feed-missing'],
    [403, 'feed-missing'],
    [500, 'feed-unreachable'],
    [429, 'feed-unreachable'],
  ])('an answer of %d is told as %s', async (status, code) => {
    server.intercept = (_, response) => Boolean(response.writeHead(status).end())
    await expect(kit.source().check()).rejects.toMatchObject(failsWith(code))
  })

  test('nobody there, or somebody who never answers, is told as unreachable', async () => {
    const gone = await updateServer()
    await gone.close()
    await expect(kit.source({ mirror: gone.address }).check()).rejects.toMatchObject(failsWith('feed-unreachable'))
    server.intercept = () => true
    await expect(kit.source({ stallMs: 50 }).check()).rejects.toMatchObject(failsWith('feed-unreachable'))
  })

  test('plain http is spoken to this machine alone', async () => {
    await expect(kit.source({ mirror: 'http://updates.example' }).check()).rejects.toMatchObject(failsWith('feed-redirected'))
  })
})
