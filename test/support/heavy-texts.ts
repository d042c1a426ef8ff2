/** Texts that are cheap to send and, read carelessly, dear to work on. Each has `length` characters. */
export const heavyTexts: Readonly<Record<string, (length: number) => string>> = {
  'one sentence': (length) => filled('Therapist: How are you?\nClient: ', 'then he said that I went home and ', length),
  'no white space': (length) => filled('Therapist: How are you?\nClient: ', 'a', length),
  'line breaks': (length) => filled('Therapist: How are you?\nClient: Tired.\n', '\n', length),
  'many speakers': (length) => {
    let text = ''
    for (let at = 0; text.length < length; at += 1) text += `Speaker ${at}: I slept ${at % 9} hours and want to stop drinking.\n`
    return text.slice(0, length)
  },
  'risk words': (length) =>
    filled('Therapist: How was the week?\n', 'Client: I want to kill myself, I have a plan to hurt myself tonight.\n', length),
  'words without stops': (length) =>
    filled('Therapist: what happened\n', 'Client: i think that he would not and if the thing of my\n'.repeat(3), length),
  'no speakers': (length) => filled('', 'no i did not take 20 mg of it. did you? ', length),
  numbers: (length) => filled('Therapist: how many\nClient: ', 'twenty five hundred 13, ', length),
  commas: (length) => filled('Therapist: how many\nClient: ', ',', length),
  quotes: (length) => filled('Therapist: how many\nClient: ', '"I said (yes [no ', length),
  dashes: (length) => filled('Therapist: how many\nClient: ', 'I- I-', length),
  questions: (length) => filled('', 'Therapist: Do you sleep well these days?\nClient: Yes.\n', length),
  names: (length) =>
    filled('', 'Therapist: Maybe Ana Lopez.\nClient: Tom Baker told Mary Miller on Monday that she was at 10 of 10.\n', length),
  'a different word each': (length) => {
    let t = 'Therapist: how\nClient: '
    for (let i = 0; t.length < length; i += 1) t += `w${i.toString(36)}x walked to z${(i * 7919).toString(36)}. `
    return t.slice(0, length)
  },
  'combining marks': (length) => filled('Client: I felt e', '\u0301', length),
}

function filled(start: string, piece: string, length: number): string {
  return (start + piece.repeat(Math.ceil(length / piece.length))).slice(0, length)
}
