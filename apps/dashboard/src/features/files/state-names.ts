/** The states of a session's files, in words. They are about the context; of the file itself only a change is told. */
import type { FileStateChoice } from './sorts.ts'

/** The name of a state and what it means. */
export const STATE_NAMES: Readonly<Record<FileStateChoice, { readonly name: string; readonly hint: string }>> = {
  all: { name: 'All', hint: 'Every file that the session named' },
  active: { name: 'Active', hint: 'What the model is sent holds the file as it is' },
  stale: { name: 'Stale', hint: 'The file was changed or deleted since, so that the model knows a former content' },
  removed: {
    name: 'Not in context',
    hint: 'What the model is sent holds nothing of the file’s content: a compaction, a trim or a rewind took it out, or it was never read. The file itself was not removed by that',
  },
  failed: { name: 'Failed', hint: 'Every call for the file failed, so it was never in the context' },
}
