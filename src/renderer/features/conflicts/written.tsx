import type { NoteSection } from '#contract/model/note.ts'
import { togetherStrings } from '#renderer/strings/conflicts.ts'

/** What somebody wrote out of two versions. */
export function Written({ sections }: { readonly sections: readonly NoteSection[] }) {
  return (
    <section className="conflict-written">
      <h2 className="ui-section-head">{togetherStrings.written}</h2>
      {sections
        .filter(({ statements }) => statements.length > 0)
        .map(({ key, title, statements }) => (
          <p key={key} className="conflict-part">
            <span className="conflict-part-title">{title}</span>
            <span className="conflict-words">{statements.map(({ text }) => text).join(' ')}</span>
          </p>
        ))}
    </section>
  )
}
