'use client'
/** Asks for what is typed, a moment after the last letter: each kind by itself, so that the quick ones are there first. */
import { keepPreviousData, skipToken, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useTRPC } from '../../trpc/client.tsx'
import { failureOf } from '../../trpc/failure.ts'
import type { Failure } from '../../trpc/failure.ts'
import type { Kind } from './kinds.ts'
import type { Found, FoundFiles } from './search-query.ts'

/** Between the last letter and the question, ms. */
const PATIENCE_MS = 120

/** How many of a kind are asked for: beside others, and alone. Messages beside others are as many as `cairn recall` shows. */
const RESULTS_BY_KIND: Readonly<Record<Kind, { readonly few: number; readonly many: number }>> = {
  memory: { few: 5, many: 5 },
  notes: { few: 5, many: 5 },
  messages: { few: 10, many: 50 },
  sessions: { few: 5, many: 30 },
  files: { few: 5, many: 50 },
}

/** Files alone, before more are asked for. */
export const FIRST_FILES = RESULTS_BY_KIND.files.many

/** What was found, and whether the search is still running. */
export interface SearchState {
  /** Sessions that the text names by title or id: they come before all others, and not a second time among these. */
  readonly named: readonly Found[]
  /** By kind, in the order of the engine; empty for kinds that are not wanted. */
  readonly found: Readonly<Record<Kind, readonly Found[]>>
  /** How many files there are, of which `found` has the first; undefined until that is known. */
  readonly files: Omit<FoundFiles, 'files'> | undefined
  /** Whether an answer is still on its way, or what is shown belongs to other words. */
  readonly isSearching: boolean
  readonly failure: Failure | null
}

/** Returns a text once it has stayed the same for a moment; an empty one at once. */
const useSettled = (text: string): string => {
  const [settled, setSettled] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), text === '' ? 0 : PATIENCE_MS)
    return () => clearTimeout(timer)
  }, [text])
  return settled
}

const options = { placeholderData: keepPreviousData, staleTime: 10_000 } as const

/** The sessions that a text names by title or id; none are asked for without a text. */
const useNamed = (text: string | undefined) => {
  const trpc = useTRPC()
  const query = useQuery(trpc.search.named.queryOptions(text === undefined ? skipToken : { text }, options))
  const found: readonly Found[] = text === undefined ? [] : (query.data ?? [])
  return { query, found, keys: new Set(found.map(({ key }) => key)) }
}

/** Returns what became of the first question that failed; null where none did. */
const firstFailure = (
  queries: readonly { readonly error: Parameters<typeof failureOf>[0] | null }[],
): Failure | null => {
  const error = queries.find((query) => query.error !== null)?.error ?? null
  return error === null ? null : failureOf(error)
}

/**
 * What is found for a text, of one kind or of all (undefined), asked for a moment after the last letter; nothing is
 * asked for an empty one. Results of the words before stay while the next are on their way. Where all kinds are wanted,
 * sessions and files are asked for once the messages are there.
 * @param mostFiles how many files are shown where nothing else is
 */
export const useSearch = (typed: string, kind: Kind | undefined, mostFiles: number): SearchState => {
  const trpc = useTRPC()
  const wanted = typed.trim()
  const text = useSettled(wanted)
  const isEmpty = text === '' || wanted === ''
  const isWanted = (one: Kind): boolean => !isEmpty && (kind === undefined || kind === one)
  const inputFor = (one: Kind) =>
    !isWanted(one)
      ? skipToken
      : {
          text,
          limit: kind === 'files' ? mostFiles : RESULTS_BY_KIND[one][kind === undefined ? 'few' : 'many'],
        }
  const named = useNamed(isWanted('sessions') ? text : undefined)
  const messages = useQuery(trpc.search.messages.queryOptions(inputFor('messages'), options))
  // Entries and notes are found by one question.
  const knowledgeInput = kind === 'notes' ? inputFor('notes') : inputFor('memory')
  const knowledge = useQuery(trpc.search.knowledge.queryOptions(knowledgeInput, options))
  // A store searches one thing after the other: messages, which most people look for, do not wait for the rest.
  const isNext = kind !== undefined || (messages.isSuccess && !messages.isPlaceholderData)
  const later = (one: Kind) => ({ ...options, enabled: isNext && inputFor(one) !== skipToken })
  const sessions = useQuery(trpc.search.sessions.queryOptions(inputFor('sessions'), later('sessions')))
  const files = useQuery(trpc.search.files.queryOptions(inputFor('files'), later('files')))
  const of = (one: Kind, all: readonly Found[] | undefined): readonly Found[] => (isWanted(one) ? (all ?? []) : [])
  const queries = [named.query, messages, knowledge, sessions, files]
  const failure = firstFailure(queries)
  return {
    named: named.found,
    found: {
      memory: of('memory', knowledge.data?.memory),
      notes: of('notes', knowledge.data?.notes),
      messages: of('messages', messages.data),
      sessions: of('sessions', sessions.data).filter(({ key }) => !named.keys.has(key)),
      files: of('files', files.data?.files),
    },
    files: isWanted('files') ? files.data : undefined,
    isSearching: wanted !== '' && (text !== wanted || queries.some(({ isFetching }) => isFetching)),
    failure: isEmpty ? null : failure,
  }
}
