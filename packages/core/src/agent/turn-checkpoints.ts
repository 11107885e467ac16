/** The turns of a session that changed something, with the checkpoints that can undo them. */
import { fileOperationsOf } from '../file-activity/file-tools.ts'
import type { ToolCallBlock } from '../messages.ts'
import type { LogEntry, MessageEntry } from '../session-log.ts'
import { liveEntries } from '../session/live-entries.ts'
import { workspacePath } from '../sources/mentions/workspace-path.ts'

export interface ChangingTurn {
  /** The checkpoint of the files before the turn's first change; undefined if none was made. */
  readonly checkpointId: string | undefined
  /** The user's message; the earlier conversation ends at the entry before it. */
  readonly message: MessageEntry
  /**
   * The files in the folder that tools changed from this turn on, relative to it. Undefined if a command ran, because
   * its changes are unknown.
   */
  readonly changed: readonly string[] | undefined
}

interface OpenTurn {
  readonly message: MessageEntry
  checkpointId: string | undefined
  readonly changed: Set<string>
  hasRunCommand: boolean
}

/**
 * The turns of a session of Cairn's own agent in which a call started that may change files, or that have a checkpoint;
 * oldest first, without rewound ones. A turn begins with a message of the user; its checkpoint is the first one made
 * while calls waited. `folder` is the absolute folder it worked in.
 */
export const changingTurns = (log: readonly LogEntry[], folder: string): readonly ChangingTurn[] => {
  const turns: OpenTurn[] = []
  /** Calls of the newest reply without a result, by id. */
  let calls = new Map<string, ToolCallBlock>()
  for (const entry of liveEntries(log)) {
    const turn = turns.at(-1)
    if (entry.kind === 'message') {
      if (entry.subagent !== undefined) continue
      if (isFromUser(entry))
        turns.push({ message: entry, checkpointId: undefined, changed: new Set(), hasRunCommand: false })
      if (entry.role === 'assistant') calls = callsById(entry)
      else for (const block of entry.content) if (block.type === 'tool_result') calls.delete(block.callId)
    } else if (turn === undefined) continue
    // One that is made between turns is the user's own.
    else if (entry.kind === 'checkpoint' && calls.size > 0) turn.checkpointId ??= entry.checkpointId
    else if (entry.kind === 'tool-start') noteCall(turn, calls.get(entry.callId), folder)
  }
  return withChangesFrom(turns)
}

const isFromUser = ({ role, origin, content }: MessageEntry): boolean =>
  role === 'user' && origin === undefined && content.some(({ type }) => type !== 'tool_result')

const callsById = ({ content }: MessageEntry): Map<string, ToolCallBlock> =>
  new Map(content.flatMap((block) => (block.type === 'tool_call' ? [[block.id, block] as const] : [])))

/** Tools that only change what Cairn stores. */
const KEEPING: ReadonlySet<string> = new Set(['memory', 'note', 'update_todo'])

/**
 * Adds the files that a call edits to the turn. A call of `run_command`, or without known edits, counts as a command,
 * unless it only changes what Cairn stores; files outside `folder` are left out.
 */
const noteCall = (turn: OpenTurn, call: ToolCallBlock | undefined, folder: string): void => {
  if (call === undefined || KEEPING.has(call.name)) return
  const edits = fileOperationsOf(call).filter(({ operation }) => operation === 'edit')
  if (edits.length === 0 || call.name === 'run_command') turn.hasRunCommand = true
  for (const edit of edits) {
    const found = workspacePath(edit.path, [folder])
    if (!('outside' in found)) turn.changed.add(found.path)
  }
}

/**
 * The turns that have a checkpoint or changed something, in order. Each has the sorted paths that were changed from it
 * on, as restoring the state before a turn also undoes the later ones; undefined if one of these ran a command.
 */
const withChangesFrom = (turns: readonly OpenTurn[]): readonly ChangingTurn[] => {
  const found: ChangingTurn[] = []
  const changed = new Set<string>()
  let hasRunCommand = false
  for (const { checkpointId, message, ...turn } of turns.toReversed()) {
    for (const path of turn.changed) changed.add(path)
    hasRunCommand ||= turn.hasRunCommand
    if (checkpointId !== undefined || turn.changed.size > 0 || turn.hasRunCommand)
      found.unshift({ checkpointId, message, changed: hasRunCommand ? undefined : [...changed].toSorted() })
  }
  return found
}
