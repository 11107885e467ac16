'use client'
/** What a search found in the entry that it led to: folded parts that hold it are opened, and the first match is scrolled to. */
import { skipToken, useQuery } from '@tanstack/react-query'
import { useSearchParams } from 'next/navigation'
import { useEffect, useMemo } from 'react'
import type { RefObject } from 'react'
import { useTRPC } from '../../trpc/client.tsx'
import type { MarkedWords } from './marked-words.tsx'
import { foldName, wholeName } from './open-folds.ts'
import type { OpenFoldSet } from './open-folds.ts'

/** Frames in which a match may still come to be in the page. */
const MOST_FRAMES = 90

/**
 * The words to mark in an entry; null while nothing is searched for or it was not gone to. Opens what is folded around
 * them, and scrolls to the first.
 * @param seq the entry that was found
 * @param row the entry that shows it: a result is shown with its call
 */
export const useMatches = (
  id: string,
  seq: number | undefined,
  row: number | undefined,
  folds: OpenFoldSet,
  scroller: RefObject<HTMLDivElement | null>,
): MarkedWords | null => {
  const text = (useSearchParams().get('find') ?? '').slice(0, 200)
  const trpc = useTRPC()
  const { data } = useQuery(
    trpc.session.matches.queryOptions(seq === undefined || text.trim() === '' ? skipToken : { id, seq, text }, {
      staleTime: Infinity,
    }),
  )
  useEffect(() => {
    if (data === undefined || seq === undefined || row === undefined || data.blocks.length === 0) return undefined
    folds.set(
      data.blocks.flatMap((block) => [foldName(seq, block), wholeName(seq, block)]),
      true,
    )
    let frames = 0
    let request = 0
    const look = (): void => {
      const mark = scroller.current?.querySelector(`[data-index="${row}"] mark`)
      if (mark !== null && mark !== undefined) mark.scrollIntoView({ block: 'center' })
      else if (frames++ < MOST_FRAMES) request = requestAnimationFrame(look)
    }
    request = requestAnimationFrame(look)
    return () => cancelAnimationFrame(request)
  }, [data, seq, row, folds, scroller])
  return useMemo(
    () => (data === undefined || seq === undefined || text === '' ? null : { seq, words: data.words }),
    [data, seq, text],
  )
}
