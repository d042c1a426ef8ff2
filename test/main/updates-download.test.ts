import { randomBytes } from 'node:crypto'
import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { sendFile, type UpdateServer, updateServer } from '#test/support/update-server.ts'
import { failsWith, installedAppImage, isFile } from './updates-kit.ts'
import { expectMode } from '#test/support/file-mode.ts'

const bytes = randomBytes(3_000_000)
let kit: Awaited<ReturnType<typeof installedAppImage>>
let server: UpdateServer
beforeEach(async () => {
  kit = await installedAppImage()
  server = kit.server
})
afterEach(() => kit.remove())

describe('a newer version', () => {
  test('is shown with its notes as plain text, downloaded with progress, and put in the place of the old one', async () => {
    server.publish({ version: '1.1.0', bytes, notes: '<h2>Fixes</h2>\n\n\n\n<script>alert(1)</script>Two &amp; more' })
    const updates = kit.source()
    expect(await updates.check()).toEqual({
      version: '1.1.0',
      released_at: '2026-11-30T09:00:00.000Z',
      notes: 'Fixes\n\nalert(1)Two &amp; more',
      bytes: bytes.length,
      address: null,
    })
    expect(kit.paths().filter(isFile)).toEqual([])
    const seen: number[] = []
    await updates.download((progress) => seen.push(progress))
    expect(seen.at(-1)).toBe(1)
    expect(seen).toEqual(seen.toSorted((one, other) => one - other))
    expect(kit.installed()).not.toBe(bytes.toString('base64'))
    await updates.verify()
    expect(await updates.install()).toEqual({ startsApp: false })
    expect(kit.installed()).toBe(bytes.toString('base64'))
    expectMode(kit.image, 0o755)
    expect(readdirSync(kit.folder).filter((name) => name.includes('AppImage'))).toEqual(['Afterword-1.0.0.AppImage'])
  })

  test('costs three requests, and none of them says which laptop asks', async () => {
    server.publish({ version: '1.1.0', bytes })
    const updates = kit.source()
    await updates.check()
    await updates.download(() => {})
    const feed = kit.paths()[0]!
    expect(kit.paths()).toEqual([feed, `${feed}.sig`, '/Afterword-1.1.0.AppImage'])
    const names = new Set(server.requests.flatMap(({ headers }) => Object.keys(headers)))
    const usual = ['host', 'connection', 'accept', 'accept-encoding', 'accept-language', 'cache-control', 'pragma']
    const known = [...usual, 'sec-fetch-mode', 'user-agent']
    expect([...names].filter((name) => !known.includes(name))).toEqual([])
    expect(new Set(server.requests.map(({ headers }) => headers['user-agent']))).toEqual(new Set(['Afterword']))
  })

  test('that was downloaded before the app was closed is not downloaded again', async () => {
    server.publish({ version: '1.1.0', bytes })
    const first = kit.source()
    await first.check()
    await first.download(() => {})
    const again = kit.source()
    await again.check()
    await again.download(() => {})
    await again.verify()
    expect(kit.paths().filter(isFile)).toHaveLength(1)
  })

  test('comes from the mirror alone where one is named', async () => {
    const mirror = await updateServer()
    mirror.publish({ version: '1.2.0', bytes })
    const updates = kit.source({ mirror: mirror.address, server: mirror })
    expect(await updates.check()).toMatchObject({ version: '1.2.0' })
    expect(server.requests).toEqual([])
    await mirror.close()
  })

  test('is reported with the address of its package where a package manager installs it', async () => {
    server.publish({ version: '1.1.0', bytes, files: ['Afterword-1.1.0.AppImage', 'afterword_1.1.0_amd64.deb'] })
    const updates = kit.source({ installation: { kind: 'package', extension: 'deb' } })
    expect(await updates.check()).toMatchObject({ address: `${server.address}/afterword_1.1.0_amd64.deb` })
    await expect(updates.install()).rejects.toMatchObject(failsWith('install-failed'))
  })

  test('is found and downloaded as an installer on Windows', async () => {
    server.publish({ version: '1.1.0', bytes, files: ['Afterword-1.1.0.exe'] })
    const updates = kit.source({ installation: { kind: 'nsis' } })
    expect(await updates.check()).toMatchObject({ version: '1.1.0', bytes: bytes.length })
    await updates.download(() => {})
    await updates.verify()
    expect(kit.pending()).toContain('Afterword-1.1.0.exe')
  })
})

describe('no newer version', () => {
  test.each(['1.0.0', '0.9.9', '1.0.0-beta.2'])('%s is no update of 1.0.0, however well it is signed', async (version) => {
    server.publish({ version, bytes })
    const updates = kit.source()
    expect(await updates.check()).toBeNull()
    await expect(updates.download(() => {})).rejects.toMatchObject({ name: 'UpdateError' })
    expect(kit.paths().filter(isFile)).toEqual([])
  })
})

