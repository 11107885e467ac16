/** Opens the user's stored secrets, with the terminal to ask for a passphrase. */
import { CairnError } from '@cairn/core'
import type { SecretsStore } from '@cairn/core/node/secrets'
import type { Context } from '../command.ts'

/**
 * Opens the stored secrets; nothing is read or asked before one is looked up. A passphrase is asked for on the
 * terminal, a new one twice; without a terminal nobody is asked. Rejects with `usage` later if the two differ.
 */
export const openSecrets = async ({
  surroundings,
  terminal,
}: Pick<Context, 'surroundings' | 'terminal'>): Promise<SecretsStore> => {
  const { openUserSecrets } = await import('@cairn/core/node/secrets')
  if (!terminal.canAsk) return openUserSecrets(surroundings)
  return openUserSecrets(surroundings, async (file, isNew) => {
    const passphrase = await terminal.askHidden(`Passphrase of ${file} (not shown): `)
    if (!isNew || passphrase === undefined) return passphrase
    if ((await terminal.askHidden('The same once more (not shown): ')) !== passphrase)
      throw new CairnError('usage', 'The two passphrases differ; nothing was kept.')
    return passphrase
  })
}
