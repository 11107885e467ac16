/** `@cairn/core/sources/mentions`: what `@file`, `@git`, `@session` and others in a text stand for. */
export { expandMentions } from './expand-mentions.ts'
export { textWithoutMentions } from './own-text.ts'
export type { LineRange, MentionTarget } from './mention.ts'
export type {
  EditorProblem,
  EditorSelection,
  ExpandedText,
  MentionLimits,
  MentionSources,
  NamedText,
  RefusedMention,
  SentMention,
} from './mention-sources.ts'
