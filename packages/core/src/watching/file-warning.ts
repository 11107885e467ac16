/** Warnings about files that wait in a session's state until they were told. */
import { isListOfTexts } from '../input.ts'
import { objectOf } from '../json.ts'
import type { JsonValue } from '../json.ts'

/** Something that the session's agent and user have to be told once. */
export interface FileWarning {
  readonly id: string
  /** ms */
  readonly at: number
  /** In a few words: `a checkpoint was restored`. */
  readonly reason: string
  readonly paths: readonly string[]
}

/** What the keys of warnings in the session's state begin with; the id follows. */
export const FILE_WARNING = 'file-warning.'

/** A stored warning under its id, as a list of one; empty where the value is anything else. */
export const fileWarningIn = (id: string, value: JsonValue): readonly FileWarning[] => {
  const { at, reason, paths } = objectOf(value)
  return typeof at === 'number' && typeof reason === 'string' && isListOfTexts(paths) ? [{ id, at, reason, paths }] : []
}
