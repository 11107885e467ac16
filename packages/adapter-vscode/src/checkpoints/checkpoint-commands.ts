/** The commands on checkpoints: create, compare, restore, undo. */
import { join } from 'node:path'
import { CairnError, messageOf } from '@cairn/core'
import * as vscode from 'vscode'
import type { WindowStore } from '../store/window-store.ts'
import { counted } from '../text/format.ts'
import { neutraliseLine } from '../text/neutralise.ts'
import { projectName } from '../usage/project-usage.ts'
import { restoreDialogs, settleUnsaved, unsavedPaths, withProgress } from './checkpoint-dialogs.ts'
import { nameAndFolder } from './checkpoint-label.ts'
import type { CheckpointNode, CheckpointTreeNode, DifferenceNode } from './checkpoint-node.ts'
import { checkpointOf, chooseCheckpoint, chooseRoot, loadedEngine, nameOf, nodeOf } from './choose-checkpoint.ts'
import type { CheckpointWindow } from './choose-checkpoint.ts'
import { compareCheckpoints, openDifference } from './compare-checkpoint.ts'
import { disabledBy } from './disabled-by.ts'
import { restoreCheckpoint } from './restore-flow.ts'
import type { RestoreRequest } from './restore-flow.ts'
import { restoredText } from './restore-text.ts'

/** What the commands need of the window. */
export interface CheckpointCommandDeps extends CheckpointWindow {
  readonly store: Pick<WindowStore, 'settings'>
  /** Called after something was made or restored. */
  readonly onChange: () => void
}

const UNDO = 'Undo'

/**
 * Does nothing in a trusted window.
 * @throws CairnError `usage` in one that is not trusted
 */
const assertTrusted = (): void => {
  if (!vscode.workspace.isTrusted)
    throw new CairnError('usage', 'this folder is not trusted, so its files are only read; trust it first.')
}

/** Runs a command's action. Never rejects: a failure is shown as one sentence that begins with `what`. */
const orTell = async (what: string, action: () => Promise<void>): Promise<void> => {
  try {
    await action()
  } catch (error) {
    void vscode.window.showErrorMessage(`${what}: ${messageOf(error)}`)
  }
}

/**
 * Does nothing if checkpoints may be made.
 * @throws CairnError `disabled` if a settings file turns them off
 */
const assertEnabled = (store: Pick<WindowStore, 'settings'>, root: string): void => {
  const file = disabledBy(store, root)
  if (file !== undefined) throw new CairnError('disabled', `checkpoints.enabled is false in ${file}.`)
}

/**
 * Makes a checkpoint of a node's folder, or of one the user chooses, after asking for a label and about unsaved files, and
 * says what it holds; does nothing if they cancel. Rejects with `usage` if the window is not trusted, with `disabled` if
 * checkpoints are turned off.
 */
const createCheckpoint = async (deps: CheckpointCommandDeps, node: unknown): Promise<void> => {
  assertTrusted()
  const given = nodeOf(node)
  const root = given?.kind === 'root' ? given.root : await chooseRoot(deps.roots(), 'Create checkpoint')
  if (root === undefined) return
  assertEnabled(deps.store, root)
  const label = await vscode.window.showInputBox({
    title: `Create checkpoint of ${neutraliseLine(projectName([root]) ?? root)}`,
    prompt: 'What is it for? May be empty.',
    placeHolder: 'before the upgrade',
  })
  if (label === undefined) return
  const unsaved = unsavedPaths(root)
  if (unsaved.length > 0) {
    const settled = await settleUnsaved(root, unsaved, 'A checkpoint keeps what is on the disk.')
    if (settled === 'cancelled') return
  }
  const engine = await deps.engine.engineForWriting()
  const { checkpoint, changed, leftOut } = await withProgress('Creating a checkpoint', (onProgress) =>
    engine.checkpoints.create({ root, label, onProgress }),
  )
  deps.onChange()
  const named = leftOut.filter(({ reason }) => reason !== 'ignored').length
  const isFirst = (await engine.checkpoints.list(root)).length === 1
  const change = isFirst
    ? ''
    : `, ${changed === 0 ? 'nothing' : changed.toLocaleString('en-US')} changed since the one before`
  const left = named === 0 ? '' : ` ${counted(named, 'file')} left out: too large, or named like a secret.`
  void vscode.window.showInformationMessage(`Checkpoint made: ${counted(checkpoint.files, 'file')}${change}.${left}`)
}

/**
 * Restores, says what was restored, and offers to undo it; says so if there is nothing to restore, and nothing if the user
 * cancels. Rejects with `usage` if the window is not trusted.
 */
