/**
 * The tags in which Cairn hands records to a model. Content can neither open nor close one of them: it is data,
 * whatever it says.
 */
import { RECORD_TAGS, type RecordTag } from '../user-words/record-tags.ts'

export { RECORD_TAGS, isRecord, type RecordTag } from '../user-words/record-tags.ts'

/** A tag is known whatever stands between its bracket and its name, or unseen between its letters. */
const BEFORE_NAME = String.raw`[^\p{L}<>]*`
const spelled = (tag: string): string =>
  Array.from(tag, (letter) => (letter === '_' ? String.raw`[-_\s]` : letter)).join(String.raw`[\p{Cf}\p{Cc}\p{Mn}]*`)
const OWN_TAG = new RegExp(`<(?=${BEFORE_NAME}(?:${RECORD_TAGS.map(spelled).join('|')}))`, 'giu')

/** Escapes the opening bracket of every tag that Cairn uses, and nothing else. */
export const escapeTags = (text: string): string => text.replace(OWN_TAG, '&lt;')

/** Wraps a body in one of Cairn's tags. The body must be escaped already. */
export const wrapInTag = (tag: RecordTag, body: string): string => `<${tag}>\n${body}\n</${tag}>`
