/** Implements the profile on a store's settings. */
import { CairnError } from '../errors.ts'
import { assertText, invalidInput } from '../input.ts'
import { isJsonObject, type JsonValue } from '../json.ts'
import type { Clock } from '../ports/clock.ts'
import type { StateScope, StateStorage } from '../ports/state-storage.ts'
import type { Redact } from '../redaction/index.ts'
import { wrapInTag } from '../summary/markup.ts'
import { estimateTokens } from '../tokens/estimate.ts'
import { escapedLine, plainLine } from './section-text.ts'
import type { Profile, ProfileItem, ProfileView } from './profile.ts'

/** What the profile needs to be stored and redacted. */
export interface ProfileDeps {
  readonly state: StateStorage
  readonly clock: Clock
  readonly redact: Redact
}

/** Maximum number of items, and of characters in one. */
export const PROFILE_LIMITS = { items: 50, keyCharacters: 60, textCharacters: 500 } as const
/** Token limit of the section; items that do not fit are only counted. */
const MAX_TOKENS = 1500

const SCOPE: StateScope = { tier: 'global' }
/** Each item has its own key, so that concurrent writers keep each other's items. */
const ITEM_PREFIX = 'profile:'
const ENABLED_KEY = 'profile-enabled'

const PREFACE =
  'What the user has told about themselves and how they like to work. It describes the person; what the conversation asks for comes first.'

/**
 * Creates the user's profile. It is kept in the state storage as global values and used unless switched off; see {@link
 * Profile}. Secrets are redacted before anything is stored; input over the limits rejects with `invalid-input`.
 */
export const createProfile = ({ state, clock, redact }: ProfileDeps): Profile => {
  /** The profile as stored: its items by name, and whether it is used, which it is unless switched off. */
  const show = async (): Promise<ProfileView> => {
    const all = await state.all(SCOPE)
    const items = [...all].flatMap(([key, value]) =>
      key.startsWith(ITEM_PREFIX) ? itemOf(key.slice(ITEM_PREFIX.length), value) : [],
    )
    return {
      enabled: all.get(ENABLED_KEY) !== false,
      items: items.sort((left, right) => (left.key < right.key ? -1 : 1)),
    }
  }
  return {
    show,
    set: async (givenKey, givenText) => {
      assertText(givenKey, 'The name of an item of the profile')
      assertText(givenText, 'The text of an item of the profile')
      const [key, text] = [plainLine(redact(givenKey).text), redact(givenText).text.trim()]
      if (key === '')
        throw new CairnError('invalid-input', "An item of the profile needs a name, such as 'language' or 'editor'.")
      if (key.length > PROFILE_LIMITS.keyCharacters)
        throw new CairnError(
          'invalid-input',
          `The name of an item of the profile has at most ${PROFILE_LIMITS.keyCharacters} characters; this one has ${key.length}.`,
        )
      if (text.length > PROFILE_LIMITS.textCharacters)
        throw new CairnError(
          'invalid-input',
          `An item of the profile has at most ${PROFILE_LIMITS.textCharacters} characters; this one has ${text.length}. Nothing was changed.`,
        )
      const { items } = await show()
      if (text !== '' && items.length >= PROFILE_LIMITS.items && !items.some((item) => item.key === key)) {
        throw new CairnError(
          'invalid-input',
          `The profile holds ${PROFILE_LIMITS.items} items, and is full; remove one (set it to an empty text) first.`,
        )
      }
      await state.set(SCOPE, new Map([[ITEM_PREFIX + key, text === '' ? undefined : { text, updatedAt: clock.now() }]]))
      return show()
    },
    enable: async (enabled) => {
      if (typeof enabled !== 'boolean') throw invalidInput('Whether the profile is used', 'true or false', enabled)
      await state.set(SCOPE, new Map([[ENABLED_KEY, enabled]]))
      return show()
    },
    section: async () => {
      const view = await show()
      const text = view.enabled && view.items.length > 0 ? sectionOf(view.items) : ''
      return { text, tokens: estimateTokens(text) }
    },
  }
}

/** An item of the profile as a list of one; empty for a damaged one. */
const itemOf = (key: string, value: JsonValue): readonly ProfileItem[] => {
  if (!isJsonObject(value)) return []
  const { text, updatedAt } = value
  return typeof text === 'string' && typeof updatedAt === 'number' ? [{ key, text, updatedAt }] : []
}

/**
 * The items as a section, in their order, as many as fit. An item without room is passed over for shorter ones behind
 * it; how many are missing is told at the end.
 */
const sectionOf = (items: readonly ProfileItem[]): string => {
  let lines: readonly string[] = []
  for (const { key, text } of items) {
    const next = [
      ...lines,
      `- ${escapedLine(key, PROFILE_LIMITS.keyCharacters)}: ${escapedLine(text, PROFILE_LIMITS.textCharacters)}`,
    ]
    if (estimateTokens(textOf(next, items.length)) <= MAX_TOKENS) lines = next
  }
  return textOf(lines, items.length)
}

/** The section with its tags, and how many of `all` lines are missing. */
const textOf = (lines: readonly string[], all: number): string =>
  wrapInTag(
    'user_profile',
    [PREFACE, ...lines, ...(lines.length === all ? [] : [`(${all - lines.length} more items had no room here.)`])].join(
      '\n',
    ),
  )
