/** `/model`, `/mode`, `/help` and `/exit`. */
import { CairnError, knownModels } from '@cairn/core'
import { neutraliseLine } from '../../terminal/neutralise.ts'
import { textWidth } from '../../terminal/text-width.ts'
import { wrapAfter, wrapLine } from '../../terminal/wrap.ts'
import type { Terminal } from '../../terminal/terminal.ts'
import { firstWord, unknownForm, type SlashCommand } from './slash-command.ts'

/** `/model`: shows the model, or changes it from the next message on. */
export const MODEL: SlashCommand = {
  name: 'model',
  forms: [
    ['', 'which model answers'],
    ['<name> [provider]', 'use another one from the next message on'],
  ],
  complete: async ({ context }) => (await knownModels({ at: context.now() })).models.map(({ id }) => id),
  /** `/model`: shows or sets the model; one that is set holds from the next turn. */
  run: async (rest, { session, context: { terminal } }) => {
    const [model, provider] = firstWord(rest)
    if (model !== '') await session.setModel({ model, ...(provider === '' ? {} : { provider }) })
    await terminal.line(
      `${model === '' ? 'The model is' : 'From now on the model is'} ${neutraliseLine(session.model)}.`,
    )
  },
}

/** `/mode`: shows the mode, or changes it to plan or act. */
export const MODE: SlashCommand = {
  name: 'mode',
  forms: [
    ['', 'which mode this is'],
    ['plan', 'change nothing: the model reads and proposes'],
    ['act', 'the model works'],
  ],
  /** `/mode`: shows or sets whether the agent plans or acts. Throws `usage` for another word. */
  run: async (rest, { session, context: { terminal } }) => {
    const [word] = firstWord(rest)
    if (word === 'plan' || word === 'act') await session.setMode(word)
    else if (word !== '') throw unknownForm(MODE, word)
    const text =
      session.mode === 'plan'
        ? 'Mode plan: nothing is changed, the model reads and proposes.'
        : 'Mode act: the model works.'
    for (const line of wrapLine(text, terminal.width)) await terminal.line(line)
  },
}

/** `/exit`: ends the conversation. */
export const EXIT: SlashCommand = {
  name: 'exit',
  forms: [['', 'leave; so do Ctrl-D, and Ctrl-C twice']],
  run: async (_, chat) => chat.leave(),
}

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

/** Creates `/help` for the commands that `commands` returns. Its `run` rejects with `usage` for an unknown name. */
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
