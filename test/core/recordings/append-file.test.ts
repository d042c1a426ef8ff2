import { appendFileSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { AppendFile, realDisk } from '#core/recordings/append-file.ts'
import { newRecordingFile, openAppend, packetsOf, playable, recorded, recordOf, scan } from './recording-kit.ts'

const code = (work: () => unknown): string => {
  try {
    work()
    return 'nothing thrown'
  } catch (error) {
    return (error as { code?: string }).code ?? String(error)
  }
}

test('a record is on disk when it is acknowledged', () => {
  const scratch = newRecordingFile()
  const file = openAppend(scratch)
  file.append(recordOf(0))
  expect(playable(scratch)).toEqual([0])
  expect(file.state).toMatchObject({ next_sequence: 1, saved_ms: 200 })
})

test('a record sent again is acknowledged and not doubled', () => {
  const scratch = newRecordingFile()
  const file = openAppend(scratch)
  for (const sequence of [0, 1, 1, 0, 2]) file.append(recordOf(sequence))
  file.close()
  expect(playable(scratch)).toEqual([0, 1, 2])
})

test('a record that skips one is refused, and says nothing was written', () => {
  const scratch = newRecordingFile()
  const file = openAppend(scratch)
  file.append(recordOf(0))
  expect(code(() => file.append(recordOf(2)))).toBe('sequence-gap')
  expect(file.state.next_sequence).toBe(1)
})

test('other sound under a number that is taken is refused, not dropped as a repetition', () => {
  const scratch = recorded(3)
  const file = openAppend(scratch)
  expect(code(() => file.append({ ...recordOf(9), sequence: 2 }))).toBe('sequence-gap')
  expect(code(() => file.append(recordOf(2)))).toBe('nothing thrown')
})

test('what is not Opus is refused', () => {
  const file = openAppend(newRecordingFile())
  for (const packets of [new Uint8Array(0), new Uint8Array([0, 5, 1]), new Uint8Array([0, 0])]) {
    expect(code(() => file.append({ ...recordOf(0), packets }))).toBe('validation-failed')
  }
})

test('a tail torn at any byte is cut off, and the recording goes on behind the last whole record', () => {
  const scratch = recorded(5)
  const whole = readFileSync(scratch.path)
  const last = scan(scratch).at(-1)!
  fc.assert(
    fc.property(fc.integer({ min: last.offset, max: last.end - 1 }), fc.integer({ min: 0, max: 3000 }), (length, zeros) => {
      writeFileSync(scratch.path, Buffer.concat([whole.subarray(0, length), Buffer.alloc(zeros)]))
      const file = openAppend(scratch)
      expect(file.state).toMatchObject({ next_sequence: 4, saved_ms: 800 })
      file.append(recordOf(4))
      file.append(recordOf(5))
      file.close()
      expect(playable(scratch)).toEqual([0, 1, 2, 3, 4, 5])
    }),
    { numRuns: 60 },
  )
})

test('a last record that is whole in length and wrong in content was never acknowledged: it is written anew', () => {
  const scratch = recorded(3)
  const bytes = readFileSync(scratch.path)
  bytes.fill(0, bytes.length - 40)
  writeFileSync(scratch.path, bytes)
  const file = openAppend(scratch)
  expect(file.state.next_sequence).toBe(2)
  file.append(recordOf(2))
  file.close()
  expect(playable(scratch)).toEqual([0, 1, 2])
})

test('damage of many last records is not mistaken for a torn tail: they stay, and the time goes on behind them', () => {
  const scratch = recorded(10)
  const places = scan(scratch)
  const bytes = readFileSync(scratch.path)
  for (const { end } of places.slice(6)) bytes[end - 1]! ^= 1
  writeFileSync(scratch.path, bytes)
  const file = openAppend(scratch)
  expect(file.state).toMatchObject({ next_sequence: 10, saved_ms: 2000, gaps: [{ at_ms: 1200, reason: 'damage' }] })
  file.append(recordOf(10))
  file.close()
  expect(readFileSync(scratch.path).subarray(0, bytes.length).equals(bytes)).toBe(true)
  expect(playable(scratch)).toEqual([0, 1, 2, 3, 4, 5, 10])
})

test('a wrong key never shortens a file', () => {
  const scratch = recorded(5)
  const before = readFileSync(scratch.path)
  expect(code(() => openAppend({ ...scratch, key: Buffer.alloc(32, 1) }))).toBe('recording-damaged')
  expect(readFileSync(scratch.path).equals(before)).toBe(true)
})

test('a gap measured in one process does not follow a clock that is set', () => {
  const scratch = newRecordingFile()
  const file = openAppend(scratch)
  file.append(recordOf(0))
  scratch.clock.pass(1500)
  scratch.clock.jump(-3_600_000)
  file.gap('reload', null)
  expect(file.state.gaps).toEqual([{ at_ms: 200, duration_ms: 1500, reason: 'reload' }])
})

test('a gap over a restart is measured from the last record on disk', () => {
  const scratch = recorded(3)
  scratch.clock.pass(60_000)
  const file = openAppend(scratch)
  file.gap('interruption', null)
  file.append(recordOf(3))
  file.close()
  // The last record was written at 400 ms, the clock stood at 600 ms when the minute began.
  expect(openAppend(scratch).state.gaps).toEqual([{ at_ms: 600, duration_ms: 60_200, reason: 'interruption' }])
})

test('a pause that is told late counts from the end of the sound, and nothing is counted twice', () => {
  const scratch = newRecordingFile()
  const file = openAppend(scratch)
  file.append(recordOf(0))
  scratch.clock.pass(5000)
  file.gap('pause', 0)
  scratch.clock.pass(1000)
  file.gap('pause', null)
  scratch.clock.pass(300)
  file.close()
  const again = openAppend(scratch)
  again.gap('reload', null)
  expect(again.state.gaps).toEqual([
    { at_ms: 200, duration_ms: 6000, reason: 'pause' },
    { at_ms: 200, duration_ms: 300, reason: 'reload' },
  ])
})

test('a failed sync is not an acknowledgement, and the record can be sent again', () => {
  const scratch = newRecordingFile()
  let fails = false
  const disk = {
    write: realDisk.write,
    sync(file: number) {
      if (fails) throw Object.assign(new Error('EIO: i/o error, fdatasync'), { code: 'EIO' })
      realDisk.sync(file)
    },
  }
  const file = new AppendFile({ ...scratch, disk })
  file.append(recordOf(0))
  fails = true
  expect(code(() => file.append(recordOf(1)))).toBe('disk-failed')
  expect(file.state.next_sequence).toBe(1)
  fails = false
  file.append(recordOf(1))
  file.close()
  expect(playable(scratch)).toEqual([0, 1])
})

test('a write torn by a full disk is taken back, and the recording still closes with its final record', () => {
  const scratch = newRecordingFile()
  let room = Number.POSITIVE_INFINITY
  const disk = {
    sync: realDisk.sync,
    write(file: number, bytes: Uint8Array, offset: number) {
      const fits = Math.max(0, Math.min(bytes.length, room - offset))
      realDisk.write(file, bytes.subarray(0, fits), offset)
      if (fits < bytes.length) throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' })
    },
  }
  const file = new AppendFile({ ...scratch, disk })
  file.append(recordOf(0))
  room = statSync(scratch.path).size
  let sequence = 1
  let failure = 'nothing thrown'
  for (; failure === 'nothing thrown'; sequence += 1) failure = code(() => file.append(recordOf(sequence)))
  expect(failure).toBe('disk-full')
  file.finish()
  file.close()
  expect(playable(scratch)).toEqual(Array.from({ length: sequence - 1 }, (_, index) => index))
  expect(scan(scratch).at(-1)?.header.kind).toBe('final')
})

test('the room taken ahead is given back when the file is closed', () => {
  const scratch = newRecordingFile()
  const file = openAppend(scratch)
  file.append(recordOf(0))
  const open = statSync(scratch.path).size
  file.finish()
  file.close()
  expect(statSync(scratch.path).size).toBeLessThan(open)
  expect(statSync(scratch.path).size).toBe(file.state.bytes)
})

test('a file shorter than its own header is not taken for a recording with sound', () => {
  const scratch = recorded(2)
  truncateSync(scratch.path, 100)
  const file = openAppend(scratch)
  expect(file.state).toMatchObject({ next_sequence: 0, saved_ms: 0 })
})

test('a recording goes on behind a final record when its finish was cut off', () => {
  const scratch = newRecordingFile()
  const first = openAppend(scratch)
  first.append(recordOf(0))
  first.finish()
  first.close()
  const second = openAppend(scratch)
  expect(second.state.is_final).toBe(true)
  second.gap('interruption', 5000)
  second.append(recordOf(1))
  second.close()
  expect(playable(scratch)).toEqual([0, 1])
  expect(openAppend(scratch).state.is_final).toBe(false)
})

test('no sound stands in the file as it was recorded', () => {
  const scratch = recorded(20)
  appendFileSync(scratch.path, '')
  const bytes = readFileSync(scratch.path)
  for (const packet of packetsOf(7)) expect(bytes.includes(packet.subarray(0, 8))).toBe(false)
})
