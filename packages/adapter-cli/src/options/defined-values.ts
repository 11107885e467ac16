/** Options that were given, for functions that take "not given" as an absent property. */

/** A copy of the object with only the properties that have a value; null counts as one, undefined does not. */
export const definedValues = <T extends Readonly<Record<string, unknown>>>(
  values: T,
): { readonly [K in keyof T]?: Exclude<T[K], undefined> } =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as {
    readonly [K in keyof T]?: Exclude<T[K], undefined>
  }
