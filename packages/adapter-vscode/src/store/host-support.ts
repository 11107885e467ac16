/** Whether this editor's runtime can load the store's native code. Asked before loading it, because an older runtime crashes on it. */

/** The Node-API version that better-sqlite3's prebuilt code needs: VS Code 1.101 and newer have it. */
const NEEDED_NODE_API = 10

/**
 * A sentence for the user when the runtime can't load the store's native module, else undefined. @param versions as
 * `process.versions` has them
 */
export const unsupportedHost = (versions: {
  readonly napi?: string | undefined
  readonly node: string
}): string | undefined => {
  const nodeApi = Number(versions.napi ?? 0)
  if (nodeApi >= NEEDED_NODE_API) return undefined
  return `Cairn needs VS Code 1.101 or newer: this editor runs its extensions on Node ${versions.node}, which is too old for the store.`
}
