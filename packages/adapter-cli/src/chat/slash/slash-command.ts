/** Commands of a conversation: a line that begins with a slash. The list of them makes the help, and what Tab completes. */
import { CairnError } from '@cairn/core'
import { didYouMean } from '../../options/close-matches.ts'
import { sentenceOf } from '../../runtime/failure.ts'
import { neutraliseLine } from '../../terminal/neutralise.ts'
import type { Chat, ChatParts } from '../chat.ts'

/** One way to call a command: what is typed behind its name, and what it does. */
export type SlashForm = readonly [usage: string, summary: string]

export interface SlashCommand {
  /** Without the slash. */
  readonly name: string
  /** The first word of a form is completed. */
  readonly forms: readonly SlashForm[]
  /** What else Tab offers behind the name. */
  readonly complete?: (chat: ChatParts) => Promise<readonly string[]>
  /** `rest`: what stands behind the name, without blanks around it. Rejects with one sentence. */
  run(rest: string, chat: Chat): Promise<void>
}

/** The first word of a text, and what follows it without blanks around; both empty where there is nothing. */
export const firstWord = (text: string): readonly [string, string] => {
  const [, word = '', rest = ''] = /^\s*(\S*)\s*([^]*)$/.exec(text) ?? []
  return [word, rest.trimEnd()]
}

/** Whether a message is a command: a slash and a letter; `//` and a path such as `/etc/hosts is …` are none. */
export const isSlash = (text: string): boolean => /^\s*\/[a-z]+(?:\s|$)/i.test(text)

/** Makes (does not throw) the error `usage` for a form that there is none of; it names those that there are. */
export const unknownForm = ({ name, forms }: Pick<SlashCommand, 'name' | 'forms'>, word: string): CairnError => {
  const words = formWords(forms)
  return new CairnError(
    'usage',
    `There is no /${name} ${neutraliseLine(word)}.${didYouMean(word, words)} There are: ${words.join(', ')}.`,
  )
}

/** The first words of forms that begin with a word in small letters, each once, in order. */
export const formWords = (forms: readonly SlashForm[]): readonly string[] => [
  ...new Set(forms.flatMap(([usage]) => /^[a-z]+/.exec(usage)?.[0] ?? [])),
]

/** The text itself. @throws CairnError `usage` where it is empty: the question, and an example */
export const needed = (text: string, question: string, example: string): string => {
  if (text === '') throw new CairnError('usage', `${question} For example: ${example}`)
  return text
}

/**
 * Runs the command that a line calls; what fails is told in one sentence, an unknown name with what is close to it,
 * and the conversation goes on: it never rejects for what a command throws.
 */
export const runSlash = async (line: string, commands: readonly SlashCommand[], chat: Chat): Promise<void> => {
  const [called, rest] = firstWord(line)
  const name = called.slice(1).toLowerCase()
  const { terminal } = chat.context
  try {
    const command = commands.find((each) => each.name === name)
    if (command === undefined) {
      const names = commands.map((each) => `/${each.name}`)
      throw new CairnError(
        'usage',
        `There is no /${neutraliseLine(name)}.${didYouMean(`/${name}`, names)} /help lists the commands.`,
      )
    }
    await command.run(rest, chat)
  } catch (error) {
    terminal.note(terminal.style('red', sentenceOf(error)))
  }
}
