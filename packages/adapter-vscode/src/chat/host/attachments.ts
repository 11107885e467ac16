/** What the user puts beside the next message: parts of the editor as they were then, and files as they are when it is sent. */
import type { EditorProblem, EditorSelection } from '@cairn/core/sources/mentions'
import { counted } from '../../text/format.ts'
import type { Attachment } from '../conversation/chat-state.ts'

/** Something the user attached to the next message. */
export type AttachedPart =
  | { readonly kind: 'selection'; readonly selection: EditorSelection }
  | { readonly kind: 'problems'; readonly problems: readonly EditorProblem[] }
  | { readonly kind: 'file'; readonly path: string }

/** What is attached to the next message. */
export interface Attachments {
  /** Adds a part and returns all; an equal one that is there is replaced. */
  add(part: AttachedPart): readonly Attachment[]
  /** Takes a part away and returns the rest; an unknown id changes nothing. */
  remove(id: string): readonly Attachment[]
  /** Returns the parts of the given attachments and empties the list, of others as well. */
  take(attachments: readonly Attachment[]): readonly AttachedPart[]
}

const MOST_ATTACHMENTS = 50

/**
 * Returns an empty list of attachments. Adding the same part again moves it to the end; beyond {@link MOST_ATTACHMENTS}
 * nothing is added. `take` gives those of the list that are still here, and empties it.
 */
export const createAttachments = (): Attachments => {
  const parts = new Map<string, AttachedPart>()
  const all = (): readonly Attachment[] => [...parts].map(([id, part]) => ({ id, label: labelOf(part) }))
  return {
    add: (part) => {
      const id = idOf(part)
      parts.delete(id)
      if (parts.size < MOST_ATTACHMENTS) parts.set(id, part)
      return all()
    },
    remove: (id) => {
      parts.delete(id)
      return all()
    },
    take: (attachments) => {
      const taken = attachments.flatMap(({ id }) => parts.get(id) ?? [])
      parts.clear()
      return taken
    },
  }
}

/** Returns the id of a part; equal parts have equal ids. */
const idOf = (part: AttachedPart): string => {
  if (part.kind === 'problems') return 'problems'
  if (part.kind === 'file') return `file ${part.path}`
  const { path, lines } = part.selection
  return `selection ${path} ${lines.first}-${lines.last}`
}

/** Returns the label of a part, not made safe to show: a path, `path:first-last` or a number of problems. */
const labelOf = (part: AttachedPart): string => {
  if (part.kind === 'problems') return counted(part.problems.length, 'problem')
  if (part.kind === 'file') return part.path
  const { path, lines } = part.selection
  return `${path}:${lines.first}-${lines.last}`
}

/** What a mention needs no quotes for, at its end neither what ends a sentence. */
const PLAIN = /^[^\s"'`<>|]*[^\s"'`<>|.,;:!?)\]}]$/

/**
 * Returns the mention of a file, in quotes if its name needs them. A name that contains a quote can't be mentioned; it
 * is written as it is.
 */
export const fileMention = (path: string): string => (PLAIN.test(path) ? `@${path}` : `@"${path}"`)

/**
 * Returns the text followed by a mention of each part that it does not mention already, in a paragraph of its own; one
 * `@selection` or `@problems` stands for all parts of that kind. The text alone if it mentions all.
 */
export const withMentions = (text: string, parts: readonly AttachedPart[]): string => {
  const mentions = new Set(parts.map((part) => (part.kind === 'file' ? fileMention(part.path) : `@${part.kind}`)))
  const missing = [...mentions].filter((mention) => !isMentioned(text, mention))
  return missing.length === 0 ? text : `${text}\n\n${missing.join(' ')}`
}

/** Returns whether a blank, the end, or punctuation follows the first place where the text contains the mention. */
const isMentioned = (text: string, mention: string): boolean => {
  const at = text.indexOf(mention)
  return at !== -1 && /^$|[\s.,;:!?)\]}]/.test(text.charAt(at + mention.length))
}
