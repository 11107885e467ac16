/** Links to an entry of a session, which open it in the editor: `vscode://cairn.cairn-vscode/session?id=…&entry=12`. */

const PATH = '/session'
const EXTENSION = 'cairn.cairn-vscode'

/**
 * The link to an entry.
 * @param editorScheme of addresses that the editor opens: `vscode`
 */
export const entryLink = (editorScheme: string, sessionId: string, seq: number): string =>
  `${editorScheme}://${EXTENSION}${PATH}?${new URLSearchParams({ id: sessionId, entry: String(seq) }).toString()}`

/** The session, and the entry where one is named, that a link leads to; undefined for any other address. */
export const linkedEntry = ({
  path,
  query,
}: {
  readonly path: string
  readonly query: string
}): readonly [id: string, seq?: number] | undefined => {
  const facts = new URLSearchParams(query)
  const [id, entry] = [facts.get('id'), facts.get('entry')]
  if (path !== PATH || id === null || id === '') return undefined
  return entry !== null && /^\d{1,9}$/.test(entry) ? [id, Number(entry)] : [id]
}
