/** `@cairn/core/conversation`: a session's log as pages draw it. */
export { blockView } from './block-view.ts'
export type { BlockView, CommandOutput, CutText, ImageView, TaggedText } from './block-view.ts'
export { patchView } from './call-edit.ts'
export type { EditLine, EditView } from './call-edit.ts'
export { durationText } from './duration-text.ts'
export { callersOf, entryView, entryViews, isToolMessage } from './entry-view.ts'
export type { EntryView, MarkKind } from './entry-view.ts'
export { readEntryViews, readImageUrl, readWholeEntry } from './read-views.ts'
