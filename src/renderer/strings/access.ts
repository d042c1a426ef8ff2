import { plural } from './plural.ts'

export const accessStrings = {
  title: 'Getting back in',
  cancel: 'Cancel',
  proof: {
    passphrase: 'Present passphrase',
    code: 'Recovery code',
    useCode: 'I forgot it: use the recovery code',
    usePassphrase: 'Use the present passphrase',
    missing: 'Type it first, so that nobody else can do this while your records are open.',
    wrongPassphrase: 'This passphrase does not open the records. Check capital letters and the keyboard layout.',
    wrongCode: 'This recovery code does not open the records. Compare it with your printed code.',
  },
  passphrase: {
    label: 'Passphrase',
    text: 'The new one opens your records from then on, the old one no longer. Your recovery code stays as it is.',
    change: 'Change it',
    title: 'Change the passphrase',
    next: 'New passphrase',
    nextHelp: 'At least 12 characters. A few words in a row are easy to remember.',
    again: 'The new one once more',
    tooShort: (missing: number): string => `It needs ${plural(missing, '# more character', '# more characters')}.`,
    differs: 'The two are not the same.',
    save: 'Change the passphrase',
    saving: 'Changing it…',
    changed: 'The passphrase is changed. The old one opens nothing any more.',
  },
  code: {
    label: 'Recovery code',
    text: 'It opens your records if the passphrase is forgotten or the keychain is lost. Make a new one if yours is lost or was seen.',
    make: 'Make a new one',
    title: 'Make a new recovery code',
    lead: 'The code you have now opens nothing any more as soon as the new one is made.',
    leadKeychain:
      'The code you have now opens nothing any more as soon as the new one is made. Nothing else is asked of you: this computer’s keychain opens your records for whoever is signed in here. The audit keeps when it was made, and so does this page.',
    made: (day: string, time: string): string => `Last made anew on ${day}, ${time}.`,
    madeUnproven: (day: string, time: string): string =>
      `Last made anew on ${day}, ${time}, by whoever was signed in to this computer: no passphrase and no earlier code was asked for. If it was not you, make another one and lock this computer when you leave it.`,
    makeIt: 'Make a new code',
    making: 'Making it…',
    titleMade: 'Your new recovery code',
    leadMade: 'It is shown now and never again. Every code before it is useless: throw its paper away.',
    done: 'Done',
  },
} as const
