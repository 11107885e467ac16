/** `/help`: the commands, and the keys. */
import { CairnError } from '@cairn/core'
import { neutraliseLine } from '../../terminal/neutralise.ts'
import { textWidth } from '../../terminal/text-width.ts'
import { wrapAfter } from '../../terminal/wrap.ts'
import type { Terminal } from '../../terminal/terminal.ts'
import { firstWord, type SlashCommand } from './slash-command.ts'

/** Columns of the left side of the help, if the terminal is wide enough for two. */
const LEFT = 32
const WIDE = 72

/**
 * Returns the help of commands as lines of at most the terminal's width: two columns, or on a narrow terminal the
 * summary below its form.
 */
export const helpLines = (
  commands: readonly SlashCommand[],
  { width, style }: Pick<Terminal, 'width' | 'style'>,
): readonly string[] =>
  commands.flatMap(({ name, forms }) =>
    forms.flatMap(([usage, summary]) => {
      const call = `/${name}${usage === '' ? '' : ` ${usage}`}`
      if (width < WIDE || textWidth(call) > LEFT - 2) return [style('bold', call), ...wrapAfter('    ', summary, width)]
      const [first = '', ...others] = wrapAfter(' '.repeat(LEFT), summary, width)
      return [style('bold', call) + first.slice(textWidth(call)), ...others]
    }),
  )

const KEYS: readonly string[] = [
  'A message goes on in another line behind a backslash, or with Alt-Enter or Ctrl-J. Pasted lines stay together.',
  'Tab completes commands and @mentions: @path, @git, @session and @memory are sent with the message.',
  'Ctrl-C ends the turn; twice within two seconds, or Ctrl-D, leaves.',
]

/**
 * Creates `/help` for the commands that `commands` returns. Its `run` rejects with `usage` for an unknown name. Its
 * name counts with and without "/", in any case.
 */
export const createHelp = (commands: () => readonly SlashCommand[]): SlashCommand => ({
  name: 'help',
  forms: [['[command]', 'what can be typed here']],
  complete: async () => commands().map(({ name }) => name),
  run: async (rest, { context: { terminal } }) => {
    const [word] = firstWord(rest)
    const name = word.replace(/^\//, '').toLowerCase()
    const chosen = commands().filter((command) => name === '' || command.name === name)
    if (chosen.length === 0)
      throw new CairnError('usage', `There is no /${neutraliseLine(name)}. /help lists the commands.`)
    for (const line of helpLines(chosen, terminal)) await terminal.line(line)
    if (name !== '') return
    await terminal.line()
    for (const text of KEYS) for (const line of wrapAfter('', text, terminal.width)) await terminal.line(line)
  },
})
