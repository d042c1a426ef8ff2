export const fieldStrings = {
  choose: 'Choose',
  clear: 'Clear',
  showPassphrase: 'Show what I type',
  hidePassphrase: 'Hide what I type',
  close: 'Close',
  dismiss: 'Put away',
  undo: 'Undo',
  more: 'More',
  tryAgain: 'Try again',
  details: 'Details',
  loading: 'Loading…',
} as const

export const recoveryCodeStrings = {
  label: 'Recovery code',
  keep: 'Keep it on paper, away from this laptop. Whoever has it and this laptop can read your records.',
  print: 'Print it',
  copy: 'Copy it',
  copied: 'Copied. Clear the clipboard when you have stored it.',
  copiedFor: (seconds: number): string =>
    `Recovery code copied. Paste it now: Afterword clears the clipboard in ${seconds} seconds.`,
  copyFailed: 'It could not be copied. Select the code and copy it by hand, or write it down.',
  written: 'I have written it down or printed it',
  writtenFirst: 'Keep the code first; it is not shown again.',
  paper: {
    title: 'Afterword recovery code',
    made: (day: string): string => `Made on ${day}.`,
    text: 'It opens the records on the laptop it was made for, if the passphrase is forgotten or the keychain is lost.',
    use: 'In Afterword, on the lock screen, choose “Use my recovery code” and type it. A newer code makes this one useless.',
    keep: 'Keep it away from that laptop. Whoever has both can read the records.',
  },
} as const
