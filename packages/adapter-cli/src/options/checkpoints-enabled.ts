/** Whether checkpoints may be made. */
import { CairnError } from '@cairn/core'
import type { CommonOptions, Context } from '../command.ts'
import { neutraliseLine } from '../terminal/neutralise.ts'

/** Resolves if checkpoints may be made; rejects with `disabled` if the settings turn them off. */
export const assertCheckpointsEnabled = async (
  options: CommonOptions,
  context: Pick<Context, 'settings'>,
): Promise<void> => {
  const { value, origin } = (await context.settings(options))['checkpoints.enabled']
  if (value) return
  const where = 'file' in origin ? ` in ${neutraliseLine(origin.file)}` : ''
  // The workspace's file comes before the user's: a change of that one would change nothing here.
  const tier = origin.from === 'workspace' ? ' --workspace' : ''
  throw new CairnError(
    'disabled',
    `No checkpoint was made, as checkpoints.enabled is false${where}; cairn config set checkpoints.enabled true${tier} makes them again.`,
  )
}