const restore = async (deps: CheckpointCommandDeps, request: RestoreRequest, title: string): Promise<void> => {
  assertTrusted()
  const engine = await loadedEngine(deps)
  const { root } = request.checkpoint
  const result = await restoreCheckpoint(engine, request, restoreDialogs(root, title))
  if (result.kind === 'cancelled') return
  if (result.kind === 'same') {
    void vscode.window.showInformationMessage('Nothing to restore: the files are as they were then.')
    return
  }
  deps.onChange()
  const { text, isWhole } = restoredText(result.outcome, result.preview)
  const show = isWhole ? vscode.window.showInformationMessage : vscode.window.showWarningMessage
  // Not waited for: the notification stays until the user closes it.
  void show(text, ...(result.outcome.undo === null ? [] : [UNDO])).then((chosen) => {
    if (chosen === UNDO) void orTell('Nothing was undone', () => undo(deps, root))
  })
}

/** Undoes the last restore in a folder, after the same question as for any other restore. Rejects if none can be undone. */
const undo = async (deps: CheckpointCommandDeps, root: string): Promise<void> => {
  const checkpoint = await (await loadedEngine(deps)).checkpoints.lastUndo(root)
  await restore(deps, { checkpoint }, 'Undo the last restore?')
}

/** Whether a node is a checkpoint. */
const isCheckpoint = (node: CheckpointTreeNode | undefined): node is CheckpointNode => node?.kind === 'checkpoint'
/** Whether a node is a changed file. */
const isDifference = (node: CheckpointTreeNode | undefined): node is DifferenceNode => node?.kind === 'difference'

/**
 * Registers the commands that make, compare, open and restore checkpoints; dispose the result to remove them. Failures
 * are shown as messages.
 */
export const registerCheckpointCommands = (deps: CheckpointCommandDeps): vscode.Disposable => {
  const register = (name: string, failed: string, run: (node: unknown) => Promise<void>): vscode.Disposable =>
    vscode.commands.registerCommand(`cairn.${name}`, (node: unknown) => orTell(failed, () => run(node)))
  return vscode.Disposable.from(
    register('createCheckpoint', 'No checkpoint was made', (node) => createCheckpoint(deps, node)),
    register('compareCheckpoint', "The checkpoint can't be compared", async (node) => {
      const checkpoint = await checkpointOf(deps, node, 'Compare checkpoint with the files as they are')
      if (checkpoint !== undefined) await compareCheckpoints(deps, checkpoint)
    }),
    register('compareCheckpoints', "The checkpoints can't be compared", async (node) => {
      const from = await checkpointOf(deps, node, 'Compare two checkpoints: the first')
      const to = from && (await chooseCheckpoint(deps, 'Compare with which checkpoint?', from))
      if (from !== undefined && to !== undefined)
        await (from.at <= to.at ? compareCheckpoints(deps, from, to) : compareCheckpoints(deps, to, from))
    }),
    register('restoreCheckpoint', 'Nothing was restored', async (node) => {
      assertTrusted()
      const checkpoint = await checkpointOf(deps, node, 'Restore checkpoint')
      if (checkpoint !== undefined) await restore(deps, { checkpoint }, `Restore ${nameOf(checkpoint)}?`)
    }),
    register('restoreCheckpointFile', 'Nothing was restored', async (node) => {
      const given = nodeOf(node)
      if (!isDifference(given)) return
      const { checkpoint, difference } = given
      const { name } = nameAndFolder(difference.path)
      await restore(deps, { checkpoint, paths: [difference.path] }, `Restore ${name} of ${nameOf(checkpoint)}?`)
    }),
    register('undoRestore', 'Nothing was undone', async (node) => {
      assertTrusted()
      const given = nodeOf(node)
      const root = given?.kind === 'root' ? given.root : await chooseRoot(deps.roots(), 'Undo the last restore')
      if (root !== undefined) await undo(deps, root)
    }),
    register('openCheckpointDifference', "The file can't be compared", async (node) => {
      const given = nodeOf(node)
      if (isDifference(given)) await openDifference(given)
    }),
    register('openCheckpointFile', "The file can't be opened", async (node) => {
      const given = nodeOf(node)
      if (!isDifference(given)) return
      const file = vscode.Uri.file(join(given.checkpoint.root, given.difference.path))
      await vscode.commands.executeCommand('vscode.open', file)
    }),
    register('copyCheckpointId', "The id can't be copied", async (node) => {
      const given = nodeOf(node)
      if (isCheckpoint(given)) await vscode.env.clipboard.writeText(given.checkpoint.id)
    }),
  )
}
