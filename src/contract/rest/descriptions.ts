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

/** Markdown below the summary of an operation, where its schemas do not say enough. */
export const descriptions: Partial<Record<OperationId, string>> = {
  signNote: signing,
  generateNote: drafting,
}
