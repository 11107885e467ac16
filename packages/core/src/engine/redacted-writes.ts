/** Redacts entries before they are written to a log. */
import type { EntryWrite } from '../ports/session-storage.ts'
import { redact, withoutBrokenSignatures } from '../redaction/index.ts'
import type { NewLogEntry } from '../session-log.ts'
import { entryJson } from '../session/append-input.ts'

/**
 * The write with its entry's secrets replaced and counted; the same object if there are none. Placeholders contain
 * nothing that JSON escapes, so an entry's JSON stays well-formed.
 * @throws CairnError `invalid-input` for an entry that JSON can't represent; the index identifies it.
 */
export const withoutSecrets = (write: EntryWrite, index: number): EntryWrite => {
  const { text, count } = redact(entryJson(write, index))
  if (count === 0) return write
  const entry = withoutBrokenSignatures(JSON.parse(text) as NewLogEntry)
  return { ...write, entry, redactions: (write.redactions ?? 0) + count }
}
