'use client'
/** The edit of a file that the address names, as a list of files links to it: opened where the conversation is led to. */
import { useSearchParams } from 'next/navigation'
import { useEffect, useRef } from 'react'
import type { EntryView } from '@cairn/core/conversation'
import { foldName } from './open-folds.ts'
import type { OpenFoldSet } from './open-folds.ts'

/** Whether a path of a call, which may be absolute, is that of a file in its project. */
const isPathOf = (file: string) => {
  const wanted = file.replaceAll('\\', '/')
  return (path: string): boolean => {
    const named = path.replaceAll('\\', '/')
    return named === wanted || named.endsWith(`/${wanted}`)
  }
}

/**
 * Returns the names of the folds of an entry's calls that edit a file; empty for what is no message. `file` is its path
 * in the project: a call's path fits if it is the same or ends with `/` and it.
 */
export const editFolds = (entry: EntryView | undefined, file: string): readonly string[] =>
  entry?.kind !== 'message'
    ? []
    : entry.blocks.flatMap((block, index) =>
        block.type === 'call' && block.edit?.paths.some(isPathOf(file)) === true ? [foldName(entry.seq, index)] : [],
      )

/**
 * Opens the edits of the file that the address names, once for each entry that the conversation is led to. Nothing
 * without a file or an entry.
 */
export const useOpenEdit = (entry: EntryView | undefined, folds: OpenFoldSet): void => {
  const file = useSearchParams().get('open')
  const opened = useRef<string | undefined>(undefined)
  useEffect(() => {
    if (file === null || entry === undefined) return
    const key = `${entry.seq} ${file}`
    if (opened.current === key) return
    opened.current = key
    folds.set(editFolds(entry, file), true)
  }, [file, entry, folds])
}
