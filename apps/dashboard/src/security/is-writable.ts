/** Whether pages of this server may change what is remembered. */
import { guardSettings } from './guard-settings.ts'
import { isTeam } from './team/team.ts'

/** As the guard decides for each request that changes something: never in a team's dashboard. */
export const isWritable = (): boolean => !isTeam() && guardSettings(process.env).isWritable
