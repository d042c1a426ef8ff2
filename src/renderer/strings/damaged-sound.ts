export const damagedWords = {
  part: (lost: string, length: string): string => `${lost} of ${length} can’t be read.`,
  underASecond: 'Less than 1 s',
  whole: (length: string): string => `This recording of ${length} can’t be read.`,
  partHelp: 'The recording file was changed or damaged outside Afterword. The rest plays, with silence in the damaged parts.',
  wholeHelp: 'The recording file is missing, or it was replaced or damaged outside Afterword.',
  transcriptSafe: 'Your transcript is stored separately.',
  noteSafe: 'Your note is stored separately.',
  bothSafe: 'Your transcript and your note are stored separately.',
  next: (file: string): string =>
    `If you have a backup of this computer, restore ${file} in Afterword’s folder, then restart Afterword.`,
} as const
