/** Whether pages of this server may change what is remembered. */
import { guardSettings } from './guard-settings.ts'
import { isTeam } from './team/team.ts'

/**
 * Whether pages may change what is remembered, as the guard decides for each such request; false in a team's dashboard.
 */
export const isWritable = (): boolean => !isTeam() && guardSettings(process.env).isWritable
