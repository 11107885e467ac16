/** Options that were given, for functions that take "not given" as an absent property. */

/** Returns a copy of the object without undefined properties; null is kept. */
export const definedValues = <T extends Readonly<Record<string, unknown>>>(
  values: T,
): { readonly [K in keyof T]?: Exclude<T[K], undefined> } =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as {
    readonly [K in keyof T]?: Exclude<T[K], undefined>
  }
