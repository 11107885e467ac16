/** `/undo`: takes back what the last turn did. */
import { realPathOf, workspaceFolder } from '@cairn/core/node'
import { CairnError } from '@cairn/core'
import { changingTurns } from '@cairn/core/agent'
import { definedValues } from '../../options/defined-values.ts'
import type { Chat } from '../chat.ts'
import { firstWord, unknownForm, type SlashCommand } from './slash-command.ts'

/** What each word of `/undo` undoes. */
const TAKEN_BACK = {
  '': { files: true, conversation: false },
  conversation: { files: false, conversation: true },
  both: { files: true, conversation: true },
} as const

/** Whether a word is a form of `/undo`. */
const isWord = (word: string): word is keyof typeof TAKEN_BACK => Object.hasOwn(TAKEN_BACK, word)

/**
 * Returns the last turn of the conversation that changed files, with its session. Rejects with `usage` if there is
 * none.
 */
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
