/** What a server of the Model Context Protocol is made from. */
import type { CommonOptions, Context } from '../command.ts'
import type { StoreAccess } from './store-access.ts'
import type { Tool } from './tool.ts'

/** What a server may read and write. */
export interface Privacy {
  /** Nothing is read or written. */
  readonly incognito: boolean
  /** False: long-term memory is neither read nor written. */
  readonly longTermMemory: boolean
}

/** What a server is made with. */
export interface McpServerInput {
  readonly version: string
  readonly store: StoreAccess
  /** As people know it, without a password. */
  readonly storeName: string
  readonly privacy: Privacy
  readonly options: CommonOptions
  readonly context: Context
  /** Default: all tools. */
  readonly tools?: readonly Tool[]
}
