/**
 * Determines whether Codex trusts the hooks that setup wrote. For each trusted hook, Codex stores a hash of the entry
 * under the file's path, the event and the entry's position. A hook without a hash, or with a different one, is
 * silently skipped.
 */
import { parse } from 'smol-toml'
import { objectOf } from '../json.ts'
import type { Hasher } from '../ports/hasher.ts'
import { isFault, parseDocument } from './json/parse.ts'
import { commandOf, findOwn } from './json/own.ts'
import { memberOf } from './json/tree.ts'
import type { JsonTarget } from './target.ts'

export interface CodexHookTrust {
  readonly event: string
  readonly isTrusted: boolean
}

/**
 * For each of Cairn's hooks in the file, in order, whether Codex trusts its current version; empty for an unreadable
 * file. `configText` is the text of Codex's own settings. `hooksPaths` are the file's path, as is and with links
 * resolved; Codex may use either.
 */
export const codexHookTrust = (
  hooksText: string,
  hooksPaths: readonly string[],
  configText: string,
  target: JsonTarget,
  hasher: Hasher,
): readonly CodexHookTrust[] => {
  const document = parseDocument(hooksText, target.dialect)
  if (isFault(document)) return []
  const trusted = trustedHashes(configText)
  return findOwn(document.root, target.entries).flatMap(({ node, trail }) => {
    const [, event = '', group] = trail.at(-1)?.path ?? []
    const handler = trail.at(-1)?.index
    if (typeof event !== 'string' || group === undefined || handler === undefined) return []
    const timeout = memberOf(node, 'timeout')?.value
    const identity = {
      event_name: snakeCase(event),
      hooks: [
        {
          async: false,
          command: commandOf(node) ?? '',
          timeout: timeout?.kind === 'scalar' ? timeout.value : null,
          type: 'command',
        },
      ],
    }
    const hash = `sha256:${hasher.sha256(JSON.stringify(identity))}`
    const position = `${snakeCase(event)}:${group}:${handler}`
    return [{ event, isTrusted: hooksPaths.some((path) => trusted.get(`${path}:${position}`) === hash) }]
  })
}

const snakeCase = (name: string): string => name.replace(/(?<=[a-z])[A-Z]/g, (letter) => `_${letter}`).toLowerCase()

/** The hashes that Codex trusts, by key, without those of hooks that are not enabled; empty for an unreadable file. */
const trustedHashes = (configText: string): ReadonlyMap<string, string> => {
  const found = new Map<string, string>()
  try {
    const state = objectOf(objectOf(parse(configText, { integersAsBigInt: true })['hooks'])['state'])
    for (const [key, entry] of Object.entries(state)) {
      const { trusted_hash: hash, enabled } = objectOf(entry)
      if (typeof hash === 'string' && enabled !== false) found.set(key, hash)
    }
  } catch {
    // Whatever can't be read trusts nothing.
  }
  return found
}
