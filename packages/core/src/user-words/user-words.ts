/**
 * Who really wrote a text: the one answer to what a person said in a message of the role `user`. Agents' programs put
 * more into such messages (records, the editor's state, output of commands, results of tools as text), and none of it
 * is a request. Where the source says who wrote a message, its `origin` holds; only then are texts looked at.
 */
import type { ContentBlock, Message } from '../messages.ts'
import { isProgramNotice, isToolResultText, withoutLeadingNotices, withoutProgramTags } from './program-texts.ts'
import { isRecord } from './record-tags.ts'

/** A slash command, as Claude Code notes it. */
const COMMAND = /^<command-(?:name|message)>/
const COMMAND_NAME = /<command-name>\s*\/?([^<]*)<\/command-name>/
const COMMAND_ARGUMENTS = /<command-args>([\s\S]*)<\/command-args>/
/** Commands to the program itself: what is worked on does not change with them. */
const PROGRAM_COMMANDS: ReadonlySet<string> = new Set(
  'add-dir agents bug clear compact config context copy cost doctor effort exit export extra-usage fast feedback help hooks ide install-github-app keybindings login logout mcp memory model output-style permissions plugin plugins privacy-settings quit release-notes reload-plugins rename resume rewind sandbox skills stats status statusline tasks terminal-setup theme todos upgrade usage vim'.split(
    ' ',
  ),
)
/** What the user said within a text of the program. */
const USER_TEXT_TAGS = /<(answer|feedback|user_message)>/g
const WRAPPED =
  /^(?:New instructions for task continuation:\s*)?<(task|feedback|user_message|user_query|answer)>([\s\S]*)<\/\1>$/

/**
 * The words of a person in a message's texts, in order, a blank line between them; undefined when there are none. Of a
 * program's notice, and of each text from a tool's result on, only what stands in `<answer>`, `<feedback>` or
 * `<user_message>` counts.
 */
export const userWords = (texts: readonly string[]): string | undefined => {
  const given = texts.map((text) => (isRecord(text) ? '' : withoutProgramTags(text).trim()))
  const words: string[] = []
  let inResult = false
  for (const text of given) {
    const rest = withoutLeadingNotices(text)
    inResult ||= isToolResultText(rest)
    words.push(...(inResult || isProgramNotice(rest) ? taggedUserTexts(rest) : [unwrapped(rest)]))
  }
  const all = words.filter((text) => text !== '').join('\n\n')
  return all === '' ? undefined : all
}

/**
 * What stands in `<answer>`, `<feedback>` and `<user_message>`, in order, each trimmed, up to the first that is not
 * closed; the rest of the program's text is left out.
 */
const taggedUserTexts = (text: string): readonly string[] => {
  const taggedTexts: string[] = []
  USER_TEXT_TAGS.lastIndex = 0
  for (let found = USER_TEXT_TAGS.exec(text); found !== null; found = USER_TEXT_TAGS.exec(text)) {
    const end = text.indexOf(`</${found[1] ?? ''}>`, USER_TEXT_TAGS.lastIndex)
    if (end === -1) break
    taggedTexts.push(text.slice(USER_TEXT_TAGS.lastIndex, end).trim())
    USER_TEXT_TAGS.lastIndex = end
  }
  return taggedTexts
}

/** What a person wrote in a command or between the program's marks, trimmed. */
const unwrapped = (text: string): string =>
  COMMAND.test(text) ? commandText(text) : (WRAPPED.exec(text)?.[2] ?? text).trim()

/** A command as a person typed it (`/review 12`); '' for a command to the program. */
const commandText = (text: string): string => {
  const name = (COMMAND_NAME.exec(text)?.[1] ?? '').trim()
  if (name === '' || PROGRAM_COMMANDS.has(name)) return ''
  return `/${name} ${(COMMAND_ARGUMENTS.exec(text)?.[1] ?? '').trim()}`.trim()
}

/** A message of which it is known whether a person wrote it. */
export interface AuthoredMessage extends Message {
  readonly origin?: 'summary' | 'meta'
}

/**
 * What a person wrote in a message, trimmed and without the program's tags; undefined for other roles, for what the
 * program wrote, and for tools' results.
 */
