/** Options that were given, for functions that take "not given" as an absent property. */

/** The properties that have a value: those that are undefined are left out. */
export const definedValues = <T extends Readonly<Record<string, unknown>>>(
  values: T,
): { readonly [K in keyof T]?: Exclude<T[K], undefined> } =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as {
    readonly [K in keyof T]?: Exclude<T[K], undefined>
  }
