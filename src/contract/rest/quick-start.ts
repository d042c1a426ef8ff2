import type { OperationId } from './routes.ts'

/** A test runs the commands in order against a real service. */
export const quickStart = `
## Quick start

From a key to a first progress note. You need the address of the service and a key: the first start of
a service prints an owner key, and the owner makes more with \`POST /api-keys\`.

\`\`\`bash
BASE=https://service.example/v1
KEY=aw_live_...
\`\`\`

**1. Check the key.** The answer says who you are, your roles and your plan.

\`\`\`bash
curl -sS --fail-with-body "$BASE/me" -H "Authorization: Bearer $KEY"
\`\`\`

**2. Write a note from the facts of a session.** No other record is needed.

\`\`\`bash
curl -sS --fail-with-body "$BASE/notes/generate" -H "Authorization: Bearer $KEY" \\
  -H 'Content-Type: application/json' -d '{
    "session_type": "individual",
    "duration_minutes": 50,
    "presenting_concerns": ["Wakes at four and cannot fall asleep again"],
    "interventions": ["Sleep diary"],
    "client_response": "Wants to keep the diary until next week."
  }'
\`\`\`

**3. Write a note from a transcript.** It belongs to a client and a session, so create both first. A service that
enforces consent also needs the client's consent; without it, this step is a 403 \`consent-missing\`.

\`\`\`bash
CLIENT=$(curl -sS --fail-with-body "$BASE/clients" -H "Authorization: Bearer $KEY" \\
  -H 'Content-Type: application/json' -d '{"display_name": "Maren Voss"}' |
  sed -E 's/.*"id":"([^"]+)".*/\\1/')
curl -sS --fail-with-body "$BASE/consents" -H "Authorization: Bearer $KEY" \\
  -H 'Content-Type: application/json' -d '{
    "client_id": "'$CLIENT'",
    "participant": {"name": "Maren Voss", "role": "client"},
    "scopes": ["draft", "analyze"],
    "text_version": "2026-10",
    "method": "spoken",
    "given_at": "2026-11-24T14:55:00Z"
  }'
SESSION=$(curl -sS --fail-with-body "$BASE/sessions" -H "Authorization: Bearer $KEY" \\
  -H 'Content-Type: application/json' -d '{
    "client_id": "'$CLIENT'",
    "session_type": "individual",
    "starts_at": "2026-11-24T15:00:00Z",
    "duration_minutes": 50,
    "status": "completed"
  }' | sed -E 's/.*"id":"([^"]+)".*/\\1/')
curl -sS --fail-with-body "$BASE/ai/generate-note" -H "Authorization: Bearer $KEY" \\
  -H 'Content-Type: application/json' -d '{
    "client_id": "'$CLIENT'",
    "session_id": "'$SESSION'",
    "template": "soap",
    "transcript": "Therapist: How did you sleep?\\nMaren: I wake at four and cannot fall asleep again."
  }'
\`\`\`

Sentences about what was said name their evidence; "Not assessed: ..." and "Not stated in session." have none.
If a command fails, it prints the problem that the service answered: \`detail\` says what to do. The clinician edits the draft (\`PUT /notes/{id}\`) and signs it
(\`POST /notes/{id}/sign\`).

## Basics

- **Addresses.** Each path answers under \`/v1\` and \`/api/v1\`; the \`/ai\` paths also under \`/api/ai\`.
- **Retries.** Send an \`Idempotency-Key\` with a POST. The same key and body again within 90 days returns the same
  answer, with \`Idempotency-Replayed: true\`, and does nothing twice.
- **Changes.** Records have a version. Send the \`ETag\` you received as \`If-Match\`; 412 means the record has changed
  since, and the answer holds it as it is now.
- **Lists.** Page with \`limit\` (50 by default) and \`cursor\` until \`next_cursor\` is null. Records come in the order they
  were created, oldest first. With \`updated_since\`, they come in the order they changed, deleted ones included.
- **Fields.** Fields and query parameters the service does not know are ignored. Answers may gain fields within v1.
- **Times** are RFC 3339 in UTC and end in \`Z\`; an offset is refused. Answers hold times with and without milliseconds.
  Times of \`/ai/schedule\` are local times in \`tzid\`.
- **Long work.** \`Prefer: respond-async\` answers 202 at once with an operation to poll. Without it, the call waits up
  to a minute and then does the same.
- **Quota.** \`RateLimit\` says what is left of the day. Beyond it, the answer is 429 with \`Retry-After\`.
  Operations with \`x-counts-against-quota\` count. A refused call (4xx) and a replay do not count, except a 409 of
  \`/ai/schedule\` that offers other times; a call that failed (5xx) counts.
- **Roles.** \`x-roles\` of an operation lists who may call it, and for which records: \`all\` of the practice, \`caseload\` (own
  clients), \`supervised\` (own clients and those of supervisees), \`limited\` (some fields only), \`own\` (own work only).
- **Errors** are RFC 9457 problems: \`code\` for programs, \`detail\` for people, \`request_id\` for support.
- **Generated clients.** With openapi-typescript, use \`--default-non-nullable=false\`, so that fields with a default stay optional.
- **Test keys** (\`aw_test_...\`) reach sandbox engines only.
- **Versions.** \`info.version\` of this document is the API's: 1, and a number that rises with each change. The release of
  the program is \`version\` of \`GET /\`.
- **Text.** Drafts and analyses take at most 600,000 characters of a transcript, about twelve hours of speech.
`

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
