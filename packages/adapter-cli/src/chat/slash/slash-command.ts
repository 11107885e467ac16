/** Commands of a conversation: lines that start with a slash. Help and Tab completion are generated from their list. */
import { CairnError } from '@cairn/core'
import { didYouMean } from '../../options/close-matches.ts'
import { sentenceOf } from '../../runtime/failure.ts'
import { neutraliseLine } from '../../terminal/neutralise.ts'
import type { Chat, ChatParts } from '../chat.ts'

/** One form of a command: its arguments, and what it does. */
export type SlashForm = readonly [usage: string, summary: string]

/** A command that is typed in a conversation. */
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

/** Returns the first word of a text and the rest, trimmed; both are empty for a blank text. */
export const firstWord = (text: string): readonly [string, string] => {
  const [, word = '', rest = ''] = /^\s*(\S*)\s*([^]*)$/.exec(text) ?? []
  return [word, rest.trimEnd()]
}

/** Whether a message is a command: a slash and a letter; `//` and a path such as `/etc/hosts is …` are not. */
export const isSlash = (text: string): boolean => /^\s*\/[a-z]+(?:\s|$)/i.test(text)

/** Creates (does not throw) the `usage` error for an unknown form of a command; it lists the existing ones. */
export const unknownForm = ({ name, forms }: Pick<SlashCommand, 'name' | 'forms'>, word: string): CairnError => {
  const words = formWords(forms)
  return new CairnError(
    'usage',
    `There is no /${name} ${neutraliseLine(word)}.${didYouMean(word, words)} There are: ${words.join(', ')}.`,
  )
}

/** Returns the lower-case first words of forms, each once, in order. */
export const formWords = (forms: readonly SlashForm[]): readonly string[] => [
  ...new Set(forms.flatMap(([usage]) => /^[a-z]+/.exec(usage)?.[0] ?? [])),
]

/**
 * Returns the text.
 * @throws CairnError `usage` with the question and an example if it is empty
 */
export const needed = (text: string, question: string, example: string): string => {
  if (text === '') throw new CairnError('usage', `${question} For example: ${example}`)
  return text
}

/**
 * Runs the command in a line. A failure is reported in one sentence, an unknown name with similar ones; it never
 * rejects because of a command, so that the conversation continues.
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
