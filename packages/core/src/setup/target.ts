/** What setup writes for an agent: entries in a settings file, or a file of its own. */
import type { JsonObject } from '../json.ts'
import type { JsonDialect } from './json/parse.ts'

/** An entry under the name `cairn` that starts the MCP server. */
export interface ServerEntry {
  readonly kind: 'server'
  /** The keys that lead to the object with the servers. */
  readonly at: readonly string[]
  readonly value: JsonObject
}

export interface StatusLineEntry {
  readonly kind: 'status-line'
  readonly at: readonly string[]
  readonly value: JsonObject
}

/** A command that runs at an event, in a list under `hooks.<event>`. */
export interface HookEntry {
  readonly kind: 'hook'
  readonly event: string
  /** `grouped`: an element of the list is `{hooks: [handler]}`; `flat`: it is the handler. */
  readonly form: 'grouped' | 'flat'
  readonly value: JsonObject
}

export type JsonEntry = ServerEntry | StatusLineEntry | HookEntry

export interface JsonTarget {
  readonly kind: 'json'
  /** Absolute; the first existing one counts, or else the first. */
  readonly paths: readonly string[]
  readonly dialect: JsonDialect
  readonly entries: readonly JsonEntry[]
}

/** A table `[mcp_servers.cairn]` of a TOML file. */
export interface TomlTarget {
  readonly kind: 'toml'
  readonly paths: readonly string[]
  readonly command: string
  readonly args: readonly string[]
  /** Environment variables passed on to the server. */
  readonly variables: readonly string[]
}

/** A file that belongs entirely to Cairn. */
export interface FileTarget {
  readonly kind: 'file'
  readonly paths: readonly string[]
  readonly content: string
  readonly isExecutable: boolean
}

export type Target = JsonTarget | TomlTarget | FileTarget

/** The name of Cairn's MCP server in every agent's settings. */
export const SERVER_NAME = 'cairn'

/** Contained in the first line of every file that belongs entirely to Cairn. */
export const FILE_MARK = 'Written by "cairn setup"'
