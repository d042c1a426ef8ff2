/** The search field over every word said: 200 sessions of 500 segments, through the core as a window asks. */
import { performance } from 'node:perf_hooks'
import { openVault } from '#core/vault/vault.ts'
import { migrations } from '#core/vault/migrations.ts'
import { coreKit, createProfile, noService } from '#test/core/core-kit.ts'
import { fill, percentile, report, vocabulary } from './records-bench-kit.ts'

/** As one types: an answer before the next key. */
const goalMs = 50
const runs = 60

const kit = coreKit()
const first = await kit.open({ openService: noService })
await createProfile(first)
await first.core.close()
const vault = await openVault({ ...kit.ports, migrations })
fill(vault.db, { sessions: 200, segments: 500 })
vault.close()

const open = await kit.open({ openService: noService })
const queries: Record<string, (index: number) => string> = {
  'a rare word': (index) => vocabulary[5000 + index * 37] ?? 'ba',
  'a common word': (index) => vocabulary[index % 10] ?? 'ba',
  'two words': (index) => `${vocabulary[20 + index] ?? 'ba'} ${vocabulary[60 + index] ?? 'ba'}`,
  'two letters': (index) => (vocabulary[index * 91] ?? 'ba').slice(0, 2),
  'four letters': (index) => (vocabulary[1000 + index * 91] ?? 'bade').padEnd(4, 'ba').slice(0, 4),
  'what nobody said': (index) => `zzxq${index}`,
}
for (const [what, query] of Object.entries(queries)) {
  const times: number[] = []
  for (let index = 0; index < runs; index += 1) {
    const start = performance.now()
    await open.call('search.find', { q: query(index) })
    times.push(performance.now() - start)
  }
  report(`search of 100,000 segments: ${what}, 95 of 100`, percentile(times, 0.95), 'ms', goalMs)
}
await open.core.close()
kit.remove()
