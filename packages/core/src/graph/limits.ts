/** How much is read for one answer, newest first, so that answers cost the same in a store of any size. */
export const GRAPH_LIMITS = {
  /** Default and maximum number of links in an answer. */
  links: 20,
  mostLinks: 1000,
  /** Touches of a file. */
  touches: 1000,
  /** Messages found by words. */
  hits: 100,
  /** Messages found by a file's name. */
  mentions: 50,
  /** Sessions whose other touches or messages are read. */
  sessions: 20,
  /** Sessions whose folder is read to distinguish files with the same name. */
  namedSessions: 100,
  /** Messages whose edits are scanned for symbols. */
  edits: 40,
  /** Log entries read around a message to find nearby commits. */
  near: 200,
  symbols: 50,
  messages: 10,
  workspaces: 20,
  /** Workspaces searched for entries of one session. */
  allWorkspaces: 500,
  /** Characters of a message scanned for symbols. */
  characters: 100_000,
  labelCharacters: 100,
  /** Candidates listed in a message. */
  named: 5,
} as const
