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

/** Markdown below the summary of an operation, where its schemas do not say enough. */
export const descriptions: Partial<Record<OperationId, string>> = {
  signNote: signing,
}
