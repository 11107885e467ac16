/**
 * What a person wrote in a message of the role `user`. Agents put more into such messages: their own records, the state
 * of the editor, and (Cline and its kin) the results of tools as text. None of it is a request.
 */
import { cleanText } from './bounded-text.ts'
import { isRecord } from './markup.ts'

const SURROUNDINGS = /<(environment_details|system-reminder)>[\s\S]*?<\/\1>/g
/** `[read_file for 'a.ts'] Result:`; the texts after it belong to the result. */
const TOOL_RESULT = /^\[[a-z]+(?:_[a-z]+)*(?: (?:for|in) [\s\S]*?)?\] Result:/
const PROGRAM_NOTICE = /^\[(?:ERROR|TASK RESUMPTION)\] /
/** What the user said within a tool's result. */
const SAID_WITHIN = /<(answer|feedback|user_message)>([\s\S]*?)<\/\1>/g
const WRAPPED = /^(?:New instructions for task continuation:\s*)?<(task|feedback|user_message)>([\s\S]*)<\/\1>$/

/** The words of the user in a message's texts; undefined when there are none. */
export const userWords = (texts: readonly string[]): string | undefined => {
  const given = texts.filter((text) => !isRecord(text)).map((text) => cleanText(text.replace(SURROUNDINGS, '')).trim())
  const answered = given.findIndex((text) => TOOL_RESULT.test(text))
  const own = (answered === -1 ? given : given.slice(0, answered)).filter((text) => !PROGRAM_NOTICE.test(text)).map(unwrapped)
  const within = answered === -1 ? [] : [...given.slice(answered).join('\n').matchAll(SAID_WITHIN)].map(([, , said = '']) => said.trim())
  const words = [...own, ...within].filter((text) => text !== '').join('\n\n')
  return words === '' ? undefined : words
}

const unwrapped = (text: string): string => (WRAPPED.exec(text)?.[2] ?? text).trim()
