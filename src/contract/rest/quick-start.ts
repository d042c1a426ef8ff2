/**
 * Markdown at the top of the API documentation. A test runs the commands in order against a real service.
 */
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
