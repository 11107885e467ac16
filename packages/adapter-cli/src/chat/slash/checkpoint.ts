/** `/checkpoint`: snapshots of files. */
import { firstWord, needed, unknownForm, type SlashCommand } from './slash-command.ts'

/** Checkpoints that are listed. */
const LISTED = 15

/** `/checkpoint`: creates, lists, compares and restores checkpoints of the conversation's folder. */
export const CHECKPOINT: SlashCommand = {
  name: 'checkpoint',
  forms: [
    ['create [label]', 'take a snapshot of the files as they are now'],
    ['list', 'the checkpoints of this folder'],
    ['diff <id> [id]', 'what changed since one, or between two'],
    ['restore <id>', 'restore its files, after showing them and asking'],
    ['undo', 'undo the last restore'],
  ],
  /**
   * `/checkpoint`: lists, or makes, compares, restores and undoes one. Throws `usage` for another word or a missing id.
   */
  run: async (rest, { context, options, session }) => {
    const [word, text] = firstWord(rest)
    const [id, other] = firstWord(text)
    switch (word) {
      case '':
      case 'list':
        return (await import('../../commands/checkpoint-list.ts')).runList({ ...options, limit: LISTED }, context)
      case 'create': {
        const { workspace, ...others } = options
        const own = {
          ...others,
          ...(workspace === undefined ? {} : { workspace: [workspace] }),
          ...(text === '' ? {} : { label: text }),
          ...(session.id === undefined ? {} : { session: session.id }),
        }
        return (await import('../../commands/checkpoint-create.ts')).runCreate([], own, context)
      }
      case 'diff':
        needed(id, 'Since which one? /checkpoint list shows their ids.', '/checkpoint diff 1a2b3c4d')
        return (await import('../../commands/checkpoint-diff.ts')).runDiff(
          id,
          other === '' ? undefined : other,
          options,
          context,
        )
      case 'restore':
        needed(id, 'Which one? /checkpoint list shows their ids.', '/checkpoint restore 1a2b3c4d')
        return (await import('../../commands/checkpoint-restore.ts')).runRestore(id, [], options, context)
      case 'undo':
        return (await import('../../commands/checkpoint-restore.ts')).runUndo(options, context)
      default:
        throw unknownForm(CHECKPOINT, word)
    }
  },
}
