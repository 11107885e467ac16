/** A workspace in a folder of its own, and its tools with calls that are made in one step. */
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { AgentTool, PreparedCall, ToolContext, ToolOutcome } from '../../agent/agent-tool.ts'
import type { JsonObject } from '../../json.ts'
import { textOfBlock } from '../../messages.ts'
import { createAgentTools, type AgentToolsOptions } from './create-agent-tools.ts'

export interface Workspace {
  /** Absolute, without links. The workspace is `work` in it. */
  readonly folder: string
  readonly work: string
  put(path: string, content: string | Uint8Array): string
  read(path: string): string
  bytes(path: string): Buffer
  remove(): void
}

export const makeWorkspace = (): Workspace => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'cairn-agent-tools-')))
  const work = join(folder, 'work')
  mkdirSync(work)
  return {
    folder,
    work,
    put: (path, content) => {
      const full = join(work, path)
      mkdirSync(dirname(full), { recursive: true })
      writeFileSync(full, content)
      return full
    },
    read: (path) => readFileSync(join(work, path), 'utf8'),
    bytes: (path) => readFileSync(join(work, path)),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}

export interface Tools {
  readonly list: readonly AgentTool[]
  prepare(name: string, input: JsonObject, context?: Partial<ToolContext>): Promise<PreparedCall>
  /** Prepares and runs; a call that is refused is an outcome, too, as for a model. */
  run(name: string, input: JsonObject, context?: Partial<ToolContext>): Promise<ToolOutcome>
  /** The text of what `run` gives. */
  text(name: string, input: JsonObject, context?: Partial<ToolContext>): Promise<string>
}

export const toolsOf = (workspace: Workspace, options: Partial<AgentToolsOptions> = {}): Tools => {
  const list = createAgentTools({ roots: [workspace.work], ...options })
  const prepare: Tools['prepare'] = (name, input, context = {}) => {
    const tool = list.find(({ definition }) => definition.name === name)
    if (tool === undefined) throw new Error(`no tool ${name}`)
    return tool.prepare(input, {
      sessionId: 's',
      callId: 'c',
      signal: new AbortController().signal,
      onOutput: () => undefined,
      ...context,
    })
  }
  const run: Tools['run'] = async (name, input, context) => {
    let call: PreparedCall
    try {
      call = await prepare(name, input, context)
    } catch (error) {
      return { content: [{ type: 'text', text: (error as Error).message }], isError: true }
    }
    return call.run()
  }
  return { list, prepare, run, text: async (...call) => textOf(await run(...call)) }
}

export const textOf = ({ content }: ToolOutcome): string => content.map(textOfBlock).join('\n')
