/** Whether pages of this server may change what is remembered. */
import { guardSettings } from './guard-settings.ts'

/** As the guard decides for each request that changes something. */
export const isWritable = (): boolean => guardSettings(process.env).isWritable
