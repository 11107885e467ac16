/** The outcome of an operation whose failure a caller is expected to branch on. */
export type Result<T, E> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly error: E }

/** Wraps a success. */
export const ok = <T>(value: T): { readonly ok: true; readonly value: T } => ({ ok: true, value })

/** Wraps an expected failure. */
export const err = <E>(error: E): { readonly ok: false; readonly error: E } => ({ ok: false, error })
