/** Who changed a file in a session's context, in a few words. */
import { relativePath } from '@cairn/core'
import type { Engine, FileInContext, SessionSummary } from '@cairn/core'
import { formatTime } from '../terminal/format.ts'
import { neutraliseLine } from '../terminal/neutralise.ts'

/**
 * Returns who changed a file since the agent knew it, and when, as far as known; empty for a file that is not stale.
 */
export const changeText = ({ state, disk, changedBy }: FileInContext): string => {
  if (state !== 'stale') return ''
  if (disk !== null && disk.verdict !== null) {
    const who = disk.other === null ? disk.verdict : `${disk.other.agent} in ${disk.other.sessionId}`
    const at = disk.other?.at ?? disk.modifiedAt
    return neutraliseLine(
      disk.state === 'gone' ? `gone${disk.other === null ? '' : `, ${who}`}` : `${who}, ${formatTime(at)}`,
    )
  }
  if (changedBy === null) return ''
  const who = changedBy.by ?? (changedBy.source === 'edit' ? 'the agent, in messages that left' : 'somebody')
  return neutraliseLine(`${who}, ${formatTime(changedBy.at)}`)
}

/**
 * For a path as a session's log names it, returns who changed the file since, and when; '' where that is not known,
 * undefined if the file is not stale, or for no path.
 */
export type StaleText = (path: string | undefined) => string | undefined

/**
 * Returns a function that gives, for a path, who changed that file since the session's agent knew it, and when (''
 * where that is not known); undefined for a file that is not stale, and without a path. Rejects as the store does.
 */
export const staleFiles = async (engine: Engine, { id, workspace }: SessionSummary): Promise<StaleText> => {
  const { files } = await engine.files.inContext(id, { states: ['stale'] })
  const texts = new Map(files.map((file) => [file.path, changeText(file)]))
  return (path) => (path === undefined ? undefined : texts.get(relativePath(path, workspace ?? undefined)))
}
