/**
 * Starts a checkpoint from a hook, in a detached process. The agent may already be working when it starts; concurrent
 * checkpoints run one after another.
 */
import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { HookAgent, HookEvent } from '@cairn/core/hooks'
import { makeFolder, dataFolder } from '@cairn/core/node'
import type { Surroundings } from '@cairn/core/node'

/** The command, next to this program. */
const COMMAND = './main.js'

/** The checkpoint's label in lists. */
const labelOf = (event: HookEvent, agent: HookAgent): string =>
  event === 'stop' ? `after a turn of ${agent}` : `at a prompt to ${agent}`

/** The hook that a checkpoint is made for. */
export interface CheckpointCall {
  readonly event: HookEvent
  readonly agent: HookAgent
  /** As the agent says it; undefined where it does not. */
  readonly sessionId: string | undefined
  readonly store: string | undefined
}

/**
 * Starts a checkpoint of the project that contains a folder, in a detached process with the hook's store and data
 * folder. Throws only if the data folder can't be created. Does not wait; that it fails is not told.
 */
export const startCheckpoint = (
  { event, agent, sessionId, store }: CheckpointCall,
  folder: string,
  surroundings: Surroundings,
): void => {
  const data = dataFolder(surroundings)
  makeFolder(data, 0o700)
  const options = [
    ...['checkpoint', 'create', '--if-changed', '--workspace', folder, '--label', labelOf(event, agent)],
    ...(sessionId === undefined ? [] : ['--agent-session', `${agent}:${sessionId}`]),
  ]
  const child = spawn(
    process.execPath,
    [fileURLToPath(new URL(COMMAND, import.meta.url)), ...options, ...(store === undefined ? [] : ['--store', store])],
    {
      cwd: folder,
      detached: true,
      stdio: 'ignore',
      windowsHide: true,
      env: {
        ...surroundings.variables,
        ...((surroundings.variables['CAIRN_HOME'] ?? '') === '' ? {} : { CAIRN_HOME: data }),
      },
    },
  )
  child.on('error', () => undefined)
  child.unref()
}
