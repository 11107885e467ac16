/** Loaded only for a prompt. */
export { promptContext } from '@cairn/core/hooks'
