export const voiceStrings = {
  group: 'Your voice',
  label: 'Known by your voice',
  none: 'Not kept yet. Once it is, transcripts name you by your voice. Until then by what is said, where that is clear, and else you are asked.',
  kept: (day: string): string => `Kept on ${day}. Transcripts name you by it.`,
  outdated: (day: string): string =>
    `Kept on ${day}, with another model than the one installed now, so it says nothing. Read the paragraph again.`,
  what: {
    here: 'What is kept are numbers made from your voice, and no sound. They count as biometric data: they are sealed, they stay on this laptop, and they go when you erase them.',
    practice:
      'What is kept are numbers made from your voice, and no sound. They count as biometric data: they are sealed, they stay with your practice’s service, and they go when you erase them.',
  },
  others: 'It is for your own voice alone. No client’s voice is kept beyond the work of writing one transcript.',
  notReady: 'The two models that tell voices apart are not installed. They stand under “Speech on this laptop”.',
  busyRecorder: 'A recording is running. This can be done after it.',
  start: 'Read a paragraph aloud',
  again: 'Read it again',
  erase: 'Erase my voice',
  erasing: 'Erasing…',
  erased: 'Your voice was erased. Transcripts that are already written stay as they are.',
  enrolled: 'Your voice is kept. The sound is already forgotten.',
  readThis: 'Read this aloud, as you speak in a session:',
  paragraph:
    'The path to the lake begins behind the old bakery. In spring it is soft and a little muddy, and you can hear the water long before you see it. Most people walk it slowly. Some sit down on the bench half way, look at the hills for a while, and go home again without ever reaching the shore.',
  left: (seconds: number): string => (seconds === 1 ? '1 second left' : `${seconds} seconds left`),
  stop: 'Stop',
  making: 'Making the numbers, then forgetting the sound…',
  level: 'How loud the microphone hears you',
  failed: 'The microphone could not be opened. Nothing was kept.',
} as const
