/** The one budget of bytes that all stores of a process share for what they keep in memory. */
import { totalmem } from 'node:os'
import { CairnError, MemoryBudget } from '@cairn/core'

const MEGABYTE = 1024 * 1024
/** What more would hold is read again in less time than anybody notices. */
const MOST_BYTES = 256 * MEGABYTE
const LEAST_BYTES = 32 * MEGABYTE
const SHARE_OF_MEMORY = 1 / 32
const VARIABLE = 'CAIRN_MEMORY_MB'
const MOST_MEGABYTES = 65_536

/**
 * The bytes that caches may hold by default: `SHARE_OF_MEMORY` of the machine's memory, or of what a container may use
 * if that is less, between `LEAST_BYTES` and `MOST_BYTES`. `containerBytes`: 0 for no limit.
 */
export const defaultBudgetBytes = (machineBytes = totalmem(), containerBytes = process.constrainedMemory()): number => {
  const memory = containerBytes > 0 ? Math.min(machineBytes, containerBytes) : machineBytes
  return Math.floor(Math.min(MOST_BYTES, Math.max(LEAST_BYTES, memory * SHARE_OF_MEMORY)))
}

/**
 * The bytes for the value of `CAIRN_MEMORY_MB`: digits, which count megabytes (of 1024 × 1024 bytes); the default of
 * {@link defaultBudgetBytes} if it is undefined or ''. 0 turns caches off.
 * @throws CairnError `usage` for any other text, such as one with a sign or spaces, and over `MOST_MEGABYTES`
 */
export const budgetBytesOf = (variable: string | undefined): number => {
  if (variable === undefined || variable === '') return defaultBudgetBytes()
  const megabytes = /^\d{1,5}$/.test(variable) ? Number(variable) : Number.NaN
  if (!(megabytes <= MOST_MEGABYTES))
    throw new CairnError(
      'usage',
      `${VARIABLE} is '${variable.slice(0, 40)}'; it takes whole megabytes, 0 to ${MOST_MEGABYTES}, that caches may hold.`,
    )
  return megabytes * MEGABYTE
}

let budget: MemoryBudget | undefined

/**
 * The memory budget that all stores of this process share; made at first use, and read from the environment then.
 * @throws CairnError `usage`, see {@link budgetBytesOf}
 */
export const processBudget = (): MemoryBudget => (budget ??= new MemoryBudget(budgetBytesOf(process.env[VARIABLE])))
