/** One name for a file, however a call, a mention or a result writes its path. */

/**
 * The path with forward slashes and without `.`, `..` and doubled slashes. A relative path is put under `cwd` where
 * that is given; without it, an absolute and a relative path are two files. '' for a blank path; the case is kept, but
 * for a drive's.
 */
export const normalFilePath = (path: string, cwd?: string): string => {
  const slashes = path.trim().replaceAll('\\', '/')
  if (slashes === '') return ''
  const isAbsolute = /^(?:\/|[A-Za-z]:\/)/.test(slashes)
  const whole = isAbsolute || cwd === undefined ? slashes : `${cwd.replaceAll('\\', '/')}/${slashes}`
  const root = /^(?:\/|[A-Za-z]:\/)/.exec(whole)?.[0] ?? ''
  const parts: string[] = []
  for (const part of whole.slice(root.length).split('/')) {
    if (part === '' || part === '.') continue
    if (part === '..' && parts.length > 0 && parts.at(-1) !== '..') parts.pop()
    else if (part !== '..' || root === '') parts.push(part)
  }
  // Drives are the one part of a path whose case never matters.
  return root.toLowerCase() + parts.join('/')
}
