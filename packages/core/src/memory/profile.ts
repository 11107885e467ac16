/** The user's profile: a few lines about the person, across projects; shown, edited, switched off by the person. */

/** One line about the user. */
export interface ProfileItem {
  /** A short name: `language`, `tone`, `editor`, … */
  readonly key: string
  readonly text: string
  readonly updatedAt: number
}

/** The profile, and whether it is handed out. */
export interface ProfileView {
  /** Switched off: kept, but given to no prompt. */
  readonly enabled: boolean
  /** Sorted by key. */
  readonly items: readonly ProfileItem[]
}

/** A few lines about the user, for all workspaces. */
export interface Profile {
  /** The whole profile, also while it is switched off. */
  show(): Promise<ProfileView>
  /** An empty text removes the item. Rejects with `invalid-input` for an empty key, or more than the profile holds. */
  set(key: string, text: string): Promise<ProfileView>
  /** Switches on or off whether prompts are given the profile; its items stay either way. */
  enable(enabled: boolean): Promise<ProfileView>
  /** What a prompt is given; empty when it is switched off or has no items. Delimited and escaped. */
  section(): Promise<{ readonly text: string; readonly tokens: number }>
}
