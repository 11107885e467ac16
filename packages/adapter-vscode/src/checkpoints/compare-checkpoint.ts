/** Compares checkpoints in the editor: all files in one editor, or one file in its own. */
import { join } from 'node:path'
import type { Checkpoint } from '@cairn/core'
import * as vscode from 'vscode'
import { openComparison } from '../documents/open-comparison.ts'
import { counted } from '../text/format.ts'
import { checkpointAddress } from './checkpoint-address.ts'
import { withProgress } from './checkpoint-dialogs.ts'
import { checkpointTitle, nameAndFolder } from './checkpoint-label.ts'
import type { DifferenceNode } from './checkpoint-node.ts'
import { loadedEngine, nameOf } from './choose-checkpoint.ts'
import type { CheckpointWindow } from './choose-checkpoint.ts'

/** Files that one comparison of a whole checkpoint opens. */
const MOST_COMPARED = 200

/**
 * Opens the differences between a checkpoint and a later one (without `to`: the disk) in one multi-file diff editor;
 * says so if nothing differs, or if only the first files are shown. Rejects as the engine does. Files of which only the
 * permissions differ are left out.
 */
export const compareCheckpoints = async (
  deps: Pick<CheckpointWindow, 'engine'>,
  from: Checkpoint,
  to?: Checkpoint,
): Promise<void> => {
  const engine = await loadedEngine(deps)
  const { root } = from
  const differences = await withProgress('Comparing', (onProgress) =>
    engine.checkpoints.diff(root, from.id, to?.id, { onProgress }),
  )
  const files = differences.filter(({ change }) => change !== 'mode')
  if (files.length === 0) {
    void vscode.window.showInformationMessage(
      differences.length === 0 ? 'No file differs.' : 'No file differs, but for permissions.',
    )
    return
  }
  const sideOf = (checkpoint: Checkpoint | undefined, path: string): vscode.Uri =>
    checkpoint === undefined ? vscode.Uri.file(join(root, path)) : vscode.Uri.from(checkpointAddress(checkpoint, path))
  const resources = files
    .slice(0, MOST_COMPARED)
    .map(({ path, change }) => [
      sideOf(to, path),
      change === 'added' ? undefined : sideOf(from, path),
      change === 'removed' ? undefined : sideOf(to, path),
    ])
  const title = `${nameOf(from)} ↔ ${to === undefined ? 'now' : nameOf(to)}`
  await vscode.commands.executeCommand('vscode.changes', title, resources)
  if (files.length > MOST_COMPARED)
    void vscode.window.showInformationMessage(
      `The first ${MOST_COMPARED} of ${counted(files.length, 'file')} are shown; cairn checkpoint diff shows all.`,
    )
}

/**
 * Opens the comparison of one changed file: as it was in the checkpoint, and as it is on disk. If only its permissions
 * changed, a message says so instead. Never rejects: a failure is shown as a message.
 */
export const openDifference = async ({ checkpoint, difference }: DifferenceNode): Promise<void> => {
  const { path, change } = difference
  const { name } = nameAndFolder(path)
  if (change === 'mode') {
    const [before, now] = difference.modes.map((mode) => mode?.toString(8) ?? 'none')
    void vscode.window.showInformationMessage(
      `${name} holds what it held then; its permissions were ${before} and are ${now}.`,
    )
    return
  }
  await openComparison({
    title: `${name} (${checkpointTitle(checkpoint)} ↔ now)`,
    name,
    before: change === 'added' ? undefined : vscode.Uri.from(checkpointAddress(checkpoint, path)),
    now: change === 'removed' ? undefined : vscode.Uri.file(join(checkpoint.root, path)),
  })
}
