import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Transcript } from '#contract/model/transcript.ts'
import { aClient, aSession, anId, openKit } from '../service-kit.ts'
import type { ServiceKit } from '../service-kit.ts'

let kit: ServiceKit
beforeEach(async () => {
  kit = await openKit()
})
afterEach(() => kit.close())

async function aTranscript(session_id: string): Promise<Transcript> {
  const segments = [
    { id: 's1', speaker_id: null, start_ms: null, end_ms: null, text: 'I slept badly.', confidence: null, edited: false },
  ]
  const body = {
    session_id,
    language: 'en',
    duration_ms: 0,
    speakers: [],
    segments,
    engine: { name: 'typed', version: '1', model: null },
  }
  return (await kit.client.call('putTranscript', { params: { id: anId() }, body })).data
}

test('a list of what changed tells what was erased, in its order and on its pages; any other list does not', async () => {
  const client = await aClient(kit.client)
  const session = await aSession(kit.client, client.id)
  const kept = await aTranscript(session.id)
  const gone = await aTranscript(session.id)
  const last = await aTranscript(session.id)
  const before = new Date(Date.parse(kept.updated_at) - 1).toISOString()
  await kit.client.call('eraseRecord', {
    body: { record_kind: 'transcript', record_id: gone.id, reason: 'asked for by the client' },
  })
  const plain = (await kit.client.call('listTranscripts', {})).data
  expect(plain.data.map(({ id }) => id)).toEqual([kept.id, last.id])
  expect(plain.deleted).toBeUndefined()
  const ids: string[] = []
  const erased: string[] = []
  let cursor: string | undefined
  do {
    const page = (await kit.client.call('listTranscripts', { query: { updated_since: before, limit: 1, cursor } })).data
    ids.push(...page.data.map(({ id }) => id))
    for (const tombstone of page.deleted ?? []) {
      erased.push(tombstone.id)
      expect(tombstone.version).toBe(2)
      expect(Object.keys(tombstone).toSorted()).toEqual(['deleted_at', 'id', 'updated_at', 'version'])
    }
    cursor = page.next_cursor ?? undefined
  } while (cursor !== undefined)
  expect([ids, erased]).toEqual([[kept.id, last.id], [gone.id]])
  const feed = (await (await kit.fetch('GET', '/v1/events?since=0')).json()) as { data: { id: string; deleted: boolean }[] }
  expect(feed.data.filter(({ deleted }) => deleted).map(({ id }) => id)).toEqual([gone.id])
})
