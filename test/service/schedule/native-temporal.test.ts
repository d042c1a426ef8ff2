import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'

/** A runtime that has Temporal, as Electron's does; whatever uses it fails. */
const program = `
  const native = new Proxy(function () {}, {
    get: (_, name) => { throw new Error('the native Temporal was asked for ' + String(name)) },
    apply: () => { throw new Error('the native Temporal was called') },
  })
  if (process.argv[1] === 'native') Object.defineProperty(globalThis, 'Temporal', { value: native, configurable: true, writable: true })
  const planted = globalThis.Temporal
  const { expand, readRule } = await import('#service/schedule/recurrence.ts')
  const { worldRules, worldZones } = await import('#service/schedule/zone.ts')
  const { readWall, writeWall } = await import('#service/schedule/wall.ts')
  const zone = 'America/New_York'
  const walls = expand(readRule('FREQ=MONTHLY;BYDAY=-1TH;COUNT=4'), readWall('2026-10-29T15:00:00'), zone, worldZones)
  console.log(JSON.stringify({
    walls: walls.map(writeWall),
    instants: walls.map((wall) => worldZones.resolve(zone, wall).instant),
    spans: worldRules.spans(zone, Date.UTC(2026, 0, 1), Date.UTC(2027, 0, 1)),
    isAsBefore: globalThis.Temporal === planted, hasNative: planted !== undefined,
  }))`

const run = (runtime: 'native' | 'plain'): unknown =>
  JSON.parse(execFileSync(process.execPath, ['--input-type=module', '-e', program, '--', runtime], { encoding: 'utf8' }))

test('series and zones are computed by the same Temporal whether or not the runtime has one', () => {
  const computed = run('native')
  expect(computed).toMatchObject({
    walls: ['2026-10-29T15:00:00', '2026-11-26T15:00:00', '2026-12-31T15:00:00', '2027-01-28T15:00:00'],
    isAsBefore: true,
    hasNative: true,
  })
  expect(computed).toEqual({ ...(run('plain') as object), hasNative: true })
})
