import { expect, test } from 'vitest'
import { findBrowser, hasDisplay, type Machine } from '#preview/open-window.ts'

const windows = {
  ProgramFiles: 'C:\\Program Files',
  'ProgramFiles(x86)': 'C:\\Program Files (x86)',
  LOCALAPPDATA: 'D:\\Robin\\AppData\\Local',
  PATH: 'C:\\Windows\\System32',
}

function machine(platform: NodeJS.Platform, programs: readonly string[], environment: NodeJS.ProcessEnv = {}): Machine {
  return { platform, environment, home: '/opt/robin', isProgram: (file) => programs.includes(file) }
}

test.each([
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
  'C:\\Program Files (x86)\\Google\\Chrome\\Application\\chrome.exe',
  'D:\\Robin\\AppData\\Local\\Google\\Chrome\\Application\\chrome.exe',
  'C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe',
  'C:\\Program Files\\BraveSoftware\\Brave-Browser\\Application\\brave.exe',
  'D:\\Robin\\AppData\\Local\\BraveSoftware\\Brave-Browser\\Application\\brave.exe',
  'D:\\Robin\\AppData\\Local\\Chromium\\Application\\chrome.exe',
])('on Windows %s is found', (program) => {
  expect(findBrowser(machine('win32', [program], windows))).toBe(program)
})

test('on Windows a machine with Edge alone opens Edge, and Chrome comes first where both are installed', () => {
  const edge = 'C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe'
  const chrome = 'D:\\Robin\\AppData\\Local\\Google\\Chrome\\Application\\chrome.exe'
  expect(findBrowser(machine('win32', [edge], windows))).toBe(edge)
  expect(findBrowser(machine('win32', [edge, chrome], windows))).toBe(chrome)
})

test('on Windows a variable that is not set does not lead to a path of the current folder', () => {
  const asked: string[] = []
  findBrowser({ ...machine('win32', [], {}), isProgram: (file) => asked.push(file) === 0 })
  expect(asked).toEqual([])
})

test.each([
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge',
  '/Applications/Brave Browser.app/Contents/MacOS/Brave Browser',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/opt/robin/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/opt/robin/Applications/Brave Browser.app/Contents/MacOS/Brave Browser',
])('on macOS %s is found', (program) => {
  expect(findBrowser(machine('darwin', [program]))).toBe(program)
})

test.each(['chromium', 'google-chrome-stable', 'microsoft-edge-stable', 'brave-browser'])(
  'on Linux %s is found in PATH',
  (name) => {
    const program = `/opt/bin/${name}`
    expect(findBrowser(machine('linux', [program], { PATH: '/usr/bin::/opt/bin' }))).toBe(program)
  },
)

test('CHROME_PATH alone decides, and no other browser takes the place of one that is missing', () => {
  const environment = { PATH: '/usr/bin', CHROME_PATH: '/opt/own/chrome' }
  expect(findBrowser(machine('linux', ['/usr/bin/chromium', '/opt/own/chrome'], environment))).toBe('/opt/own/chrome')
  expect(findBrowser(machine('linux', ['/usr/bin/chromium'], environment))).toBeNull()
})

test('a machine without a browser answers null on every platform', () => {
  for (const platform of ['win32', 'darwin', 'linux'] as const)
    expect(findBrowser(machine(platform, [], { ...windows, PATH: '/usr/bin' })), platform).toBeNull()
})

test('Linux has a display where X or Wayland names one; Windows and macOS always have one', () => {
  const on = (platform: NodeJS.Platform, environment: NodeJS.ProcessEnv) => hasDisplay({ platform, environment })
  expect(on('linux', {})).toBe(false)
  expect(on('linux', { DISPLAY: '' })).toBe(false)
  expect(on('linux', { DISPLAY: ':0' })).toBe(true)
  expect(on('linux', { DISPLAY: '', WAYLAND_DISPLAY: 'wayland-0' })).toBe(true)
  expect(on('win32', {})).toBe(true)
  expect(on('darwin', {})).toBe(true)
})
