import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { newId } from '#base/ids.ts'
import { readSettings, helpText } from '#service/operate/read-settings.ts'
import { aboutSetting, settingNames } from '#service/operate/settings.ts'

const folder = mkdtempSync(join(tmpdir(), 'afterword-settings-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const read = (args: string[], environment: Record<string, string> = {}) => readSettings(['--data', 'd', ...args], environment)

test('a setting is taken from its flag, else from its variable, else from its default', () => {
  expect(read(['--port', '1', '--plan=enterprise'], { PORT: '2', AFTERWORD_HOST: '::1' }).settings).toMatchObject({
    port: 1,
    plan: 'enterprise',
    host: '::1',
    behind_proxy: false,
    log_level: 'info',
  })
  expect(readSettings([], { AFTERWORD_DATA: 'e', AFTERWORD_BEHIND_PROXY: '1', PORT: '' }).settings).toMatchObject({
    data: 'e',
    behind_proxy: true,
    port: 8080,
  })
})

test('a flag that is given twice is a mistake: the first value would be left out without a word', () => {
  const one = `1:${'a'.repeat(64)}`
  const { settings, mistakes } = read(['--at-least', one, '--at-least', `2:${'b'.repeat(64)}`])
  expect([settings, mistakes]).toEqual([null, ['--at-least is given more than once']])
  expect(read(['--behind-proxy', '--behind-proxy']).mistakes).toHaveLength(1)
  expect(read(['--at-least', one]).settings?.at_least).toEqual([one])
})

test('every mistake is told at once, by the names of its flag and its variable', () => {
  const { settings, mistakes } = readSettings(['--port', '70000', '--host', '0.0.0.0', '--tls-key', 'k', '--nope', '--plan'], {
    AFTERWORD_LANGUAGE_ADDRESS: 'ftp://x',
    AFTERWORD_LANGUAGE_FILE: 'm.gguf',
    AFTERWORD_METRICS_TOKEN: 'short',
    DATABASE_URL: 'mysql://x',
  })
  expect(settings).toBeNull()
  const begins = ['--nope', '--plan', '--data (AFTERWORD_DATA):', '--port (PORT):', 'DATABASE_URL:', 'AFTERWORD_METRICS_TOKEN:']
  const relations = ['AFTERWORD_LANGUAGE_ADDRESS:', '--tls-certificate', '--host', 'AFTERWORD_LANGUAGE_FILE:']
  for (const begin of [...begins, ...relations]) {
    expect(mistakes.filter((mistake) => mistake.startsWith(begin))).toHaveLength(1)
  }
  expect(mistakes).toHaveLength(begins.length + relations.length)
  expect(mistakes.join()).not.toMatch(/mysql|short|70000/)
})

test.each(['0.0.0.0', '::', '192.168.1.5', 'practice.example'])('%s is listened on with TLS or behind a proxy alone', (host) => {
  expect(read(['--host', host]).mistakes.join()).toContain('needs TLS')
  expect(read(['--host', host, '--behind-proxy']).mistakes).toEqual([])
  expect(read(['--host', host, '--tls-certificate', 'c', '--tls-key', 'k']).mistakes).toEqual([])
})
test.each(['127.0.0.1', '127.8.8.8', '::1', 'localhost'])('%s is this machine alone', (host) => {
  expect(read(['--host', host]).mistakes).toEqual([])
})

test('a secret may stand in a file, and then not in the environment too', () => {
  const file = join(folder, 'token')
  writeFileSync(file, 'a token that is long\n')
  expect(read([], { AFTERWORD_METRICS_TOKEN_FILE: file }).settings?.metrics_token).toBe('a token that is long')
  expect(read([], { AFTERWORD_METRICS_TOKEN_FILE: file, AFTERWORD_METRICS_TOKEN: 'another that is long' }).mistakes).toHaveLength(
    1,
  )
  expect(read([], { AFTERWORD_METRICS_TOKEN_FILE: join(folder, 'none') }).mistakes).toHaveLength(1)
})

test('an issuer of tokens is told whole, and where in the list a mistake is', () => {
  const issuers = (list: unknown) => read([], { AFTERWORD_OAUTH_ISSUERS: typeof list === 'string' ? list : JSON.stringify(list) })
  const { settings } = issuers([{ issuer: 'https://login.example', audience: 'afterword' }])
  expect(settings?.oauth_issuers).toMatchObject([
    { issuer: 'https://login.example', audience: 'afterword', token_type: 'at+jwt' },
  ])
  const twice = [1, 2].map(() => ({ issuer: 'https://login.example', audience: 'afterword', practice_id: newId() }))
  expect(issuers(twice).mistakes).toEqual(['AFTERWORD_OAUTH_ISSUERS: names one issuer twice'])
  const [first, second] = [
    { issuer: 'https://a.example', audience: 'a' },
    { issuer: 'https://b.example', audience: 'a' },
  ]
  expect(issuers([first, second]).mistakes).toEqual([expect.stringMatching(/^AFTERWORD_OAUTH_ISSUERS: names several issuers/)])
  expect(issuers('[{').mistakes).toEqual(['AFTERWORD_OAUTH_ISSUERS: must be JSON'])
  expect(issuers([{ issuer: 'http://login.example', audience: '' }]).mistakes).toEqual([
    expect.stringMatching(/^AFTERWORD_OAUTH_ISSUERS: 0\.issuer must be https/),
    expect.stringMatching(/^AFTERWORD_OAUTH_ISSUERS: 0\.audience /),
  ])
})

test('what would do nothing is a mistake', () => {
  const lonely = {
    AFTERWORD_SPEECH_MODEL: 'm',
    AFTERWORD_S3_PREFIX: 'p',
    AFTERWORD_PAYER_NPI: '1234567893',
    AFTERWORD_PAYER_ORGANIZATION: 'o',
  }
  expect(read([], lonely).mistakes).toEqual([
    'AFTERWORD_SPEECH_MODEL: does nothing without AFTERWORD_SPEECH_ADDRESS',
    'AFTERWORD_S3_PREFIX: does nothing without AFTERWORD_S3_BUCKET',
    'AFTERWORD_PAYER_NPI: does nothing without AFTERWORD_PAYER_KEY',
  ])
})

test('--help names every command and every setting, and needs no other setting', () => {
  const help = helpText()
  for (const name of settingNames) {
    const { flag, variable } = aboutSetting(name)
    expect(help).toContain(variable)
    if (flag !== undefined) expect(help).toContain(`--${flag}`)
  }
  for (const command of ['serve', 'audit verify', 'backup', 'restore', 'migrate', 'keys', 'openapi'])
    expect(help).toContain(command)
  expect(readSettings(['--help'], {}).isHelp).toBe(true)
})
