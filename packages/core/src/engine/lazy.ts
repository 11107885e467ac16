/** Loads a part of the engine on first use, so that a program loads only the parts it uses. */

/** An object that has only asynchronous methods. */
type AsyncMethods<T> = { readonly [Name in keyof T]: (...values: never) => Promise<unknown> }

/**
 * Creates an object with the named methods; the first call of any of them loads the real object, and every call is
 * forwarded to it. The names are a record, so that a missing method is a compile error. A failed load rejects the
 * calls.
 */
export const lazy = <T extends AsyncMethods<T>>(
  methods: Readonly<Record<keyof T, true>>,
  load: () => Promise<T>,
): T => {
  const loaded = once(load)
  const delegates = Object.keys(methods).map((name) => [
    name,
    async (...values: readonly unknown[]): Promise<unknown> => {
      const target: Readonly<Record<string, unknown>> = await loaded()
      const method = target[name]
      if (typeof method !== 'function') throw new TypeError(`${name} is not a method of what was loaded.`)
      return Reflect.apply(method, target, values)
    },
  ])
  // The record has exactly the keys of T, and each delegate passes arguments and result on unchanged.
  return Object.fromEntries(delegates) as T
}

/** Wraps `load` so that it is called once; every call returns the same promise, even if it rejects. */
export const once = <T>(load: () => Promise<T>): (() => Promise<T>) => {
  let loaded: Promise<T> | undefined
  return () => (loaded ??= load())
}
