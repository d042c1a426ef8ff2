import { expect, test } from 'vitest'
import { whyNotAgain } from '#renderer/features/session/transcript/unclear.ts'

type Data = Parameters<typeof whyNotAgain>[0]
type Written = Parameters<typeof whyNotAgain>[1]

const data = (state: string | null, note: object | null = null): Data =>
  ({ recording: state === null ? null : { state }, row: { note } }) as unknown as Data
const written = (name: string, edited = false): Written =>
  ({ engine: { name, version: '1', model: null }, segments: [{ edited }] }) as unknown as Written

test('a recording is written out again where nothing a person wrote would be lost', () => {
  expect(whyNotAgain(data('finished'), written('sherpa-onnx'), true)).toBeNull()
  expect(whyNotAgain(data('finished'), written('sherpa-onnx', true), true)).toBe('corrected')
  expect(whyNotAgain(data('finished', {}), written('sherpa-onnx'), true)).toBe('note')
  for (const own of ['person', 'import']) expect(whyNotAgain(data('finished'), written(own), true)).toBe('own')
})

test('without a recording or an engine there is nothing to write it with', () => {
  for (const state of [null, 'erased', 'recording'])
    expect(whyNotAgain(data(state), written('sherpa-onnx'), true)).toBe('no-sound')
  expect(whyNotAgain(data('finished'), written('sherpa-onnx'), false)).toBe('no-engine')
})
