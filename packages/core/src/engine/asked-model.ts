/** Whom a request of the engine is for. */
import type { LanguageModel } from '../ports/language-model.ts'

/** A model to ask, and its name for its provider. */
export interface AskedLanguageModel {
  readonly languageModel: LanguageModel
  readonly model: string
}
