/** `/session`: which session the conversation is in. */
import { CairnError } from '@cairn/core'
import { counted } from '../../terminal/format.ts'
import { neutraliseLine } from '../../terminal/neutralise.ts'
import { wrapLine } from '../../terminal/wrap.ts'
import type { Chat } from '../chat.ts'
import { firstWord, needed, unknownForm, type SlashCommand } from './slash-command.ts'

/** Sessions that are listed. */
const LISTED = 15

/**
 * Returns the id of the conversation's session.
 * @throws CairnError `usage` before its first message
 */
export const sessionIdOf = ({ session }: Chat): string => {
  if (session.id === undefined)
    throw new CairnError('usage', 'The session begins with your first message; there is nothing of it yet.')
  return session.id
}

/** Prints `what` and a session's id, title and number of messages. Rejects with `not-found` for an unknown id. */
const tell = async (chat: Chat, id: string, what: string): Promise<void> => {
  const { title, messages } = await chat.engine.sessions.find(id)
  const { terminal } = chat.context
  const text = `${what} ${neutraliseLine(id)} (${neutraliseLine(title ?? 'no title')}), ${counted(messages, 'message')}.`
  for (const line of wrapLine(text, terminal.width)) await terminal.line(line)
}

/**
 * Rewinds the conversation to a message, number or time, or undoes the last rewind if `to` is "undo", prints that, and
 * opens it again, which ends approvals for the session. Rejects with `usage` before the first message and for a blank
 * `to`.
 */
const rewind = async (to: string, chat: Chat): Promise<void> => {
  const id = sessionIdOf(chat)
  const { runRewind } = await import('../../commands/session-rewind.ts')
  const goal = needed(to, 'Where to? A message, its number in /session show, or a time.', '/session rewind #12')
  await runRewind(id, { ...chat.options, ...(goal === 'undo' ? { undo: true } : { to: goal }) }, chat.context)
  await chat.session.open(id)
}

/** Prints the whole session. Rejects with `usage` before the first message. */
const show = async (chat: Chat): Promise<void> => {
  const { runShow } = await import('../../commands/session-show.ts')
  await runShow(sessionIdOf(chat), { ...chat.options, around: 0 }, chat.context)
}

/** `/session`: shows, lists, switches, names and rewinds sessions. */
export const SESSION: SlashCommand = {
  name: 'session',
  forms: [
    ['', 'which session this is'],
    ['list', "this project's sessions"],
    ['switch <id>', 'continue another one'],
    ['new', 'start a new one with the next message'],
    ['name <title>', 'give this one a title'],
    ['show', 'print all of it again'],
    ['rewind <message|time>', 'rewind the conversation; files stay as they are'],
    ['rewind undo', 'undo the last rewind'],
    ['continue', 'continue an interrupted turn'],
  ],
  /**
   * `/session`: shows, lists, switches, begins, names, rewinds or continues one. Throws `usage` for another word or a
   * missing argument.
   */
  run: async (rest, chat) => {
    const [word, text] = firstWord(rest)
    const { context, options, session } = chat
    switch (word) {
      case '':
        return session.id === undefined
          ? context.terminal.line('A new session; it begins with your next message.')
          : tell(chat, session.id, 'This is')
      case 'list': {
        const { runList } = await import('../../commands/session-list.ts')
        return runList({ ...options, limit: LISTED, offset: 0, sort: 'updated' }, context)
      }
      case 'switch': {
        const { id } = await chat.engine.sessions.find(
          needed(text, 'Which session? /session list shows their ids.', '/session switch 0ccf1a04'),
        )
        await session.open(id)
        return tell(chat, id, 'Going on with')
      }
      case 'new':
        await session.open(undefined)
        return context.terminal.line('Your next message begins a new session.')
      case 'name': {
        const { runName } = await import('../../commands/session-switch.ts')
        return runName(
          sessionIdOf(chat),
          [needed(text, 'Which title?', '/session name The flaky test')],
          options,
          context,
        )
      }
      case 'show':
        return show(chat)
      case 'rewind':
        return rewind(text, chat)
      case 'continue':
        sessionIdOf(chat)
        return chat.turn(undefined)
      default:
        throw unknownForm(SESSION, word)
    }
  },
}
