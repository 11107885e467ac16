'use client'
/** The procedures that change what is remembered. */
import { useTRPCClient } from '../../trpc/client.tsx'

/**
 * The procedures of memory, to be called from handlers. Each change rejects with a sentence where nothing was
 * changed.
 */
export const useMemoryClient = () => useTRPCClient().memory
