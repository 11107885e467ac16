/** The outcome of an operation whose failure a caller is expected to branch on. */
export type Result<T, E> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly error: E }

/** A successful {@link Result} with its value, which may be undefined. */
export const ok = <T>(value: T): { readonly ok: true; readonly value: T } => ({ ok: true, value })

/** A failed {@link Result} with the failure, which the caller is expected to handle. */
export const err = <E>(error: E): { readonly ok: false; readonly error: E } => ({ ok: false, error })
