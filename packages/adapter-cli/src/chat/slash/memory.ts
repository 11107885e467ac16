/** `/memory`: the project's memory and its notes. */
import { CairnError, MEMORY_KINDS } from '@cairn/core'
import type { MemoryKind } from '@cairn/core'
import type { Chat } from '../chat.ts'
import { firstWord, needed, unknownForm, type SlashCommand, type SlashForm } from './slash-command.ts'

const FORMS: readonly SlashForm[] = [
  ['list', 'what is remembered of this project'],
  ['search <words>', 'entries that hold these words'],
  ['add [kind] <text>', `remember something (${MEMORY_KINDS.join(', ')}; without a kind a discovery)`],
  ['forget <id>', 'end an entry'],
  ['note', 'the notes of this project'],
  ['note set <key> <text>', 'write a note'],
  ['note get <key>', 'what a note says'],
  ['note search <words>', 'notes that hold these words'],
  ['note delete <key>', 'remove a note'],
]
/** Results of a search. */
const FOUND = 10

/** Whether a word is a kind of memory entry. */
const isKind = (word: string): word is MemoryKind => (MEMORY_KINDS as readonly string[]).includes(word)

/**
 * Runs a form of `/memory` about entries: list (also without a word), search, add, forget; undefined, at once, if there
 * is no such form. What is added is of this session, and a discovery unless a kind stands first. Rejects with `usage`
 * where a text is missing.
 */
const memories = (rest: string, chat: Chat): Promise<void> | undefined => {
  const { context, options } = chat
  const [word, text] = firstWord(rest)
  const listing = () => import('../../commands/memory-list.ts')
  const editing = () => import('../../commands/memory-edit.ts')
  switch (word) {
    case '':
    case 'list':
      return listing().then(({ runList }) => runList(options, context))
    case 'search':
      return listing().then(({ runSearch }) =>
        runSearch(needed(text, 'Which words?', '/memory search redis'), { ...options, limit: FOUND }, context),
      )
    case 'add':
      return editing().then(({ runAdd }) => {
        const [kind, own] = firstWord(text)
        const [given, what] = isKind(kind) ? [kind, own] : (['discovery', text] as const)
        const about = chat.session.id === undefined ? {} : { session: chat.session.id }
        return runAdd(
          given,
          needed(what, 'What is to be remembered?', '/memory add Tests need Redis'),
          { ...options, ...about },
          context,
        )
      })
    case 'forget':
      return editing().then(({ runForget }) =>
        runForget(
          needed(text, 'Which entry? /memory list shows their ids.', '/memory forget 7q8r9s0t'),
          options,
          context,
        ),
      )
    default:
      return undefined
  }
}

/**
 * Runs a form of `/memory note`: list (also without a word), set, get, search, delete. Rejects with `usage` if there is
 * no such form, or where a name or text is missing.
 */
const notes = async (rest: string, { context, options }: Chat): Promise<void> => {
  const [word, text] = firstWord(rest)
  const [key, own] = firstWord(text)
  const { runDelete, runGet, runList, runSearch, runSet } = await import('../../commands/note.ts')
  switch (word) {
    case '':
    case 'list':
      return runList(options, context)
    case 'set':
      return runSet(
        key,
        needed(own, 'Which note, and what does it say?', '/memory note set deploy Fridays only'),
        options,
        context,
      )
    case 'get':
      return runGet(needed(key, 'Which note?', '/memory note get deploy'), options, context)
    case 'search':
      return runSearch(
        needed(text, 'Which words?', '/memory note search deploy'),
        { ...options, limit: FOUND },
        context,
      )
    case 'delete':
      return runDelete(needed(key, 'Which note?', '/memory note delete deploy'), options, context)
    default:
      throw new CairnError('usage', `There is no /memory note ${word}. There are: list, set, get, search, delete.`)
  }
}

/** `/memory`: lists, searches, adds and changes memory entries and notes of the project. */
export const MEMORY: SlashCommand = {
  name: 'memory',
  forms: FORMS,
  /** `/memory` and its notes. Throws `usage` for another word. */
  run: async (rest, chat) => {
    const [word, text] = firstWord(rest)
    if (word === 'note') return notes(text, chat)
    const running = memories(rest, chat)
    if (running === undefined) throw unknownForm(MEMORY, word)
    return running
  },
}
