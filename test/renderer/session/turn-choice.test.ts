import { expect, test } from 'vitest'
import { afterVoice, chooseTurn, chosenRange, moveChoice } from '#renderer/features/session/transcript/speakers.ts'

test('the arrows stop at both ends', () => {
  expect(moveChoice(chooseTurn(0), -1, 5, false)).toEqual(chooseTurn(0))
  expect(moveChoice(chooseTurn(4), 1, 5, false)).toEqual(chooseTurn(4))
})

test('with Shift a stretch is chosen, in either direction, and an arrow alone ends it', () => {
  const up = moveChoice(moveChoice(chooseTurn(3), -1, 5, true), -1, 5, true)
  expect(chosenRange(up)).toEqual({ from: 1, to: 3 })
  expect(chosenRange(moveChoice(up, 1, 5, false))).toEqual({ from: 2, to: 2 })
})

test('after a voice the next turn without one is chosen, else the turn after the stretch', () => {
  expect(afterVoice({ at: 1, anchor: 3 }, 7, 9, false)).toEqual(chooseTurn(7))
  expect(afterVoice({ at: 1, anchor: 3 }, -1, 9, false)).toEqual(chooseTurn(4))
  expect(afterVoice(chooseTurn(8), -1, 9, false)).toEqual(chooseTurn(8))
})

test('while the sound plays it leads, not the voice', () => {
  expect(afterVoice(chooseTurn(2), 7, 9, true)).toEqual(chooseTurn(2))
})
