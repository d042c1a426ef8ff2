import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { makeLongSpeech } from '#test/support/long-speech.ts'
import { repository, testData } from '#test/support/machine.ts'

/** What the microphone is given to hear, and who says what in it: a line `T<TAB>words` or `C<TAB>words` for each turn. */
export interface Sound {
  readonly wav: string
  readonly dialogue: string
}

export interface Speech {
  readonly name: string
  /** @param folder where it may be made */
  readonly sound: (folder: string) => Sound
}

interface RecordedSpeech extends Speech {
  readonly wav: string
}

function recorded(name: string, wav: string, dialogue: () => string): RecordedSpeech {
  return { name, wav, sound: () => ({ wav, dialogue: dialogue() }) }
}

const own = join(repository, 'test', 'fixtures', 'speech')

export const shortDialogue = recorded('a short dialogue', join(own, 'session.wav'), () =>
  readFileSync(join(own, 'dialogue.tsv'), 'utf8'),
)

export const therapyDialogue = recorded('a therapy dialogue', testData('speech', 'session-flite.wav'), () =>
  readFileSync(testData('speech', 'session-flite.tsv'), 'utf8'),
)

export const twoPeople = recorded('two people in one room', testData('speech', 'katiesteve_29s.wav'), () =>
  [
    'T\tgood morning steve',
    'C\tgood morning katie',
    'T\thave you tried the latest real time diarization in microsoft speech service which can tell you who said what in real time',
    'C\tnot yet i have been using the batch transcription with diarization functionality',
    'C\tbut it produces diarization result until whole audio get processed is the new feature can diarize in real time',
    'T\tabsolutely',
    'C\tthat is exciting let me try it right now',
  ].join('\n'),
)

export const tenMinutes: Speech = { name: 'a dialogue of ten minutes', sound: makeLongSpeech }

export const isHere = (speech: RecordedSpeech): boolean => existsSync(speech.wav)
