/** `/model`: which model answers. */
import { knownModels } from '@cairn/core'
import { neutraliseLine } from '../../terminal/neutralise.ts'
import { firstWord, type SlashCommand } from './slash-command.ts'

/** `/model`: shows the model, or changes it from the next message on. */
export const MODEL: SlashCommand = {
  name: 'model',
  forms: [
    ['', 'which model answers'],
    ['<name> [provider]', 'use another one from the next message on'],
  ],
  complete: async ({ context }) => (await knownModels({ at: context.now() })).models.map(({ id }) => id),
  run: async (rest, { session, context: { terminal } }) => {
    const [model, provider] = firstWord(rest)
    if (model !== '') await session.setModel({ model, ...(provider === '' ? {} : { provider }) })
    await terminal.line(
      `${model === '' ? 'The model is' : 'From now on the model is'} ${neutraliseLine(session.model)}.`,
    )
  },
}
