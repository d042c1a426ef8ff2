import { describe, expect, test } from 'vitest'
import { noteDocument } from '#core/export/note-document.ts'
import type { NoteExport } from '#core/export/words.ts'
import { letterhead, noteExport, session, signed } from './export-fixture.ts'

const fieldsOf = (source: NoteExport) => Object.fromEntries(noteDocument(source).fields.map(({ label, value }) => [label, value]))

describe('the details a payer asks for', () => {
  const insurance = {
    payer_id: '87726',
    payer_name: 'Northlake Health',
    member_id: 'W884471',
    group_number: null,
    relationship: 'self',
  } as const
  const whole: NoteExport = {
    ...noteExport(signed, { display_name: 'Maren Voss', insurance }),
    billing: { place_of_service: '10', modifier: '95', add_on_code: '90785' },
  }

  test('are all on the note if they are on file', () => {
    expect(fieldsOf(whole)).toEqual({
      Client: 'Maren Voss',
      'Date of birth': 'January 31, 1990',
      'Record number': 'AS-00417',
      'Session type': 'Couple',
      'Start and stop': '3:02 PM – 3:51 PM (49 min)',
      'Time zone': 'Central Standard Time',
      'CPT code': '90834 Psychotherapy, 45 minutes',
      'Add-on code': '90785 Interactive complexity',
      Modifier: '95 video',
      'Place of service': '10 Telehealth, client at home',
      Payer: 'Northlake Health (ending 4471)',
      'Also present': 'Γιώργος Παπαδόπουλος (partner)',
      Diagnoses: 'F43.22 Adjustment disorder with anxiety',
    })
    const { practice, signatures } = noteDocument({
      ...whole,
      settings: {
        ...letterhead,
        supervisor_name: 'Mary Osei',
        supervisor_license: 'PhD, license PSY-11',
        practice_npi: '1234567893',
      },
    })
    expect(practice).toEqual({
      name: 'Riverside Practice',
      lines: ['218 Alder Street, Suite 4, Ridgemont, OR 97000', '(555) 010-0142 · Group NPI 1234567893'],
    })
    expect(signatures.map(({ name, lines }) => [name, ...lines])).toEqual([
      ['Dr. Zoë Müller-Łukasz, LMFT', 'License L00000 (Oregon) · NPI 1234567893', 'Supervisor: Mary Osei, PhD, license PSY-11'],
    ])
  })

  test('read “Not on file” where a payer requires them, are left out otherwise, and are never guessed', () => {
    const bare = fieldsOf({
      ...noteExport({}, { date_of_birth: null, diagnoses: [] }),
      record_number: null,
      session: { ...session, modality: 'video', cpt_code: null, started_at: null, participants: [] },
      billing: { place_of_service: null, modifier: null, add_on_code: null },
      settings: { ...letterhead, therapist_license: null, therapist_npi: null },
    })
    expect(bare).toEqual({
      Client: 'Élodie Čapková',
      'Date of birth': 'Not on file',
      'Session type': 'Couple',
      'Start and stop': 'Not on file',
      'Scheduled time': '3:00 PM – 3:50 PM (50 min)',
      'Time zone': 'Central Standard Time',
      'CPT code': 'Not on file',
      'Place of service': 'By video',
      Diagnoses: 'Not on file',
      Clinician: 'Dr. Zoë Müller-Łukasz, LMFT',
    })
  })

  test('name the client in full, and as the practice does if that differs', () => {
    const nameOf = (client: Partial<NoteExport['client']>) => fieldsOf(noteExport({}, client))['Client']
    expect(nameOf({ display_name: 'Mari', given_name: 'Maren', family_name: 'Voss' })).toBe('Maren Voss (Mari)')
    expect(nameOf({ display_name: 'Maren Voss', given_name: 'Mari', family_name: 'Voss' })).toBe('Maren Voss')
    expect(nameOf({ display_name: 'Mari', given_name: 'Maren' })).toBe('Mari')
  })

  test('of a signed note stay as signed when settings change, and the note says which ones those are', () => {
    const later = noteDocument({ ...whole, settings: { ...letterhead, therapist_name: 'Zoë Berg', therapist_credential: 'PhD' } })
    expect(later.signatures).toMatchObject([{ name: 'Dr. Zoë Müller-Łukasz, LMFT', lines: [], hash: 'a'.repeat(64) }])
    expect(later.origin).toBe(
      'Text, signer, credential, and time of signing: as signed. All other details: from the records on November 28, 2026.',
    )
    expect(noteDocument(noteExport()).origin).toBeNull()
  })

  test('include the cosignature of a supervisor', () => {
    const cosignature = { ...signed.signature!, by: 'Mary Osei', credential: 'PhD', at: '2026-11-25T15:00:00.000Z' }
    const { signatures } = noteDocument(noteExport({ ...signed, status: 'cosigned', cosignature }))
    expect(signatures.map(({ how, name, at }) => `${how}: ${name}, ${at}`)).toEqual([
      'Signed electronically: Dr. Zoë Müller-Łukasz, LMFT, November 24, 2026 at 4:10 PM CST',
      'Cosigned electronically: Mary Osei, PhD, November 25, 2026 at 9:00 AM CST',
    ])
  })
})

test('sentences form paragraphs; lists and lines without a full stop keep their lines', () => {
  const source = noteExport()
  const statements = ['One.', 'Two?', 'Homework: walk', 'Three.', '- a\n- b', 'Four.'].map((text, index) => ({
    ...source.note.sections[0]!.statements[0]!,
    id: `p${index}`,
    text,
  }))
  const sections = [{ key: 'plan', title: 'Plan', statements }]
  expect(noteDocument({ ...source, note: { ...source.note, sections } }).sections[0]!.paragraphs).toEqual([
    'One. Two? Homework: walk',
    'Three.',
    '- a\n- b',
    'Four.',
  ])
})
