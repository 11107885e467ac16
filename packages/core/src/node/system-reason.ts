/** What the system's errors about files mean, in words that name no path. */

/** The system's error code, such as `ENOENT`; undefined where there is none. */
export const codeOf = (thrown: unknown): string | undefined =>
  typeof thrown === 'object' && thrown !== null && 'code' in thrown && typeof thrown.code === 'string'
    ? thrown.code
    : undefined

const REASONS: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  ENOENT: 'no such file or folder',
  EISDIR: 'it is a folder',
  ENOTDIR: 'it is not a folder',
  ENAMETOOLONG: 'its name is too long',
  ELOOP: 'its links lead in a circle',
  EIO: 'the disk reported an error',
  EMFILE: 'too many open files',
  Z_DATA_ERROR: 'the compressed content is damaged',
  Z_BUF_ERROR: 'the compressed content ends too early',
  EROFS: 'the disk is read-only',
  ENOSPC: 'the disk is full',
}

/**
 * Why an operation on a file or folder failed, or its compressed content can't be unpacked, in a few words without a path;
 * undefined for errors of other kinds, and codes without words of their own.
 */
export const systemReason = (thrown: unknown): string | undefined => {
  const code = codeOf(thrown)
  if (code === undefined) return undefined
  return REASONS[code.startsWith('ZSTD_error') ? 'Z_DATA_ERROR' : code]
}
