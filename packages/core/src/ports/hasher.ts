/** Hashes that serve as content addresses. */
export interface Hasher {
  /** SHA-256 of the text's UTF-8 bytes (or of the bytes), as 64 lower-case hex digits. */
  sha256(content: string | Uint8Array): string
}
