/** Gives the editor's own agents Cairn's memory: as tools, and as an MCP server. Editors that know neither are left alone. */
import { objectOf } from '@cairn/core'
import type { JsonValue } from '@cairn/core'
import * as vscode from 'vscode'
import type { CairnCommand } from '../command/find-command.ts'
import { windowCommand } from '../command/window-command.ts'
import { localFolders, openProjects } from '../store/open-projects.ts'
import type { WindowEngine } from '../store/window-engine.ts'
import type { WindowStore } from '../store/window-store.ts'
import type { EditorToolName } from './memory-tools.ts'

const NAMES: readonly EditorToolName[] = ['cairn_recall', 'cairn_memory', 'cairn_related_files']

/** Wraps a text as a tool's result. */
const toolResult = (text: string): vscode.LanguageModelToolResult =>
  new vscode.LanguageModelToolResult([new vscode.LanguageModelTextPart(text)])

/**
 * Offers Cairn's tools and its MCP server to the editor's own agents, as far as this editor has the APIs; dispose the
 * result to withdraw them. Nothing where it has neither.
 */
export const registerEditorAgents = (deps: {
  readonly store: Pick<WindowStore, 'address'>
  readonly engine: WindowEngine
  /** The command inside of the extension, for where there is no other. */
  readonly bundled: CairnCommand | undefined
  readonly version: string
}): vscode.Disposable => {
  const api = apiHere()
  const tools =
    api?.registerTool === undefined
      ? []
      : NAMES.map((name) => vscode.lm.registerTool(name, createTool(name, deps.engine)))
  const servers =
    api?.registerMcpServerDefinitionProvider === undefined
      ? []
      : [
          vscode.lm.registerMcpServerDefinitionProvider('cairn', {
            provideMcpServerDefinitions: () => serverDefinitions(deps),
          }),
        ]
  return vscode.Disposable.from(...tools, ...servers)
}

/** Returns the editor's language model API; undefined in forks of the editor without it. */
const apiHere = (): Partial<typeof vscode.lm> | undefined => vscode.lm

/**
 * Returns one tool as the editor's API wants it. It answers for the window's first folder; without a folder or a store
 * with a sentence that says so.
 */
const createTool = (name: EditorToolName, engine: WindowEngine): vscode.LanguageModelTool<JsonValue> => ({
  invoke: async ({ input }, token) => {
    const folder = localFolders()[0]
    const [opened, [workspace = folder ?? '']] = await Promise.all([engine.engine(), openProjects()])
    if (opened === undefined) return toolResult('Nothing has been recorded on this machine yet.')
    if (folder === undefined) return toolResult('No folder is open: there is no project to look at.')
    const { runEditorTool } = await import('./memory-tools.ts')
    const stop = new AbortController()
    const cancelled = token.onCancellationRequested(() => stop.abort())
    try {
      return toolResult(await runEditorTool(name, objectOf(input), { engine: opened, workspace, folder }, stop.signal))
    } finally {
      cancelled.dispose()
    }
  },
})

/** `cairn mcp` over the window's store; none where the setting names a command that is not there. */
const serverDefinitions = ({
  store,
  bundled,
  version,
}: {
  readonly store: Pick<WindowStore, 'address'>
  readonly bundled: CairnCommand | undefined
  readonly version: string
}): vscode.McpStdioServerDefinition[] => {
  const found = windowCommand(bundled)
  if (found.kind === 'missing') return []
  const { path, args, variables } = found.command
  const words = [...args, 'mcp', '--store', store.address()]
  return [new vscode.McpStdioServerDefinition('Cairn', path, words, { ...variables }, version)]
}
