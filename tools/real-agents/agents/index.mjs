// The agents that are run: which version, how it is pointed at the tests' model, how it takes a turn without a terminal.
import { claudeCode } from './claude-code.mjs'
import { codex } from './codex.mjs'
import { copilot } from './copilot.mjs'
import { gemini } from './gemini.mjs'
import { opencode } from './opencode.mjs'

/**
 * @typedef {object} RealAgent
 * @property {string} name as `cairn setup` knows it
 * @property {string} title
 * @property {string} package on npm
 * @property {string} version
 * @property {(modules: string) => readonly string[]} program how it is started; throws where it has nothing for this platform
 * @property {(origin: string) => Record<string, string>} variables of its environment
 * @property {(origin: string) => Record<string, string>} settings the user's own, there before `cairn setup`: text by path
 *   in the home
 * @property {readonly string[]} settingsFiles that `cairn setup` changes, by path in the home
 * @property {(prompt: string) => readonly string[]} turn its arguments for a turn in a new session
 * @property {(prompt: string) => readonly string[]} [nextTurn] its arguments for a turn that continues the last session
 * @property {{tool: RegExp, input: object}} [subagentCall] of its tool that starts a subagent, which is answered at once
 * @property {'system' | 'developer' | 'user'} memoryRole of the message in which it hands on what a session is started with
 * @property {'system' | 'developer' | 'user'} recallRole of the message in which it hands on what is recalled for a prompt
 * @property {boolean} [asksForTitles] it asks its model for a title of a new session
 * @property {(program: readonly string[], options: {cwd: string, env: Record<string, string>}) => Promise<readonly string[]>}
 *   [trust] what its user still has to do after setup, where there is something
 */

/** @type {readonly RealAgent[]} */
export const REAL_AGENTS = [claudeCode, codex, gemini, copilot, opencode]
