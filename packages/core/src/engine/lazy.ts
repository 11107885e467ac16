/** Loads a part of the engine when it is first called, so that a program pays only for the parts that it uses. */

/** An object that has only asynchronous methods. */
type AsyncMethods<T> = { readonly [Name in keyof T]: (...values: never) => Promise<unknown> }

/**
 * An object with the named methods; the first call of any of them loads the real object, and every call goes on to it.
 * The names are a record, so that a method that is missing here is a compile error.
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

/**
 * A function that calls `load` at its first call and returns the same promise for every call, also when that rejects.
 */
export const once = <T>(load: () => Promise<T>): (() => Promise<T>) => {
  let loaded: Promise<T> | undefined
  return () => (loaded ??= load())
}
