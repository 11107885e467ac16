/** The roles in a team's dashboard. */

/** From the least to the most that they see; each sees what those before it see. */
export const ROLES = ['viewer', 'lead', 'admin'] as const
export type Role = (typeof ROLES)[number]

/** Whether a role sees what needs another. */
export const isAtLeast = (role: Role, needed: Role): boolean => ROLES.indexOf(role) >= ROLES.indexOf(needed)
