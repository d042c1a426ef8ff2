import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { extractAll, listPackage, statFile } from '@electron/asar'
import { FuseState, FuseV1Options, getCurrentFuseWire } from '@electron/fuses'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeDummyElectron } from '#test/support/dummy-electron.ts'
import { startApp } from '#test/support/electron/started-app.ts'
import { importedSymbols } from '#test/support/elf-symbols.ts'
import { repository } from '#test/support/machine.ts'

interface Contents {
  contents(): { files: string[]; imported: string[]; packages: string[]; bundled: string[] }
}
const tool = async <Exports>(name: string) =>
  (await import(pathToFileURL(join(repository, 'tools', 'package', name)).href)) as Exports

const target = `${process.platform}-${process.arch}`
const folder = mkdtempSync(join(tmpdir(), 'afterword-package-'))
const dummy = join(folder, 'electron')
const output = join(folder, 'dist')

/** npm run package -- ... */
function makePackage(...given: string[]) {
  const settings = [`-c.electronDist=${dummy}`, `-c.directories.output=${output}`]
  const { status, stdout, stderr } = spawnSync(process.execPath, [join('tools', 'package.mjs'), ...given, ...settings], {
    cwd: repository,
    encoding: 'utf8',
    env: { ...process.env, CI: 'true' },
  })
  return { status, text: stdout + stderr }
}

