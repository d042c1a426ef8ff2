import { describe, expect, test } from 'vitest'
import { proxyRules } from '#base/practice-network.ts'

const practice = 'https://practice.example/v1'
const proxy = 'http://proxy.example:8080'
const ask = (rules: ReturnType<typeof proxyRules>, address = practice) => rules(new URL(address))

describe('the environment', () => {
  test.each([
    [{ HTTPS_PROXY: proxy }, proxy],
    [{ https_proxy: proxy, HTTPS_PROXY: 'http://other.example' }, proxy],
    [{ HTTPS_PROXY: 'proxy.example:8080' }, proxy],
    [{ HTTPS_PROXY: 'http://user:secret@proxy.example:8080' }, 'http://user:secret@proxy.example:8080'],
    [{ HTTP_PROXY: proxy }, null],
    [{ HTTPS_PROXY: 'socks5://proxy.example:1080' }, null],
    [{ HTTPS_PROXY: 'http://' }, null],
    [{ HTTPS_PROXY: proxy, NO_PROXY: '*' }, null],
    [{ HTTPS_PROXY: proxy, NO_PROXY: 'one.example, practice.example' }, null],
    [{ HTTPS_PROXY: proxy, no_proxy: '.example' }, null],
    [{ HTTPS_PROXY: proxy, NO_PROXY: '*.EXAMPLE:443' }, null],
    [{ HTTPS_PROXY: proxy, NO_PROXY: 'practice.example:8443' }, proxy],
    [{ HTTPS_PROXY: proxy, NO_PROXY: 'tice.example' }, proxy],
    [{}, null],
  ])('%j gives %s', async (environment, expected) => {
    expect(await ask(proxyRules({ environment }))).toBe(expected)
  })

  test('what it names wins over the system', async () => {
    const resolveProxy = async () => 'PROXY system.example:1'
    expect(await ask(proxyRules({ environment: { HTTPS_PROXY: proxy }, resolveProxy }))).toBe(proxy)
    expect(await ask(proxyRules({ environment: { HTTPS_PROXY: proxy, NO_PROXY: '*' }, resolveProxy }))).toBeNull()
  })
})

describe('the system', () => {
  test.each([
    ['DIRECT', null],
    ['PROXY proxy.example:8080', proxy],
    ['PROXY proxy.example:8080; PROXY second.example:8080; DIRECT', proxy],
    ['HTTPS secure.example:443', 'https://secure.example:443'],
    ['SOCKS5 socks.example:1080; PROXY proxy.example:8080', proxy],
    ['SOCKS socks.example:1080', null],
    ['DIRECT; PROXY proxy.example:8080', null],
    ['', null],
    ['PROXY', null],
  ])('%j gives %s', async (answer, expected) => {
    const asked: string[] = []
    const rules = proxyRules({ environment: {}, resolveProxy: async (address) => (asked.push(address), answer) })
    expect(await ask(rules)).toBe(expected)
    expect(asked).toEqual([practice])
  })

  test('that fails or stays silent means a direct connection', async () => {
    const failing = proxyRules({ environment: {}, resolveProxy: () => Promise.reject(new Error('no answer')) })
    expect(await ask(failing)).toBeNull()
    const silent = proxyRules({ environment: {}, resolveProxy: () => new Promise(() => {}), timeout: 5 })
    expect(await ask(silent)).toBeNull()
  })
})

test.each([
  'http://127.0.0.1:8080/',
  'https://localhost/',
  'http://[::1]:1/',
  'http://127.1.2.3/',
  'http://a.localhost/',
  'http://2130706433/',
])('the loopback address %s never goes through a proxy', async (address) => {
  const resolveProxy = async () => 'PROXY system.example:1'
  expect(await ask(proxyRules({ environment: { HTTP_PROXY: proxy, HTTPS_PROXY: proxy } }), address)).toBeNull()
  expect(await ask(proxyRules({ environment: {}, resolveProxy }), address)).toBeNull()
})
