import type { OperationId } from './routes.ts'

const signing = `
Steps:

1. Read the note. Find each statement with \`safety: true\` and \`confirmed_at: null\`.
2. Once the clinician has confirmed them, send the whole note with \`confirmed_at\` set (\`PUT /notes/{id}\`).
   \`doubt\` and checks with \`needs_you\` do not block signing.
3. Hash the answer of that PUT and sign with its \`ETag\` as \`If-Match\`.

409 \`not-ready-to-sign\` lists the statements that are not confirmed: \`errors[].pointer\` points into the note.

**The hash.** Take exactly these members of the answer: \`session_id\`, \`client_id\`, \`template\`, \`sections\`,
\`unsupported\`, \`omissions\`, \`checks\`, \`engine\`. Keep every null and default they hold. Leave out every other member,
including \`id\`, \`version\`, \`status\`, \`reviews\`, \`billing\`, \`withheld\`, \`cosignature\`, \`redacted\` and the times of the record.
Write them as canonical JSON (RFC 8785: names sorted, no white space), and take the SHA-256 of its UTF-8 bytes in lower-case hex.

A note with this canonical JSON:

\`\`\`json
{"checks":[],"client_id":null,"engine":{"model":null,"name":"rules","version":"1"},"omissions":[],"sections":[{"key":"plan","statements":[{"confirmed_at":null,"evidence":[],"finding":null,"id":"p1","origin":"person","safety":false,"support":"clinician_entered","text":"Keep a sleep diary until next week."}],"title":"Plan"}],"session_id":null,"template":"soap","unsupported":[]}
\`\`\`

is signed with \`content_hash\`

\`\`\`text
d0efe7e2aaa45afd5019884f40ca5c85c4e5dd64ff960942cf929b35119efae1
\`\`\`
`.trim()

const drafting = `
Writes a progress note as a draft. Each call adds another note to the session; no earlier one is changed.

**Evidence.** An inline \`transcript\` is read and not stored: \`evidence[].segment_id\` then counts its sentences (\`s1\`, \`s2\`, ...),
and only \`quote\` repeats the words. For evidence that can be looked up later, store the transcript first
(\`PUT /transcripts/{id}\`) and send its id as \`transcript_id\`. Statements such as "Not assessed: ..." and "Not stated in
session." have no evidence.

**Speakers.** The note depends on who speaks. Start each turn with a label that names the role, for example \`Therapist:\` and
\`Client:\`, or the client's name from the record. With other labels, the note only quotes, and its \`checks\` contain \`speakers-unknown\`.
Then replace the labels and send the text again, or store the transcript with \`role\` set for each speaker.

**Consent.** If the service enforces consent, everyone in the session must have agreed to \`draft\` (\`POST /consents\`), or the answer
is 403 \`consent-missing\`.
`.trim()

const scheduling = `
\`check\` and \`book\` need \`request.start\` (or a \`proposal_id\`). To book a time in words:

1. Send \`"mode": "propose"\` with \`text\`. Each of \`proposals\` can be booked for 15 minutes.
2. Send \`"mode": "book"\` with the \`id\` of one of them as \`proposal_id\`.

With \`book\`, \`text\` decides nothing: if it contradicts \`start\`, the time is booked and a soft conflict says so.
`.trim()

const editing = `
Stores the whole note as sent. Without \`If-Match\` the note is created; to change it, send its \`ETag\` as \`If-Match\`.

The service does not compare statements with a transcript again: \`evidence\`, \`support\` and \`origin\` are the caller's
responsibility. For a sentence that a person wrote, send \`origin: person\`, \`support: clinician_entered\` and no evidence.
Send \`unsupported\`, \`checks\` and \`engine\` back as you received them. For a note without a draft, send empty lists.
`.trim()

/** Markdown below the summary of an operation, where its schemas do not say enough. */
export const descriptions: Partial<Record<OperationId, string>> = {
  signNote: signing,
  generateNote: drafting,
  generateNoteFromData: 'Each call adds another note. No earlier note is changed.',
  analyze:
    'Stores the analysis and answers 200 with it; each call adds another one. `GET /analyses` lists them. An inline `transcript` is read and not stored.',
  listClients: 'Oldest first. Archived clients are listed too, unless `status=active` is given.',
  createSession:
    'Past times are accepted, so that earlier sessions can be entered. `POST /ai/schedule` books future times only and answers 409 with the conflict `past` otherwise.',
  schedule: scheduling,
  readAnalytics:
    'Defaults to the last 30 days in `time_zone`. The first and the last part of `series` may be shorter than a week or month.',
  putNote: editing,
  putTranscript:
    'For typed or imported text, leave out times, `confidence` and `engine`. Set `role` of each speaker: drafts depend on it. Without `If-Match` the transcript is created; to change it, send its `ETag` as `If-Match`. Ids of `segments` are yours to choose; evidence refers to them.',
  addAddendum:
    'The note must be signed. `content_hash` links the addendum to the text before it: take the `content_hash` of the last addendum, or of the signature for the first one, append the canonical JSON (RFC 8785) of `id`, `text`, `reason`, `by` and `at` without a separator, and hash the result with SHA-256.',
}
