'use client'
/** What compactions left of the context, by their entries: the log says at most what was there before. */
import { createContext, useContext } from 'react'

const CompactionSizes = createContext<ReadonlyMap<number, string>>(new Map())

export const CompactionSizesProvider = CompactionSizes.Provider

/** `238K → 26.2K tokens` of the compaction that an entry tells of; '' until it is known. */
export const useCompactionSizes = (seq: number): string => useContext(CompactionSizes).get(seq) ?? ''
