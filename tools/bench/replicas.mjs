// How a collection of real sessions becomes many different ones.
//
// A replica is the collection again under other ids (session, message, request, tool call, uuid: the same shape, other
// digits, the same everywhere within the replica), some weeks earlier, and with other words: of all distinct words of
// five and more lower-case letters about a quarter are replaced, always by the same word of the same length; long runs
// of base64 have their letters moved. So lengths, structure and all repetition within a session, and between sessions
// of the collection, stay as they are, but no two replicas share a long text: a store that keeps equal texts once gets
// nothing for free.
import { createHash } from 'node:crypto'

/** Ids as Claude Code writes them. */
const IDS =
  /\b(?:[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|(?:msg|req|toolu|srvtoolu)_[A-Za-z0-9]{16,40})\b/g
/** Not after a backslash: in JSON within JSON, its letter is part of an escape. */
const WORDS = /(?<![\\A-Za-z0-9_])[a-z]{5,24}(?![A-Za-z0-9_])/g
/** Images and signatures. */
const BASE64 = /[A-Za-z0-9+/]{100,}/g
/** What the agent's program wrote for itself; only text for people and models is changed. */
const KEPT_KEYS = new Set([
  'type',
  'subtype',
  'role',
  'model',
  'cwd',
  'gitBranch',
  'version',
  'userType',
  'name',
  'stop_reason',
  'service_tier',
  'level',
  'operation',
  'permissionMode',
  'trigger',
  'media_type',
])
/** Shorter strings are names and states rather than text. */
const TEXT_LENGTH = 24
const WEEK_MS = 7 * 86_400_000
const HEX = '0123456789abcdef'
const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/**
 * Makes a copy of a transcript with other ids, words and times, so that it counts as another session.
 * @param {string} seed names the replica; the same seed gives the same text
 * @param {number} weeks by how much its times are moved back
 * @returns {{ line: (text: string) => string, ids: (text: string) => string }} `line` takes a line of the transcript,
 *   without its end; `ids` a path
 */
export function replica(seed, weeks) {
  const idsSeen = new Map()
  const wordsSeen = new Map()

  const otherId = (id) => {
    const known = idsSeen.get(id)
    if (known !== undefined) return known
    const digest = createHash('sha512').update(`${seed}\0${id}`).digest()
    const prefix = id.includes('_') ? id.slice(0, id.indexOf('_') + 1) : ''
    const digits = prefix === '' ? HEX : BASE62
    let byteIndex = 0
    const made =
      prefix +
      id.slice(prefix.length).replace(/[A-Za-z0-9]/g, () => digits[digest[byteIndex++ % digest.length] % digits.length])
    idsSeen.set(id, made)
    return made
  }

  const otherWord = (word) => {
    const known = wordsSeen.get(word)
    if (known !== undefined) return known
    const digest = createHash('md5').update(`${seed}\0${word}`).digest()
    // Letters move by a fixed step, so that a replaced word is as easy or hard to compress as the one it was.
    const step = 1 + (digest[1] % 24)
    const made =
      digest[0] < 64
        ? word.replace(/[a-z]/g, (letter) => String.fromCharCode(97 + ((letter.charCodeAt(0) - 97 + step) % 26)))
        : word
    wordsSeen.set(word, made)
    return made
  }

  const base64Step = 1 + (createHash('md5').update(seed).digest()[0] % 25)
  const otherBase64 = (run) =>
    run.replace(/[A-Z]/g, (letter) => String.fromCharCode(65 + ((letter.charCodeAt(0) - 65 + base64Step) % 26)))

  const ids = (text) => text.replace(IDS, otherId)

  const change = (value, key) => {
    if (typeof value === 'string') {
      if (key === 'timestamp') return earlier(value, weeks)
      return value.length < TEXT_LENGTH || KEPT_KEYS.has(key)
        ? value
        : value.replace(WORDS, otherWord).replace(BASE64, otherBase64)
    }
    if (Array.isArray(value)) return value.map((item) => change(item, key))
    if (value === null || typeof value !== 'object') return value
    for (const name of Object.keys(value)) value[name] = change(value[name], name)
    return value
  }

  return {
    ids,
    line: (text) => {
      const renamed = ids(text)
      try {
        return JSON.stringify(change(JSON.parse(renamed), ''))
      } catch {
        // Real transcripts have damaged lines; so do replicas.
        return renamed
      }
    },
  }
}

/** A time so many weeks earlier; a text that is no time as it is. */
const earlier = (timestamp, weeks) => {
  const at = Date.parse(timestamp)
  return Number.isNaN(at) ? timestamp : new Date(at - weeks * WEEK_MS).toISOString()
}
