/** The user's profile: a few lines about the person, across projects; shown, edited, switched off by the person. */

/** One line about the user. */
export interface ProfileItem {
  /** A short name: `language`, `tone`, `editor`, … */
  readonly key: string
  readonly text: string
  readonly updatedAt: number
}

/** The profile, and whether it is in use. */
export interface ProfileView {
  /** False: the profile is kept, but not included in prompts. */
  readonly enabled: boolean
  /** Sorted by key. */
  readonly items: readonly ProfileItem[]
}

/** A few lines about the user, for all workspaces. */
export interface Profile {
  /** The whole profile, even while it is switched off. */
  show(): Promise<ProfileView>
  /**
   * Sets an item; an empty text removes it. Rejects with `invalid-input` for an empty key, or beyond the profile's
   * limits.
   */
  set(key: string, text: string): Promise<ProfileView>
  /** Switches the profile on or off for prompts; its items stay. */
  enable(enabled: boolean): Promise<ProfileView>
  /** The profile section of a prompt; empty if it is switched off or has no items. Delimited and escaped. */
  section(): Promise<{ readonly text: string; readonly tokens: number }>
}