// Elsewhere the dummy runtime would have to be an app bundle or an .exe; there the desktop workflow makes real packages.
describe.skipIf(process.platform !== 'linux')('the Linux package', () => {
  const unpackedApp = join(output, process.arch === 'x64' ? 'linux-unpacked' : `linux-${process.arch}-unpacked`)
  const resources = join(unpackedApp, 'resources')
  const archive = join(resources, 'app.asar')
  const natives = join(resources, 'app.asar.unpacked')
  /** What is in the archive, as plain files: Node cannot read archives. */
  const extracted = join(folder, 'app')
  let names: string[] = []

  beforeAll(async () => {
    await makeDummyElectron(dummy)
    const made = makePackage('--linux', 'dir')
    if (made.status !== 0) throw new Error(made.text)
    names = listPackage(archive, { isPack: false }).map((name) => name.slice(1))
    extractAll(archive, extracted)
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  const filesBelow = (root: string) =>
    readdirSync(root, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))

  test('has every fuse as the settings say', async () => {
    const wire = await getCurrentFuseWire(join(unpackedApp, 'afterword'))
    const isOn = (option: FuseV1Options): boolean => wire[option] === FuseState.ENABLE
    expect({
      runAsNode: isOn(FuseV1Options.RunAsNode),
      cookieEncryption: isOn(FuseV1Options.EnableCookieEncryption),
      nodeOptions: isOn(FuseV1Options.EnableNodeOptionsEnvironmentVariable),
      inspect: isOn(FuseV1Options.EnableNodeCliInspectArguments),
      archiveIntegrity: isOn(FuseV1Options.EnableEmbeddedAsarIntegrityValidation),
      onlyArchive: isOn(FuseV1Options.OnlyLoadAppFromAsar),
      browserSnapshot: isOn(FuseV1Options.LoadBrowserProcessSpecificV8Snapshot),
      fileProtocol: isOn(FuseV1Options.GrantFileProtocolExtraPrivileges),
    }).toEqual({
      runAsNode: false,
      cookieEncryption: false,
      nodeOptions: false,
      inspect: false,
      archiveIntegrity: true,
      onlyArchive: true,
      browserSnapshot: false,
      fileProtocol: false,
    })
  })

  test('holds the packages the app loads, its built files and its resources, and nothing else', async () => {
    const isFile = (name: string): boolean => !('files' in statFile(archive, name))
    const packages = names.flatMap(
      (name) => /^node_modules\/(?:@[^/]+\/)?[^/]+(?=\/package\.json$)/.exec(name)?.[0].slice(13) ?? [],
    )
    const others = names
      .filter((name) => !name.startsWith('node_modules') && isFile(name))
      .map((name) => name.replace(/(?<=^out\/main\/).*-[\w-]{8}(?=\.js$)/, '*').replace(/(?<=\/assets\/).*(?=\.)/, '*'))
    const list = [...new Set(others), ...packages.map((name) => name.replace(process.arch, '<arch>'))]
    await expect(`${list.toSorted().join('\n')}\n`).toMatchFileSnapshot('package-contents.txt')
  })

  test('holds no source map, no TypeScript, no build stamp, nothing of the practice’s server or the preview', () => {
    const unwanted = /\.(map|ts|mts|cts|plist|md|test\.js)$|\.build-stamp|contents\.json|^out\/main\/(service|preview)/
    expect(names.filter((name) => unwanted.test(name))).toEqual([])
    const server = /^node_modules\/(@aws-sdk|@smithy|pg|pg-boss|prom-client|@redis|ioredis|@tus|@hono|ws|node-\w+-\w+)\//
    expect(names.filter((name) => server.test(name))).toEqual([])
  })

  test('adds less than 110 MB to Electron', () => {
    const bytes = filesBelow(resources).reduce((sum, file) => sum + statSync(file).size, 0)
    expect(bytes).toBeLessThan(110e6)
  })

  test('has the four native modules of its target outside of the archive, and none of another', async () => {
    const { nativeProblems } = await tool<{ nativeProblems(root: string, platform: string, arch: string): string[] }>(
      'native-modules.mjs',
    )
    expect(nativeProblems(natives, process.platform, process.arch)).toEqual([])
    const found = filesBelow(natives).filter((file) => file.endsWith('.node'))
    expect(found.map((file) => file.split('/').at(-1)!.replace(target, '<target>')).toSorted()).toEqual([
      '<target>.node',
      'argon2.<target>-gnu.node',
      'keyring.<target>-gnu.node',
      'sherpa-onnx.node',
    ])
    expect(names.filter((name) => name.endsWith('.node')).every((name) => statFile(archive, name).unpacked)).toBe(true)
    // The check itself sees what is missing and what is foreign.
    expect(nativeProblems(natives, 'win32', 'x64').join()).toMatch(/win32-x64\.node is missing.*is built for linux-/)
  })

  test('has native modules that need nothing of V8 or Node but Node-API', () => {
    for (const file of filesBelow(natives).filter((name) => name.endsWith('.node'))) {
      const symbols = importedSymbols(file)
      expect(symbols.some((name) => name.startsWith('napi_'))).toBe(true)
      expect(symbols.filter((name) => /^_ZNK?2v8|^_ZNK?4node|^node_module_register/.test(name))).toEqual([])
    }
  })

  test('names each package it ships in the license file, and each with a text', async () => {
    const text = readFileSync(join(resources, 'THIRD-PARTY-LICENSES.txt'), 'utf8')
    const { contents } = await tool<Contents>('contents.mjs')
    const { packages, bundled } = contents()
    const manifests = [...packages, ...bundled].map((name) => join(repository, name, 'package.json'))
    const sections = text.split(/^={80}\n(?=.*\nLicense: )/m).slice(1)
    const bodies = new Map(
      sections.map((section) => [section.slice(0, section.indexOf('\n')), section.split('='.repeat(80))[1] ?? '']),
    )
    for (const manifest of manifests) {
      const { name, version } = JSON.parse(readFileSync(manifest, 'utf8')) as { name: string; version: string }
      expect(bodies.get(`${name} ${version}`)?.length, name).toBeGreaterThan(300)
    }
    expect(bodies.has('SQLite (inside better-sqlite3)') && bodies.has('ONNX Runtime (inside sherpa-onnx)')).toBe(true)
    expect(readFileSync(join(unpackedApp, 'LICENSE.electron.txt'), 'utf8')).not.toBe('')
  })

  test('loads each package it needs from its own archive', async () => {
    const { contents } = await tool<Contents>('contents.mjs')
    const loaded = contents().imported.map((name) => `await import(${JSON.stringify(name)})`)
    // Reads its font metrics by path.
    const program = `${loaded.join('\n')}\nnew (await import('pdfkit')).default()`
    const { status, stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', program], { cwd: extracted })
    expect([status, stderr.toString()]).toEqual([0, ''])
  })

  test('starts from its own archive alone: makes records, keeps a client, and opens both again', async () => {
    const profile = join(folder, 'profile')
    const passphrase = 'four calm words here'
    const start = async (phase: string) => {
      const app = startApp({ appPath: extracted, isPackaged: true, profile })
      await app.until('window', (what) => what === 'shown')
      expect(await app.call('app.state', {})).toMatchObject({ ok: true, value: { phase, shell: 'electron' } })
      return app
    }
    const first = await start('first_run')
    const names = { therapist_name: 'Robin Kay', therapist_credential: null }
    expect(await first.call('vault.create', { protection: 'passphrase', passphrase, ...names })).toMatchObject({ ok: true })
    const client = await first.call('clients.create', { display_name: 'Jordan Vale' })
    if (!client.ok) throw new Error(client.error.code)
    const weekly = { start: '2027-01-05T10:00:00', rrule: 'FREQ=WEEKLY;COUNT=3', time_zone: 'America/New_York' }
    const session = { session_type: 'individual', duration_minutes: 50 } as const
    const series = await first.call('schedule.ask', { mode: 'propose', client_id: client.value.id, ...session, ...weekly })
    if (!series.ok) throw new Error(series.error.code)
    expect(series.value.proposals.map(({ occurrences }) => occurrences.length)).toContain(3)
    await first.ask('quit')
    expect(await first.ended).toEqual({ code: 0, signal: null })
    const second = await start('locked')
    expect(await second.call('vault.unlock', { passphrase })).toMatchObject({ ok: true })
    expect(JSON.stringify(await second.call('clients.list', {}))).toContain('Jordan Vale')
    await second.remove()
  })

  test.skipIf(spawnSync('dpkg-deb', ['--version']).error !== undefined)('becomes a .deb that a desktop shows', () => {
    // As compressed as it needs to be for a test.
    const made = makePackage('--linux', 'deb', '--prepackaged', unpackedApp, '-c.deb.compression=gz')
    expect([made.status, made.text]).toEqual([0, expect.any(String)])
    const deb = join(
      output,
      readdirSync(output).find((name) => name.endsWith('.deb'))!,
    )
    const dpkg = (...given: string[]): string => spawnSync('dpkg-deb', given, { encoding: 'utf8' }).stdout
    const listed = dpkg('--contents', deb)
    expect(listed).toMatch(/^-rw-r--r-- root\/root .* \.\/usr\/share\/applications\/afterword\.desktop$/m)
    expect(listed).toMatch(/^-rw-r--r-- root\/root .* \.\/usr\/share\/icons\/hicolor\/256x256\/apps\/afterword\.png$/m)
    expect(listed).toMatch(/^-rwxr-xr-x root\/root .* \.\/opt\/Afterword\/afterword$/m)
    expect(listed).toMatch(/ \.\/opt\/Afterword\/resources\/app\.asar$/m)
    expect(listed).toMatch(/ \.\/opt\/Afterword\/resources\/apparmor-profile$/m)
    const fields = dpkg('--field', deb)
    expect(fields).toMatch(/^Package: afterword$/m)
    expect(fields).toMatch(/^Homepage: https:/m)
    expect(fields).toMatch(/^Depends: libgtk-3-0, /m)
    dpkg('--raw-extract', deb, join(folder, 'deb'))
    const read = (name: string): string => readFileSync(join(folder, 'deb', name), 'utf8')
    expect(read('DEBIAN/postinst')).toMatch(/chmod 4755[^]*chrome-sandbox[^]*apparmor_parser --replace/)
    expect(read('DEBIAN/md5sums')).toMatch(/^[0-9a-f]{32} {2}opt\/Afterword\/resources\/app\.asar$/m)
    // Electron names its windows after `desktopName`, and the desktop joins them by this line.
    expect(read('usr/share/applications/afterword.desktop')).toMatch(/^StartupWMClass=afterword$/m)
  })

  test('is not made for a processor whose native modules are not installed', async () => {
    interface Context {
      appOutDir: string
      electronPlatformName: string
      arch: number
      packager: { getResourcesDir(): string }
    }
    const { default: afterPack } = await tool<{ default(context: Context): void }>('after-pack.mjs')
    const packager = { getResourcesDir: () => resources }
    /** As electron-builder numbers them. */
    const numbers: Readonly<Record<string, number>> = { x64: 1, arm64: 3 }
    const pack = (arch: string) => () =>
      afterPack({ appOutDir: unpackedApp, electronPlatformName: 'linux', arch: numbers[arch]!, packager })
    const other = process.arch === 'x64' ? 'arm64' : 'x64'
    expect(pack(process.arch)).not.toThrow()
    expect(pack(other)).toThrow(`keyring.linux-${other}-gnu.node is missing`)
    expect(pack(other)).toThrow(`is built for ${target}`)
  })
})

test('the app that imports a package of the practice’s server at its start is not packaged', async () => {
  const { followImports } = await tool<{
    followImports(chunks: Record<string, { imports: string[]; dynamicImports: string[] }>, starts: string[]): unknown
  }>('contents.mjs')
  const chunk = (imports: string[], dynamicImports: string[] = []) => ({ imports, dynamicImports })
  const lazy = {
    'index.js': chunk(['a.js', 'zod'], ['store.js', 'hono/cors']),
    'a.js': chunk(['node:fs']),
    'store.js': chunk(['pg']),
  }
  expect(followImports(lazy, ['index.js'])).toEqual({ files: ['a.js', 'index.js'], packages: ['hono', 'zod'] })
  const eager = { ...lazy, 'a.js': chunk(['store.js']) }
  expect(() => followImports(eager, ['index.js'])).toThrow('the desktop app loads pg through store.js')
})
