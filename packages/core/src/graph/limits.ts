/** How much is read for one answer, newest first, so that an answer costs the same in a store of any size. */
export const GRAPH_LIMITS = {
  /** Links of an answer, unless asked for otherwise, and at most. */
  links: 20,
  mostLinks: 1000,
  /** Touches of a file. */
  touches: 1000,
  /** Messages found by their words. */
  hits: 100,
  /** Messages found by the name of a file. */
  mentions: 50,
  /** Sessions whose other touches or messages are read. */
  sessions: 20,
  /** Sessions whose folder is read, to distinguish files of the same name. */
  namedSessions: 100,
  /** Messages whose edits are read for the symbols in them. */
  edits: 40,
  /** Entries of a log that are read around a message, to find the commits near it. */
  near: 200,
  symbols: 50,
  messages: 10,
  workspaces: 20,
  /** Workspaces among whose entries those of one session are looked for. */
  allWorkspaces: 500,
  /** Characters of a message in which symbols are looked for. */
  characters: 100_000,
  labelCharacters: 100,
  /** Candidates that a sentence names. */
  named: 5,
} as const
