// The names of a zip's files, from its central directory.
const END = 0x06054b50
const ENTRY = 0x02014b50

/**
 * The names of a zip's entries, in its order. Throws for what is no zip, or damaged.
 * @param {Buffer} zip not one of the 64-bit form
 */
export function zipEntries(zip) {
  let end = zip.length - 22
  while (end >= 0 && zip.readUInt32LE(end) !== END) end -= 1
  if (end < 0) throw new Error('This is no zip.')
  const names = []
  let at = zip.readUInt32LE(end + 16)
  for (let left = zip.readUInt16LE(end + 10); left > 0; left -= 1) {
    if (zip.readUInt32LE(at) !== ENTRY) throw new Error(`The zip's directory is damaged at byte ${at}.`)
    const [name, extra, comment] = [28, 30, 32].map((offset) => zip.readUInt16LE(at + offset))
    names.push(zip.toString('utf8', at + 46, at + 46 + name))
    at += 46 + name + extra + comment
  }
  return names
}
