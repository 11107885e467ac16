'use client'
/** The procedures that change what is remembered. */
import { useTRPCClient } from '../../trpc/client.tsx'

/** Each rejects with a sentence where nothing was changed. */
export const useMemoryClient = () => useTRPCClient().memory
