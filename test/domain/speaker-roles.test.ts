import { expect, test } from 'vitest'
import { speakerRole } from '#domain/speaker-roles.ts'

const known = [
  { name: 'Maria Weber', role: 'therapist' },
  { name: 'José O’Neil Ortiz', role: 'client' },
  { name: 'Ana Ortiz', role: 'other' },
] as const

test.each([
  ['T', 'therapist'],
  ['Counsellor', 'therapist'],
  ['Dr.', 'therapist'],
  ['Pt', 'client'],
  ['PATIENT', 'client'],
  ['Mom', 'other'],
  ['maria', 'therapist'],
  ['M. W.', 'therapist'],
  ["Jose O'Neil", 'client'],
  ['JOO', 'unknown'],
  ['Weber Maria', 'unknown'],
  ['Ortiz', 'unknown'],
  ['Ben', 'unknown'],
  ['', 'unknown'],
])('the label %j is spoken by: %s', (label, role) => {
  expect(speakerRole(label, known)).toBe(role)
})
