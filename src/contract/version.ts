/**
 * Raise this number with every change to a schema of the bridge or the service. A test compares a fingerprint of the schemas.
 * New in each version:
 * 1: recordings, transcripts, drafts, notes, consents.
 * 2: local engines: models, voices, drafts by a language model, custom templates, analyses.
 * 3: the complete service: roles, API keys, sign-in, scheduling, coverage, figures, uploads, change feed.
 * 4: offline work and sync: conflicts, migration to a practice service, `GET /me`, key renewal, details of the outbox.
 * 5: the microphone opens only after the core agrees; events before closing and after waking; the clipboard is cleared.
 * 6: app updates: state, check, download, installation, two settings.
 * 7: the packaged app offers no model files for drafts.
 * 8: self-test of the installed app; edits are saved before the records lock.
 * 9: stricter service: ids in any case, named weights for scheduling proposals, hash chain in audit events, years 1900 to 2200,
 *    local times without Z, a limit on waiting work per person, typed transcripts without times and engine.
 * 10: damage and recovery: recovery reports, damaged recordings, databases of an unknown release, keys that are unreadable or
 *     do not match.
 * 11: appointments canceled with a reason or deleted; sessions that owe a note; drafts
 *     older than their transcript; the system's locale and a setting for another one.
 * 12: the latest sessions that owe a note, and how many there are; search in notes; details that payers ask for on exported
 *     notes; notes as plain text; deletion of audio, with receipts; notes that are typed; the client's last note; snippets;
 *     changes of several appointments at once; safety statements in the brief, what each session was about, menu commands,
 *     finished work, a setting for notifications; dictation; versions of notes.
 */
export const CONTRACT_VERSION = 12
