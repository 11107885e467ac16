/** Keys of providers: the environment's, those kept by the editor, and those of the `cairn secret` command. */
import type { Surroundings } from '@cairn/core/node'
import { findProviderKey, providerKeys, type FoundKey, type ProviderKey } from '@cairn/core/providers'
import type { SecretStorage } from 'vscode'

/** The API keys of providers that the chat can use. */
export interface EditorKeys {
  /** The key of a provider; undefined where there is none. Rejects where one is kept that can't be read. */
  find(provider: string): Promise<FoundKey | undefined>
  /** Keeps a key in the editor's own secret storage. */
  keep(name: string, key: string): Promise<void>
  /** Removes a key from the editor's secret storage; nothing if it has none. Keys of other places stay. */
  remove(name: string): Promise<void>
  /** All providers that take a key, with where theirs is. */
  list(): Promise<readonly (ProviderKey & { readonly isInEditor: boolean })[]>
}

/** Returns the name of a provider's key in the editor's secret storage. */
const nameOf = (provider: string): string => `cairn.apiKey.${provider}`

/**
 * Returns access to the providers' keys, searched in the environment, then the editor's secret storage, then what
 * `cairn secret` keeps. Looked up anew each time, with `surroundings` as they are then.
 */
export const createEditorKeys = (
  secrets: Pick<SecretStorage, 'get' | 'store' | 'delete'>,
  surroundings: () => Surroundings,
): EditorKeys => {
  const stored = async () => (await import('@cairn/core/node/secrets')).openUserSecrets(surroundings())
  return {
    find: (provider) =>
      findProviderKey(provider, surroundings().variables, async () => ({
        get: async (name) => (await secrets.get(nameOf(name))) ?? (await stored()).get(name),
      })),
    keep: async (name, key) => secrets.store(nameOf(name), key),
    remove: async (name) => secrets.delete(nameOf(name)),
    list: async () => {
      // Where the system's keyring can't be asked, a key of the editor's is still good.
      const kept = await stored()
        .then((all) => all.list())
        .catch(() => [])
      const keys = providerKeys(surroundings().variables, kept).filter(({ isNeeded }) => isNeeded)
      return Promise.all(
        keys.map(async (key) => ({ ...key, isInEditor: (await secrets.get(nameOf(key.name))) !== undefined })),
      )
    },
  }
}
