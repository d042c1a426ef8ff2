/**
 * Counts up whenever a schema of the bridge or of the service changes; a test holds its fingerprint.
 * 1: the main job.
 * 2: local engines: models, voices, writers with a model, templates, analysis.
 * 3: the whole service: authority, keys, sign-in, scheduling, coverage, figures, uploads, feeds.
 * 4: offline and in sync: conflicts, moving to a practice, who one is there, keys that renew themselves, the outbox told in full.
 * 5: the microphone opens only after the core agreed; closing and waking are announced to the window; copied text is cleared.
 * 6: updates of the app: how the app is updated, checks, downloads and installs; their two settings.
 * 7: the packaged app offers no model files for drafts.
 * 8: the self-test of the installed app; edits are saved before the system locks the records.
 * 9: a service that strangers use: ids in any case, weights of proposals by name, audit events with the link before, years 1900 to 2200, wall times without Z,
 *    a bound on the work one person may have waiting, typed transcripts without times and engine.
 * 10: damage and recovery: reports of what was and was not recovered; damaged recordings; records of an unknown form;
 *     keys that can't be read or open nothing.
 */
export const CONTRACT_VERSION = 10
