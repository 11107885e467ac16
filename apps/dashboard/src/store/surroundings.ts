/** The server's own surroundings: where settings files of the user and of projects lie. */
import 'server-only'
import { homedir } from 'node:os'
import type { Surroundings } from '@cairn/core/node'

/** Returns this process's environment, platform, home and folder, read anew at each call. */
export const serverSurroundings = (): Surroundings => {
  const { env: variables, platform } = process
  return { variables, platform, home: homedir(), folder: process.cwd() }
}
