import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { basename, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { describe, expect, onTestFinished, test } from 'vitest'
import { FILE_HEADER_BYTES } from '#core/recordings/format.ts'
import { clientWithSession, coreKit, createProfile } from '#test/core/core-kit.ts'
import { demux } from '#test/support/ogg-pages.ts'
import { openAppend, playable, recorded, recordOf, scan } from './recording-kit.ts'
import { change, damage, RECORD_BYTES, reopened, wholeMs } from './damage-kit.ts'
import { attachment, begun, codeOf, ogg, studio } from './studio.ts'

/** A finished recording of 16 s, with the app closed. */
async function finished(from?: ReturnType<typeof studio>) {
  const made = await begun(80, from)
  const { ogg_sha256 } = await made.call['recordings.finish']({ recording_id: made.recording_id })
  return { ...made, ogg_sha256, path: join(made.core.folder, `${made.recording_id}.afr`) }
}

function folderBeside(path: string, ...names: readonly string[]): string {
  const folder = join(path, '..', '..', ...names)
  mkdirSync(folder, { recursive: true })
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return folder
}

describe('damage to the file of a finished recording', () => {
  test('that was cut is shown as the end that is missing, and plays in full length', async () => {
    const made = await finished()
    truncateSync(made.path, FILE_HEADER_BYTES + 40 * RECORD_BYTES)
    const { call, core, damageOf, events } = await reopened(made)
    expect(await damageOf(made.session_id)).toEqual(damage(8000, 8000))
    expect(await call['recordings.damaged']({})).toMatchObject([
      { recording_id: made.recording_id, client_name: 'A client', saved_ms: wholeMs, unreadable_ms: 8000 },
    ])
    expect(events).toContain('recording.changed')
    expect(core.audited).toEqual(['recording.damaged'])
    expect(demux(await ogg(core, made.recording_id)).granules.at(-1)).toBe(wholeMs * 48)
    const { peaks } = await call['recordings.waveform']({ recording_id: made.recording_id, buckets: 4 })
    expect(peaks.map((peak) => peak > 0)).toEqual([true, true, false, false])
  })

  test.each([
    ['deleted', (path: string) => rmSync(path)],
    ['emptied', (path: string) => truncateSync(path, 0)],
    ['zeroed', (path: string) => change(path, (bytes) => void bytes.fill(0))],
    ['replaced by something else', (path: string) => writeFileSync(path, 'something else')],
  ])('that was %s is shown as all of it', async (_, harm) => {
    const made = await finished()
    harm(made.path)
    const { call, core, damageOf } = await reopened(made)
    expect(await damageOf(made.session_id)).toEqual(damage(0, wholeMs))
    expect(await call['recordings.damaged']({})).toMatchObject([{ unreadable_ms: wholeMs }])
    expect(await codeOf(ogg(core, made.recording_id))).toBe('recording-damaged')
  })

  test('that left its size as it was is found by reading it, and costs the records it touched', async () => {
    const made = await finished()
    change(made.path, (bytes) => void bytes.fill(0, FILE_HEADER_BYTES + 20 * RECORD_BYTES, FILE_HEADER_BYTES + 25 * RECORD_BYTES))
    const { damageOf } = await reopened(made)
    expect(await damageOf(made.session_id)).toEqual(damage(4000, 1000))
  })

  test.each([
    [
      'a folder of its name',
      (path: string) => {
        renameSync(path, `${path}.away`)
        mkdirSync(path)
        renameSync(`${path}.away`, join(path, 'sound'))
      },
    ],
    ['a folder of another name', (path: string) => (mkdirSync(`${path}.d`), renameSync(path, join(`${path}.d`, basename(path))))],
    ['a folder beside its own', (path: string) => renameSync(path, join(folderBeside(path, 'recordings (1)'), basename(path)))],
    [
      'a folder of a file system check, without its name and ending',
      (path: string) => renameSync(path, join(folderBeside(path, 'FOUND.000'), 'FILE0000.CHK')),
    ],
    ['its own folder under another name', (path: string) => renameSync(path, `${path}.bak`)],
    [
      'its own folder under another name, behind one that was cut off',
      (path: string) => {
        copyFileSync(path, join(path, '..', `.${basename(path)}.Z9q0aB`))
        truncateSync(path, Math.floor(readFileSync(path).length * 0.6))
      },
    ],
    ['its own folder in capitals', (path: string) => renameSync(path, join(path, '..', basename(path).toUpperCase()))],
    ['its own folder with another ending', (path: string) => renameSync(path, `${path}.txt`)],
    ['its own folder with a space at the end', (path: string) => renameSync(path, `${path} `)],
    [
      'the trash of a sync program, in capitals',
      (path: string) => renameSync(path, join(folderBeside(path, '.Trash', 'RECORDINGS'), basename(path).toUpperCase())),
    ],
  ])('is none where the file is in %s: it is found by its header and gets its name back', async (_, move) => {
    const made = await finished()
    move(made.path)
    const { damageOf, sha, call } = await reopened(made)
    expect(await damageOf(made.session_id)).toEqual([])
    expect(await sha(made.recording_id)).toBe(made.ogg_sha256)
    expect(await call['recordings.damaged']({})).toEqual([])
  })

  test.each([
    ['under its own name', (path: string) => path],
    ['beside its name', (path: string) => `${path}.gz`],
    ['in another folder', (path: string) => join(path, '..', '..', `${basename(path)}.gz`)],
  ])('is none where the file is compressed %s: it is unpacked, and the compressed one stays', async (_, packedAs) => {
    const made = await finished()
    const packed = gzipSync(readFileSync(made.path))
    rmSync(made.path)
    writeFileSync(packedAs(made.path), packed)
    const { damageOf, sha, core } = await reopened(made)
    expect(await damageOf(made.session_id)).toEqual([])
    expect(await sha(made.recording_id)).toBe(made.ogg_sha256)
    const around = join(core.folder, '..')
    const files = readdirSync(around, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
    expect(files.filter(({ parentPath, name }) => readFileSync(join(parentPath, name)).equals(packed))).toHaveLength(1)
  })

  test.each([
    ['a damaged gzip file', (packed: Buffer) => packed.fill(7, 12)],
    ['a ZIP archive', (packed: Buffer) => packed.fill('PK\x03\x04', 0, 4)],
  ])('where the file is %s, that stays as it is, and other recordings are found', async (_, harm) => {
    const made = await finished()
    const other = await finished(made)
    const packed = harm(gzipSync(readFileSync(made.path)))
    writeFileSync(made.path, packed)
    renameSync(other.path, `${other.path}.txt`)
    const { damageOf } = await reopened(other)
    expect(await damageOf(other.session_id)).toEqual([])
    expect(await damageOf(made.session_id)).toEqual(damage(0, wholeMs))
    expect(readFileSync(made.path)).toEqual(packed)
  })

  test('erased after it was unpacked, it leaves no compressed file in its folder', async () => {
    const made = await finished()
    writeFileSync(made.path, gzipSync(readFileSync(made.path)))
    const { call, core } = await reopened(made)
    await call['recordings.erase']({ recording_id: made.recording_id })
    expect(readdirSync(core.folder).filter((name) => name.includes('.afr'))).toEqual([])
  })

  test('that was replaced by a folder is shown as all of it', async () => {
    const made = await finished()
    rmSync(made.path)
    mkdirSync(made.path)
    const { damageOf } = await reopened(made)
    expect(await damageOf(made.session_id)).toEqual(damage(0, wholeMs))
  })

  test('is shown no more once the file is put back', async () => {
    const made = await finished()
    const copy = readFileSync(made.path)
    rmSync(made.path)
    const harmed = await reopened(made)
    expect(await harmed.call['recordings.damaged']({})).toHaveLength(1)
    writeFileSync(made.path, copy)
    const next = await reopened(harmed)
    expect(await next.damageOf(made.session_id)).toEqual([])
    expect(await next.call['recordings.damaged']({})).toEqual([])
    expect(await next.sha(made.recording_id)).toBe(made.ogg_sha256)
  })

  test('is listed until it is dismissed, and again when it grows', async () => {
    const made = await finished()
    truncateSync(made.path, FILE_HEADER_BYTES + 60 * RECORD_BYTES)
    const first = await reopened(made)
    await first.call['recordings.dismissDamage']({ recording_id: made.recording_id })
    expect(await first.call['recordings.damaged']({})).toEqual([])
    const second = await reopened(first)
    expect(await second.call['recordings.damaged']({})).toEqual([])
    expect(await second.damageOf(made.session_id)).toEqual(damage(12_000, 4000))
    truncateSync(made.path, FILE_HEADER_BYTES + 40 * RECORD_BYTES)
    const third = await reopened(second)
    expect(await third.call['recordings.damaged']({})).toMatchObject([{ unreadable_ms: 8000 }])
  })

  test('that happens while it is open is shown by playing it, and the next try plays the rest', async () => {
    const made = await finished()
    await ogg(made.core, made.recording_id)
    change(made.path, (bytes) => void (bytes[FILE_HEADER_BYTES + 10 * RECORD_BYTES + 100]! ^= 1))
    expect(await codeOf(ogg(made.core, made.recording_id))).toBe('recording-damaged')
    expect(demux(await ogg(made.core, made.recording_id)).granules.at(-1)).toBe(wholeMs * 48)
    expect(await made.call['recordings.damaged']({})).toMatchObject([{ unreadable_ms: 200 }])
  })

  test('is looked for only until the records are closed', async () => {
    const made = await finished()
    made.core.db.close()
    const { core } = studio(made.folder, made.clock)
    await core.ready
    core.verification.start()
    await expect(core.verification.stop()).resolves.toBeUndefined()
    core.db.close()
  })
})

describe('files and records in the wrong place', () => {
  test('two files with each other’s names get their own names back', async () => {
    const first = await finished()
    const second = await finished(first)
    const aside = `${first.path}.aside`
    renameSync(first.path, aside)
    renameSync(second.path, first.path)
    renameSync(aside, second.path)
    const next = await reopened(second)
    for (const { recording_id, session_id, ogg_sha256 } of [first, second]) {
      expect(await next.damageOf(session_id)).toEqual([])
      expect(await next.sha(recording_id)).toBe(ogg_sha256)
    }
    expect(readdirSync(next.core.folder)).toHaveLength(2)
  })

  test('a file under another name is found', async () => {
    const made = await finished()
    renameSync(made.path, join(made.core.folder, 'copy of a recording.afr'))
    const next = await reopened(made)
    expect(await next.damageOf(made.session_id)).toEqual([])
    expect(await next.sha(made.recording_id)).toBe(made.ogg_sha256)
  })

  test('a file replaced by a copy of another recording is shown as lost, and the other one keeps its own', async () => {
    const first = await finished()
    const second = await finished(first)
    copyFileSync(second.path, first.path)
    const next = await reopened(second)
    expect(await next.damageOf(first.session_id)).toEqual(damage(0, wholeMs))
    expect(await next.damageOf(second.session_id)).toEqual([])
    expect(existsSync(first.path)).toBe(true)
  })

  test('records that are in the file twice play once', async () => {
    const made = await finished()
    change(made.path, (bytes) => Buffer.concat([bytes, bytes.subarray(FILE_HEADER_BYTES)]))
    const next = await reopened(made)
    expect(await next.damageOf(made.session_id)).toEqual([])
    expect(await next.sha(made.recording_id)).toBe(made.ogg_sha256)
  })

  test('records in another order play in the order they were recorded', async () => {
    const made = await finished()
    const at = (record: number): number => FILE_HEADER_BYTES + record * RECORD_BYTES
    change(made.path, (bytes) =>
      Buffer.concat([
        bytes.subarray(0, at(10)),
        bytes.subarray(at(50), at(60)),
        bytes.subarray(at(10), at(50)),
        bytes.subarray(at(60)),
      ]),
    )
    const next = await reopened(made)
    expect(await next.damageOf(made.session_id)).toEqual([])
    expect(await next.sha(made.recording_id)).toBe(made.ogg_sha256)
  })

  test('a recording goes on behind copies of its earlier records, with the next number', () => {
    const scratch = recorded(10)
    const places = scan(scratch)
    change(scratch.path, (bytes) => Buffer.concat([bytes, bytes.subarray(places[0]!.offset, places[3]!.end)]))
    const file = openAppend(scratch)
    expect(file.state).toMatchObject({ next_sequence: 10, saved_ms: 2000, gaps: [] })
    file.append(recordOf(10))
    file.close()
    expect(playable(scratch)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 1, 2, 3, 10])
  })
})

test('opening the records finds damage without a question, and the session’s row says how much', async () => {
  const kit = coreKit()
  onTestFinished(() => kit.remove())
  const first = await kit.open()
  await createProfile(first)
  const { session } = await clientWithSession(first)
  const { recording_id } = await first.call('recordings.start', { session_id: session.id, ...attachment })
  for (let sequence = 0; sequence < 10; sequence += 1) kit.append.append({ recording_id, ...recordOf(sequence) })
  await first.call('recordings.finish', { recording_id })
  await first.core.close()
  truncateSync(join(kit.folder, 'recordings', `${recording_id}.afr`), FILE_HEADER_BYTES + 5 * RECORD_BYTES)
  const second = await kit.open()
  await second.until(async () => (await second.call('recordings.damaged', {})).length > 0)
  expect((await second.call('sessions.get', { id: session.id })).recording).toEqual({
    id: recording_id,
    state: 'finished',
    saved_ms: 2000,
    unreadable_ms: 1000,
  })
  await second.core.close()
})
