'use client'
/** The procedures that change what is remembered. */
import { useTRPCClient } from '../../trpc/client.tsx'

/**
 * Returns the procedures about memory, for use in event handlers. A change rejects with a sentence if nothing was
 * changed.
 */
export const useMemoryClient = () => useTRPCClient().memory