describe('a download', () => {
  test('that is not what the feed promised is thrown away, and the installed version is untouched', async () => {
    server.publish({ version: '1.1.0', bytes })
    const before = kit.installed()
    server.replace('/Afterword-1.1.0.AppImage', Buffer.concat([bytes.subarray(0, -1), Buffer.from([bytes.at(-1)! ^ 1])]))
    const updates = kit.source()
    await updates.check()
    await expect(updates.download(() => {})).rejects.toMatchObject(failsWith('download-damaged'))
    expect(kit.pending()).toEqual([])
    expect(kit.installed()).toBe(before)
    await expect(updates.verify()).rejects.toMatchObject(failsWith('download-damaged'))
  })

  test('that was cut twice goes on where it broke', async () => {
    server.publish({ version: '1.1.0', bytes })
    const ranges: (string | undefined)[] = []
    server.intercept = (request, response, path) => {
      if (!isFile(path)) return false
      ranges.push(request.headers.range)
      if (ranges.length > 2) return false
      const from = Number(/\d+/.exec(request.headers.range ?? '0')![0])
      response.writeHead(from > 0 ? 206 : 200, {
        'content-length': bytes.length - from,
        'content-range': `bytes ${from}-${bytes.length - 1}/${bytes.length}`,
      })
      response.write(bytes.subarray(from, from + 1_000_000), () => setTimeout(() => response.destroy(), 50))
      return true
    }
    const updates = kit.source()
    await updates.check()
    await updates.download(() => {})
    expect(ranges).toHaveLength(3)
    expect(ranges[0]).toBeUndefined()
    for (const range of ranges.slice(1)) expect(Number(/^bytes=(\d+)-$/.exec(range!)![1])).toBeGreaterThan(0)
    await updates.verify()
    await updates.install()
    expect(kit.installed()).toBe(bytes.toString('base64'))
  })

  test.each([
    ['the file changed meanwhile', true],
    ['the server knows no ranges', false],
  ])('begins anew where %s', async (_, knowsRanges) => {
    server.publish({ version: '1.1.0', bytes })
    const other = randomBytes(bytes.length)
    let answers = 0
    server.intercept = (request, response, path) => {
      if (!isFile(path)) return false
      answers++
      if (answers === 2) {
        if (!knowsRanges) delete request.headers.range
        sendFile(request, response, bytes)
        return true
      }
      response.writeHead(200, { etag: '"before"', 'content-length': other.length })
      response.write(other.subarray(0, 500_000), () => setTimeout(() => response.destroy(), 50))
      return true
    }
    const updates = kit.source()
    await updates.check()
    await updates.download(() => {})
    await updates.verify()
    expect(answers).toBe(2)
  })

  test('that never gets through ends, and can be asked for again', async () => {
    server.publish({ version: '1.1.0', bytes })
    const updates = kit.source()
    await updates.check()
    server.intercept = (_, response) => Boolean(response.destroy())
    await expect(updates.download(() => {})).rejects.toMatchObject(failsWith('download-interrupted'))
    server.intercept = () => false
    await updates.download(() => {})
    await updates.verify()
  })

  test('that is changed on the disk after it was verified is not installed', async () => {
    server.publish({ version: '1.1.0', bytes })
    const before = kit.installed()
    const updates = kit.source()
    await updates.check()
    await updates.download(() => {})
    await updates.verify()
    writeFileSync(kit.pendingFile('Afterword-1.1.0.AppImage'), 'something else')
    await expect(updates.install()).rejects.toMatchObject(failsWith('download-damaged'))
    expect(kit.installed()).toBe(before)
  })

  test('that is changed on the disk before it is installed is not installed', async () => {
    server.publish({ version: '1.1.0', bytes })
    const updates = kit.source()
    await updates.check()
    await updates.download(() => {})
    const file = kit.pendingFile('Afterword-1.1.0.AppImage')
    writeFileSync(file, 'something else')
    await expect(updates.verify()).rejects.toMatchObject(failsWith('download-damaged'))
    expect(existsSync(file)).toBe(false)
  })

  test('is not installed where its folder cannot be written', async () => {
    server.publish({ version: '1.1.0', bytes })
    const updates = kit.source()
    await updates.check()
    await updates.download(() => {})
    process.env['APPIMAGE'] = join(kit.folder, 'gone', 'Afterword.AppImage')
    await expect(updates.verify()).rejects.toMatchObject(failsWith('folder-read-only'))
    expect(await updates.install().catch((error: unknown) => error)).toMatchObject(failsWith('install-failed'))
  })
})
