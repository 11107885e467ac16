/** Opens the editor's own comparison of a file with what it held before, and says so where it can't be compared by lines. */
import { messageOf } from '@cairn/core'
import * as vscode from 'vscode'
import { bytesText } from '../text/format.ts'
import { neutraliseLine } from '../text/neutralise.ts'

/** A file at two times. */
export interface Comparison {
  /** The name of the tab. */
  readonly title: string
  /** The file's name in sentences. */
  readonly name: string
  /** Undefined where there was no file then. */
  readonly before: vscode.Uri | undefined
  /** Undefined where there is no file now. */
  readonly now: vscode.Uri | undefined
}

const NOTHING_SCHEME = 'cairn-nothing'
const OPEN_BEFORE = 'Open as it was'
const OPEN_NOW = 'Open as it is'
/** As git decides: a zero byte at the beginning is no text. */
const LOOKED_AT = 8_000

/** Whether a content is text: it has no zero byte near its beginning. */
const isText = (content: Uint8Array): boolean => !content.subarray(0, LOOKED_AT).includes(0)

/** Returns a document's bytes; undefined if there is no document. */
const contentOf = async (uri: vscode.Uri | undefined): Promise<Uint8Array | undefined> =>
  uri === undefined ? undefined : vscode.workspace.fs.readFile(uri)

/** Returns a content's size in words; `no file` for none. */
const sizeText = (content: Uint8Array | undefined): string =>
  content === undefined ? 'no file' : bytesText(content.byteLength)

/**
 * Says that content is not text, with both sizes, and offers to open either side by itself. @param contents before and
 * now; undefined for a side that is not there
 */
const offerSides = async (
  { name, before, now }: Comparison,
  contents: readonly [Uint8Array | undefined, Uint8Array | undefined],
): Promise<void> => {
  const chosen = await vscode.window.showInformationMessage(
    `${neutraliseLine(name)} is no text, so it can't be compared by lines: ${sizeText(contents[0])} then, ${sizeText(contents[1])} now.`,
    ...(before === undefined ? [] : [OPEN_BEFORE]),
    ...(now === undefined ? [] : [OPEN_NOW]),
  )
  const uri = chosen === OPEN_BEFORE ? before : chosen === OPEN_NOW ? now : undefined
  if (uri !== undefined) await vscode.commands.executeCommand('vscode.open', uri, { preview: true })
}

/** Returns the address of an empty document, for the side that has no file. */
const nothing = (uri: vscode.Uri): vscode.Uri => vscode.Uri.from({ scheme: NOTHING_SCHEME, path: uri.path })

/**
 * Opens the comparison in a diff editor; a side that is missing is shown empty, and nothing is opened if both are. If
 * either is binary, offers to open each instead. Never rejects: a failure is shown as a message.
 */
export const openComparison = async (comparison: Comparison): Promise<void> => {
  const { title, name, before, now } = comparison
  try {
    const contents = [await contentOf(before), await contentOf(now)] as const
    if (contents.some((content) => content !== undefined && !isText(content))) {
      await offerSides(comparison, contents)
      return
    }
    const [left, right] = [before ?? (now && nothing(now)), now ?? (before && nothing(before))]
    if (left !== undefined && right !== undefined)
      await vscode.commands.executeCommand('vscode.diff', left, right, title, { preview: true })
  } catch (error) {
    void vscode.window.showErrorMessage(`${neutraliseLine(name)} can't be compared: ${messageOf(error)}`)
  }
}

/** Registers the empty document for the side that has no file; dispose the result to remove it. */
export const registerNothing = (): vscode.Disposable =>
  vscode.workspace.registerTextDocumentContentProvider(NOTHING_SCHEME, { provideTextDocumentContent: () => '' })
