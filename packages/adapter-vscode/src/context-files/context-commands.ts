/** The commands on files in context: choose the session, open a file, compare it with what the agent knew last. */
import { isAbsolute, join } from 'node:path'
import { CairnError } from '@cairn/core'
import type { Engine } from '@cairn/core'
import * as vscode from 'vscode'
import { nameAndFolder } from '../checkpoints/checkpoint-label.ts'
import { openComparison } from '../documents/open-comparison.ts'
import { askForSession } from '../sessions/session-picker.ts'
import type { WindowEngine } from '../store/window-engine.ts'
import type { WindowStore } from '../store/window-store.ts'
import { neutraliseLine } from '../text/neutralise.ts'
import { registerCommand } from '../views/commands.ts'
import { nodeOfKind } from '../views/node-of-kind.ts'
import { knownAddress } from './context-address.ts'
import type { ContextFileNode, ContextNode } from './context-node.ts'
import type { ContextTree } from './context-tree.ts'

/** What the commands need of the window. */
export interface ContextCommandDeps {
  readonly engine: WindowEngine
  readonly store: WindowStore
  readonly tree: ContextTree
  /** Shows the tree again. */
  readonly refresh: () => void
}

const OPEN = 'Open file'

/**
 * Returns where a file is on this machine.
 * @throws CairnError `not-found` if its session has no folder
 */
const locationOf = ({ session, file }: ContextFileNode): vscode.Uri => {
  if (isAbsolute(file.path)) return vscode.Uri.file(file.path)
  if (session.workspace === null)
    throw new CairnError('not-found', 'the session names no folder, so it is not known where the file is.')
  return vscode.Uri.file(join(session.workspace, file.path))
}

/** Opens a file of the tree; says so if it no longer exists. Rejects with `not-found` if its place is not known. */
const openFile = async (node: ContextFileNode): Promise<void> => {
  if (node.file.disk?.state === 'gone') {
    void vscode.window.showInformationMessage(`${neutraliseLine(node.file.path)} is gone; there is nothing to open.`)
    return
  }
  await vscode.commands.executeCommand('vscode.open', locationOf(node), { preview: true })
}

/**
 * Compares a file with the text that the agent knew last. If that is not known as a whole, says so and offers to open
 * the file, unless it is gone. Rejects as the engine does.
 */
const compareFile = async (engine: Engine, node: ContextFileNode): Promise<void> => {
  const { session, file } = node
  const { name } = nameAndFolder(file.path.replaceAll('\\', '/'))
  const known = await engine.files.lastKnown(session.id, file.path)
  if (known === undefined) {
    const isGone = file.disk?.state === 'gone'
    const chosen = await vscode.window.showInformationMessage(
      `The session does not hold all that ${neutraliseLine(session.agent)} knows of ${name}: only what it wrote itself is known whole.`,
      ...(isGone ? [] : [OPEN]),
    )
    if (chosen === OPEN) await openFile(node)
    return
  }
  await openComparison({
    title: `${name} (as ${neutraliseLine(session.agent)} knows it ↔ now)`,
    name,
    before: vscode.Uri.from(knownAddress(session.id, file.path, known.at)),
    now: file.disk?.state === 'gone' ? undefined : locationOf(node),
  })
}

/** Returns the id of the session in a node of the tree of sessions; undefined for anything else. */
const sessionIdOf = (value: unknown): string | undefined => {
  if (typeof value !== 'object' || value === null || !('session' in value)) return undefined
  const { session } = value
  if (typeof session !== 'object' || session === null || !('id' in session)) return undefined
  return typeof session.id === 'string' ? session.id : undefined
}

/**
 * Registers the commands of the view; dispose the result to remove them. They choose whose files are shown (a session,
 * or the one that was active last), refresh, open the session or a file, compare a file, acknowledge a warning.
 */
export const registerContextCommands = ({ engine, store, tree, refresh }: ContextCommandDeps): vscode.Disposable => {
  const choose = (sessionId: string | undefined): void => {
    tree.choose(sessionId)
    refresh()
  }
  return vscode.Disposable.from(
    registerCommand('showContextFiles', "The session's files can't be shown", async (value) => {
      const sessionId =
        sessionIdOf(value) ?? (await askForSession(store, 'Show the files in context of which session?'))
      if (sessionId === undefined) return
      choose(sessionId)
      await vscode.commands.executeCommand('cairn.contextFiles.focus')
    }),
    registerCommand('followLastSession', "The session can't be followed", async () => choose(undefined)),
    registerCommand('refreshContextFiles', "The files can't be shown", async () => {
      store.lookAgain()
      refresh()
    }),
    registerCommand('openContextSession', "The session can't be opened", async () => {
      const session = tree.session()
      if (session !== undefined) await vscode.commands.executeCommand('cairn.openSession', session.id)
    }),
    registerCommand('openContextFile', "The file can't be opened", async (value) => {
      const node = nodeOfKind<ContextNode, 'file'>(value, 'file')
      if (node !== undefined) await openFile(node)
    }),
    registerCommand('compareContextFile', "The file can't be compared", async (value) => {
      const node = nodeOfKind<ContextNode, 'file'>(value, 'file')
      const loaded = node && (await engine.engine())
      if (node !== undefined && loaded !== undefined) await compareFile(loaded, node)
    }),
    registerCommand('acknowledgeFileWarning', 'It stays', async (value) => {
      const node = nodeOfKind<ContextNode, 'warning'>(value, 'warning')
      const loaded = node && (await engine.engine())
      if (node === undefined || loaded === undefined) return
      await loaded.files.acknowledge(node.sessionId, node.warning.id)
      refresh()
    }),
  )
}
