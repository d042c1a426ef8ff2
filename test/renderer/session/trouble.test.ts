import { describe, expect, test } from 'vitest'
import type { Consent } from '#contract/model/consent.ts'
import type { Recording } from '#contract/model/recording.ts'
import { lostOf, orLost, wayOf } from '#renderer/features/recovery/recovery-facts.ts'
import { isCutOff, troubleKind } from '#renderer/recorder/recorder-state.ts'
import { sessionWords } from '#renderer/strings/session.ts'

describe('trouble while recording', () => {
  test('a core that is away is told of only while something is recorded', () => {
    expect(troubleKind(null, false, true)).toBe('restarting')
    expect(troubleKind(null, false, false)).toBeNull()
  })

  test('each known trouble has words of its own, an unknown one the general ones', () => {
    expect(troubleKind('disk-full', true, true)).toBe('disk-full')
    expect(troubleKind('microphone-denied', true, false)).toBe('microphone-denied')
    expect(troubleKind('vault-locked', true, true)).toBe('locked')
    expect(troubleKind('internal', true, true)).toBe('other')
  })

  test('a microphone that goes away in the middle is not told as nothing recorded', () => {
    expect(isCutOff('microphone-missing', true)).toBe(true)
    expect(isCutOff('microphone-denied', true)).toBe(true)
    expect(isCutOff('microphone-missing', false)).toBe(false)
    expect(isCutOff('disk-full', true)).toBe(false)
    for (const { title, help } of Object.values(sessionWords.trouble.cutOff)) expect(`${title} ${help}`).toMatch(/is saved/)
  })

  test('missing consent is told by the gate alone', () => {
    expect(troubleKind('consent-missing', true, false)).toBeNull()
  })
})

describe('recovery', () => {
  const start = '2026-11-24T14:00:00Z'
  const at = (minutes: number) => new Date(start).getTime() + minutes * 60_000

  const session = (duration_minutes: number, granted: string[] = ['record']) =>
    ({ data: { consent: { granted }, session: { duration_minutes } }, error: null }) as never
  const recording = { finished_at: null } as Recording
  const failed = (code: 'not-found' | 'internal') => ({ data: undefined, error: { code } })

  test('resume is offered while the session’s hour lasts, and for longer sessions to their end', () => {
    expect(wayOf(recording, session(50), start, at(59))).toBe('resume')
    expect(wayOf(recording, session(50), start, at(60))).toBe('hour-over')
    expect(wayOf(recording, session(90), start, at(89))).toBe('resume')
  })

  test('a recording or a session that had ended is not resumed, whatever the consent', () => {
    const ended = { ...recording, finished_at: start } as Recording
    expect(wayOf(ended, { data: undefined, error: null }, start, at(0))).toBe('ended')
    expect(wayOf(ended, session(50), start, at(0))).toBe('ended')
    expect(wayOf(ended, session(50, []), start, at(0))).toBe('ended')
  })

  test('consent that is missing and was never withdrawn is called lost', () => {
    const given = { revoked_at: null } as Consent
    const withdrawn = { revoked_at: start } as Consent
    expect(orLost('no-consent', undefined)).toBe('unknown')
    expect(orLost('no-consent', [])).toBe('consent-lost')
    expect(orLost('no-consent', [given])).toBe('consent-lost')
    expect(orLost('no-consent', [given, withdrawn])).toBe('no-consent')
    expect(orLost('hour-over', [])).toBe('hour-over')
  })

  test('nothing is claimed of a session that was not read', () => {
    expect(wayOf(recording, { data: undefined, error: null }, start, at(0))).toBe('unknown')
    expect(wayOf(recording, failed('internal'), start, at(0))).toBe('unknown')
    expect(wayOf(recording, failed('not-found'), start, at(0))).toBe('no-session')
    expect(wayOf(recording, session(50, ['transcribe']), start, at(0))).toBe('no-consent')
  })

  test('what was lost is said as it was measured, rounded up, never as a constant', () => {
    expect(lostOf(null)).toEqual({ kind: 'unknown' })
    expect(lostOf(0)).toEqual({ kind: 'nothing' })
    expect(lostOf(400)).toEqual({ kind: 'at-most', ms: 1000 })
    expect(lostOf(42_300)).toEqual({ kind: 'at-most', ms: 43_000 })
    expect(lostOf(9 * 60 * 60_000)).toEqual({ kind: 'after-cut' })
  })
})
