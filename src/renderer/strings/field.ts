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
