export interface SecretPattern {
  /** Names the placeholder: `[redacted:<name>]`; by what stands before the secret, where that says what it is. */
  readonly name: string | ((keep: string) => string)
  /** Global. Group `keep`, where there is one, is text before the secret that stays. */
  readonly expression: RegExp
  /** Of what was found, behind `keep`: whether it is a secret. Absent: it always is. */
  readonly isSecret?: (found: string, keep: string) => boolean
}
