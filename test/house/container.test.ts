import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { load } from 'js-yaml'
import { afterAll, describe, expect, test } from 'vitest'
import { readSettings } from '#service/operate/read-settings.ts'
import { aboutSetting, settingNames } from '#service/operate/settings.ts'
import { repository } from '#test/support/machine.ts'
import { expectMode } from '#test/support/file-mode.ts'

// Images are built in the hosted CI alone; what can be told without building them is told here.
const home = join(repository, 'tools', 'container')
const read = (name: string): string => readFileSync(join(home, name), 'utf8')

interface Service {
  readonly image: string
  readonly user?: string
  readonly read_only?: boolean
  readonly cap_drop?: string[]
  readonly security_opt?: string[]
  readonly environment?: Record<string, string>
  readonly secrets?: string[]
  readonly volumes?: string[]
  readonly ports?: string[]
  readonly networks?: string[]
  readonly stop_grace_period?: string
}
interface Compose {
  readonly services: Record<string, Service>
  readonly secrets: Record<string, { file: string }>
  readonly volumes: Record<string, unknown>
  readonly networks: Record<string, { internal?: boolean }>
}

const compose = load(read('compose.yaml')) as Compose
const ours = Object.entries(compose.services).filter(([, { image }]) => image === 'afterword-service')
const known = settingNames.flatMap((name) => {
  const { variable, isSecret } = aboutSetting(name)
  return isSecret ? [variable, `${variable}_FILE`] : [variable]
})
const containerfile = read('Containerfile')
const instructions = containerfile
  .replaceAll('\\\n', ' ')
  .split('\n')
  .filter((line) => /^[A-Z]+ /.test(line))
const all = (name: string): string[] =>
  instructions.filter((line) => line.startsWith(`${name} `)).map((line) => line.slice(name.length + 1))
const environmentOfImage = Object.fromEntries(
  all('ENV').flatMap((line) => line.split(' ').map((pair) => pair.split('=') as [string, string])),
)

const folder = mkdtempSync(join(tmpdir(), 'afterword-container-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe('the compose file', () => {
  test('runs two processes of the service on one PostgreSQL, and only the proxy is reached from outside', () => {
    expect(ours).toHaveLength(2)
    const open = Object.entries(compose.services).filter(([, { ports }]) => ports !== undefined)
    expect(open.map(([name]) => name)).toEqual(['proxy'])
    expect(compose.services['postgres']?.networks).toEqual(['inside'])
    expect(compose.networks['inside']).toEqual({ internal: true })
  })

  test.each(ours)('%s may do nothing it need not: no root, nothing to write to but its data, no capability', (_name, service) => {
    expect(service).toMatchObject({
      user: '10001:10001',
      read_only: true,
      cap_drop: ['ALL'],
      security_opt: ['no-new-privileges:true'],
    })
    // What it has to answer calls under way, after the delay and the limit of the service itself.
    expect(Number.parseInt(service.stop_grace_period ?? '0', 10)).toBeGreaterThan(65)
  })

  test.each(ours)('%s has the memory that the operators’ page states, and a heap that leaves half of it', (_name, service) => {
    expect(service).toHaveProperty('mem_limit', '${AFTERWORD_MEMORY:-1280m}')
    expect(containerfile).toContain('NODE_OPTIONS=--max-old-space-size=256')
    expect(readFileSync(join(repository, 'docs', 'operating.md'), 'utf8')).toMatch(/512 MB at most[^]*1,280 MB/)
  })

  test.each(ours)('%s is told only what the service knows, and starts with it', (_name, { environment = {} }) => {
    for (const name of Object.keys(environment)) expect(known).toContain(name)
    const secret = join(folder, 'secret')
    writeFileSync(secret, 'postgres://afterword:a-long-password@postgres:5432/afterword\n')
    const told = Object.fromEntries(
      Object.entries({ ...environmentOfImage, ...environment }).map(([name, value]) => [
        name,
        value.startsWith('/run/secrets/') ? secret : value.replace(/^\$\{\w+:-(\w+)\}$/, '$1'),
      ]),
    )
    expect(readSettings(['serve'], told).mistakes).toEqual([])
    expect(readSettings(['serve'], environmentOfImage).mistakes.join()).toContain('needs TLS')
  })

  test('secrets come as files, each of them is declared, and none has its value here', () => {
    for (const { secrets = [], environment = {} } of Object.values(compose.services)) {
      for (const name of secrets) expect(compose.secrets).toHaveProperty(name)
      const files = Object.values(environment).filter((value) => value.startsWith('/run/secrets/'))
      for (const file of files) expect(secrets).toContain(file.slice('/run/secrets/'.length))
      for (const [name, value] of Object.entries(environment))
        if (/PASSWORD|TOKEN|KEY|URL/.test(name)) expect(value).toMatch(/^\/run\/secrets\//)
    }
    for (const { file } of Object.values(compose.secrets)) expect(file).toMatch(/^\$\{AFTERWORD_SECRETS:-\.\/secrets\}\//)
  })

  test('every file it mounts is there, every volume is declared, and no image is the latest of anything', () => {
    for (const { volumes = [], image } of Object.values(compose.services)) {
      expect(image).not.toMatch(/:latest$/)
      for (const [source] of volumes.map((volume) => volume.split(':'))) {
        if (source!.startsWith('./')) expect(existsSync(join(home, source!))).toBe(true)
        else expect(compose.volumes).toHaveProperty(source!)
      }
    }
    expectMode(join(home, 'postgres-init.sh'), 0o755)
  })

  test('the proxy keeps what the machinery asks inside, and knows both processes', () => {
    const proxy = read('Caddyfile')
    for (const [name] of ours) expect(proxy).toContain(`${name}:8080`)
    expect(proxy).toMatch(/@inside path \/healthz \/readyz \/metrics\n\s+respond @inside 404/)
  })
})

describe('the image', () => {
  test('does not run as root, says how its health is asked, and ends with SIGTERM', () => {
    expect(all('USER')).toEqual(['10001:10001'])
    expect(all('HEALTHCHECK').join()).toContain('/app/health.mjs')
    expect(all('STOPSIGNAL')).toEqual(['SIGTERM'])
    expect(instructions.findIndex((line) => line.startsWith('USER'))).toBeLessThan(
      instructions.findIndex((line) => line.startsWith('ENTRYPOINT')),
    )
  })

  test('is told only what the service knows', () => {
    const others = ['NODE_ENV', 'NODE_OPTIONS', 'MALLOC_MMAP_THRESHOLD_', 'MALLOC_TRIM_THRESHOLD_']
    for (const name of Object.keys(environmentOfImage).filter((name) => !others.includes(name))) expect(known).toContain(name)
  })

  test('copies what is there, from images with a version', () => {
    for (const from of all('FROM')) expect(from).toMatch(/^node:24-\S+/)
    const sources = all('COPY')
      .filter((line) => !line.startsWith('--from'))
      .flatMap((line) => line.split(' ').slice(0, -1))
    for (const source of sources) expect(existsSync(join(repository, source))).toBe(true)
    expect(read('Containerfile.dockerignore').split('\n')).toEqual(
      expect.arrayContaining(['.git', 'node_modules', 'tools/container/secrets']),
    )
  })
})