export const userAuthoredText = ({ role, origin, content }: AuthoredMessage): string | undefined =>
  role === 'user' && origin === undefined ? userWords(textsOf(content)) : undefined

/**
 * What a message is as the user's: `task`, a person asks for something or attached something; `assent`, a person's
 * words that say no more than "yes" or "go on"; `program`, words of the agent's program alone; `none`, all else (other
 * roles, tools' results, blank texts).
 */
export type Speech = 'task' | 'assent' | 'program' | 'none'

/**
 * Whether a message is a person's task or assent, words of the agent's program, or none of these; see {@link Speech}.
 * Takes a time that grows with its texts.
 */
export const classifySpeech = (message: AuthoredMessage): Speech => {
  if (message.role !== 'user') return 'none'
  if (message.origin !== undefined) return 'program'
  if (message.content.some(isAttached)) return 'task'
  const texts = textsOf(message.content).filter((text) => text.trim() !== '')
  if (texts.length === 0) return 'none'
  const words = userWords(texts)
  if (words === undefined) return 'program'
  return isRequest(words) ? 'task' : 'assent'
}

/**
 * Where a message comes from when no person or model said it: as the source marks it, else by its texts; undefined for
 * all others.
 */
export const messageOrigin = (message: AuthoredMessage): 'summary' | 'meta' | undefined =>
  message.origin ?? (classifySpeech(message) === 'program' ? 'meta' : undefined)

/**
 * Whether a user's content is the program's alone; for sources whose messages carry no mark. False for content without
 * text.
 */
export const isProgramContent = (content: readonly ContentBlock[]): boolean =>
  classifySpeech({ role: 'user', content }) === 'program'

const isAttached = ({ type }: ContentBlock): boolean => type !== 'text' && type !== 'tool_result'

const textsOf = (content: readonly ContentBlock[]): readonly string[] =>
  content.flatMap((block) => (block.type === 'text' ? [block.text] : []))

const setOf = (...lines: readonly string[]): ReadonlySet<string> => new Set(lines.join(' ').split(' '))
/** Words that agree, refuse, thank, greet, or say to go on. */
const ASSENT = setOf(
  'yes yeah yep yup ya y ok okay okey k kk sure right correct exactly fine good great perfect cool nice awesome excellent',
  'amazing wonderful brilliant alright agreed agree approved approve confirmed lgtm lovely sweet no nope nah n',
  'thanks thank thx ty understood noted fair hmm hm mm ah oh aha hey hi hello hiya',
  'go do continue proceed keep carry resume start begin retry again',
  'ja nein doch weiter danke mach machs gut passt genau super prima',
  'oui non merci continuer continuez vas-y allez accord parfait bien bon',
  'sí si vale gracias sigue continúa adelante claro perfecto bueno',
  'sim não obrigado obrigada avanti grazie va bene certo',
  'да нет продолжай спасибо дальше хорошо ок',
  '好 好的 继续 是 是的 可以 谢谢 嗯 行 はい 続けて お願いします ありがとう 네 계속 감사합니다',
)
/** Words that may stand beside them. */
const BESIDE = setOf(
  "you u much very so please pls not yet to me enough makes sense on ahead for it that this going now then let lets let's us",
  "that's it's try done sounds looks looking works got i see is all both and the option one two three first second third",
  'bitte très d',
)
/** Longer texts say something, whatever their words. */
const ASSENT_CHARACTERS = 60
/** The letter or number of a choice. */
const CHOICE = /^(?:[a-z]|\d{1,2})$/

/**
 * Whether a person's words ask for something; not "yes", "ok, go on", "thanks", "continue", nor a mere "B)". False for
 * a text without letters and digits; a long one always asks.
 */
export const isRequest = (words: string): boolean => {
  if (words.length > ASSENT_CHARACTERS) return true
  const found = words.toLowerCase().match(/[\p{L}\p{M}\p{N}'’/_-]+/gu) ?? []
  // Of several words, a question asks for something whatever they are.
  if (found.length > 1 && /[?？]/.test(words)) return true
  const isAssent = (word: string): boolean => ASSENT.has(word) || CHOICE.test(word)
  const isBeside = (word: string): boolean => BESIDE.has(word.replaceAll('’', "'"))
  return !found.every((word) => isAssent(word) || isBeside(word)) || (found.length > 0 && !found.some(isAssent))
}
