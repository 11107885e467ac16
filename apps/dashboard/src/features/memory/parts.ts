/** What each part of the page of memory is given. */
export interface PartProps {
  /** Undefined: all. */
  readonly project: string | undefined
  readonly isWritable: boolean
  readonly timeZone: string | undefined
}
