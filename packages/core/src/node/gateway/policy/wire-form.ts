/** How an API's list of messages is changed. */
import type { JsonObject } from '../../../json.ts'
import type { Fate, PutIn } from './view-changes.ts'

/** An item of the body's list on its way to the new body. */
export interface Item {
  /** Its position in the list that came; undefined for what is put in. */
  readonly index: number | undefined
  readonly value: JsonObject
}

/** How an API writes what policies do. */
export interface WireForm {
  /** An item with changes of its blocks; undefined when nothing of it is left. */
  changed(item: JsonObject, fates: readonly Fate[]): JsonObject | undefined
  /** The list with texts put in before an item, or at the end. */
  withTexts(items: readonly Item[], putIn: PutIn): readonly Item[]
  /** Mends what no single item shows, such as reasoning that nothing follows. */
  finished(items: readonly Item[], came: readonly JsonObject[]): readonly Item[]
}
