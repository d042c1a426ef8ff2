import { describe, expect, test } from 'vitest'
import { isWithinHour, lostOf } from '#renderer/features/recovery/recovery-times.ts'
import { isCutOff, troubleKind } from '#renderer/features/session/record/trouble-kind.ts'
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

  test('resume is offered while the session’s hour lasts, and for longer sessions to their end', () => {
    expect(isWithinHour(start, 50, at(59))).toBe(true)
    expect(isWithinHour(start, 50, at(60))).toBe(false)
    expect(isWithinHour(start, 90, at(89))).toBe(true)
    expect(isWithinHour(start, null, at(61))).toBe(false)
  })

  test('what was lost is said as it was measured, never as nothing', () => {
    expect(lostOf(null)).toEqual({ kind: 'unknown' })
    expect(lostOf(400)).toEqual({ kind: 'under_a_second' })
    expect(lostOf(4000)).toEqual({ kind: 'at_most', ms: 4000 })
  })
})
