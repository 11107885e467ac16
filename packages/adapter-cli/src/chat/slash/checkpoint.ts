/** `/checkpoint` and `/undo`: files as they were. */
import { realPathOf, workspaceFolder } from '@cairn/core/node'
import { CairnError } from '@cairn/core'
import type { Checkpoint } from '@cairn/core'
import type { Chat, TurnRecord } from '../chat.ts'
import { firstWord, needed, unknownForm, type SlashCommand } from './slash-command.ts'

const LISTED = 15

export const CHECKPOINT: SlashCommand = {
  name: 'checkpoint',
  forms: [
    ['create [label]', 'keep the files as they are now'],
    ['list', 'the checkpoints of this folder'],
    ['diff <id> [id]', 'what changed since one, or between two'],
    ['restore <id>', 'give its files back; shows them, and asks'],
  ],
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
      default:
        throw unknownForm(CHECKPOINT, word)
    }
  },
}

/** The checkpoint that was made before the first change of a turn. */
const before = async (
  { startedAt }: TurnRecord,
  { engine, workspace, session }: Chat,
): Promise<Checkpoint | undefined> => {
  const all = await engine.checkpoints.list(realPathOf(workspaceFolder(workspace)))
  return all.findLast(
    ({ at, sessionId, kind }) => sessionId === session.id && at >= startedAt && kind !== 'before-restore',
  )
}

export const UNDO: SlashCommand = {
  name: 'undo',
  forms: [['', 'give back the files that the last turn changed; shows them, and asks']],
  run: async (_, chat) => {
    const { session, context, options } = chat
    const turn = session.lastChange
    if (turn === undefined)
      throw new CairnError(
        'usage',
        'No turn of this conversation has changed files yet; /checkpoint list shows earlier ones.',
      )
    const checkpoint = await before(turn, chat)
    if (checkpoint === undefined)
      throw new CairnError(
        'not-found',
        'No checkpoint was made before that turn, so its files can’t be given back; /checkpoint list shows what there is.',
      )
    // What a command changed is not known: then it is everything since.
    const paths = turn.hasRunCommand ? [] : turn.changed
    await (await import('../../commands/checkpoint-restore.ts')).runRestore(checkpoint.id, paths, options, context)
  },
}
