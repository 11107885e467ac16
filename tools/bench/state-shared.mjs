// What both processes of the state benchmark are made with.
import { createState } from '@cairn/core/state'
import { createSystemTimer } from '@cairn/core/node'

export const GLOBAL = { tier: 'global' }
export const CHANGED = { tier: 'workspace', workspace: '/changed' }

/** A setting for the benchmark: a number in every tier, -1 where none is set; nothing else is taken. */
export const numberKey = (name) => ({
  name,
  tiers: ['global', 'workspace', 'session'],
  schema: {
    safeParse: (value) => (typeof value === 'number' ? { success: true, data: value } : { success: false }),
  },
  fallback: -1,
})

/** A state that follows a store, without registered settings. It must be closed before the store. */
export const openState = (store) =>
  createState({
    storage: store.state,
    timer: createSystemTimer(),
    now: () => Date.now(),
    keys: [],
    follow: (onChange) => store.onChange(onChange),
  })
