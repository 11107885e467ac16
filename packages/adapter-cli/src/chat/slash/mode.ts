/** `/mode`: plan or act. */
import { wrapLine } from '../../terminal/wrap.ts'
import { firstWord, unknownForm, type SlashCommand } from './slash-command.ts'

/** `/mode`: shows the mode, or changes it to plan or act. */
export const MODE: SlashCommand = {
  name: 'mode',
  forms: [
    ['', 'which mode this is'],
    ['plan', 'change nothing: the model reads and proposes'],
    ['act', 'the model works'],
  ],
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
