/** `/checkpoint` and `/undo`: snapshots of files. */
import { realPathOf, workspaceFolder } from '@cairn/core/node'
import { CairnError } from '@cairn/core'
import { changingTurns } from '@cairn/core/agent'
import { definedValues } from '../../options/defined-values.ts'
import type { Chat } from '../chat.ts'
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

/** What each word of `/undo` undoes. */
const TAKEN_BACK = {
  '': { files: true, conversation: false },
  conversation: { files: false, conversation: true },
  both: { files: true, conversation: true },
} as const

/** Whether a word is a form of `/undo`. */
const isWord = (word: string): word is keyof typeof TAKEN_BACK => Object.hasOwn(TAKEN_BACK, word)

/** The last turn of the conversation that changed files. Rejects with `usage` if there is none. */
const lastChange = async ({ session, engine, workspace }: Chat) => {
  const log = session.id === undefined ? [] : await engine.sessions.log(session.id)
  const turn = changingTurns(log, realPathOf(workspaceFolder(workspace))).at(-1)
  if (session.id === undefined || turn === undefined)
    throw new CairnError(
      'usage',
      'No turn of this conversation has changed files yet; /checkpoint list shows earlier ones.',
    )
  return { sessionId: session.id, ...turn }
}

/**
 * `/undo`: undoes the file changes of the last turn that made some, or rewinds the conversation to before it, or both.
 */
export const UNDO: SlashCommand = {
  name: 'undo',
  forms: [
    ['', 'restore the files that the last turn changed, after asking'],
    ['conversation', 'rewind the conversation to before that turn'],
    ['both', 'the files and the conversation'],
  ],
  /** `/undo`: takes back the last change, its files, its conversation or both; throws `not-found` if there is none. */
  run: async (rest, chat) => {
    const [word] = firstWord(rest)
    if (!isWord(word)) throw unknownForm(UNDO, word)
    const { files, conversation } = TAKEN_BACK[word]
    const { sessionId, checkpointId, message, changed } = await lastChange(chat)
    const goal = {
      sessionId,
      to: { entry: message.seq - 1 },
      since: { message: message.id },
      undo: '/session rewind undo',
    }
    const { restoreTurn, rewindTurn } = await import('../../commands/checkpoint-restore.ts')
    if (files) {
      if (checkpointId === undefined)
        throw new CairnError(
          'not-found',
          'No checkpoint was made before that turn, so its files can’t be given back; /undo conversation takes back what was said, /checkpoint list shows what there is.',
        )
      // What a command changed is not known: then it is everything since.
      const turn = { checkpointId, ...definedValues({ paths: changed, conversation: conversation ? goal : undefined }) }
      await restoreTurn(turn, chat.options, chat.context)
    } else await rewindTurn(goal, chat.engine, chat.context)
    if (conversation) await chat.session.open(sessionId)
  },
}
