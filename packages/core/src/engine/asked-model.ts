/** The model to which an engine request is addressed. */
import type { LanguageModel } from '../ports/language-model.ts'

/** A model to call, and its name at its provider. */
export interface AskedLanguageModel {
  readonly languageModel: LanguageModel
  readonly model: string
}
