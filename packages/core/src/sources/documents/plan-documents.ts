/** What is to be written to each context document: new files, new sections, sections with what is known by now. */
import type { DocumentFacts } from './document-facts.ts'
import { DOCUMENTS } from './document-layout.ts'
import type { DocumentId, DocumentLayout } from './document-layout.ts'
import { DOCUMENT_TITLES, documentSections } from './document-sections.ts'
import { mergeSections } from './marked-sections.ts'
import type { SectionState } from './marked-sections.ts'

/**
 * A file as it is now: its text (undefined if it does not exist), or why it can't be read, worded as the end of a
 * sentence about it.
 */
export type ExistingDocument = { readonly text: string | undefined } | { readonly refused: string }

/** `init` creates missing files and sections; `update` only changes sections that exist. */
export type DocumentMode = 'init' | 'update'

/** What is to be done with one document; nothing is written yet. */
export interface DocumentPlan {
  readonly document: DocumentId
  /** Relative to the project. */
  readonly path: string
  /** `missing`: there is no such file, and it is not to be made. */
  readonly status: 'new' | 'changed' | 'current' | 'missing' | 'refused'
  /** The file's text; undefined where there is no file. */
  readonly before?: string
  /** What it is to be; as `before` where nothing changes. */
  readonly after?: string
  readonly sections: readonly { readonly id: string; readonly state: SectionState }[]
  /** Why it is refused, as the end of a sentence about it. */
  readonly reason?: string
}

/** What a plan is made from; `hash` returns a few hex digits that differ between texts. */
export interface PlanInput {
  readonly layout: DocumentLayout
  readonly facts: DocumentFacts
  readonly mode: DocumentMode
  readonly existing: Readonly<Record<DocumentId, ExistingDocument>>
  readonly hash: (text: string) => string
}

/**
 * Returns one plan per document, in the order of `DOCUMENTS`. Writes nothing. A file that can't be read or has damaged
 * marks is `refused` with the reason; in mode `update` a file that does not exist is `missing`.
 */
export const planDocuments = ({ layout, facts, mode, existing, hash }: PlanInput): readonly DocumentPlan[] => {
  const sections = documentSections(facts)
  return DOCUMENTS.map((document): DocumentPlan => {
    const path = `${layout.folder}/${layout.names[document]}`
    const found = existing[document]
    if ('refused' in found) return { document, path, status: 'refused', sections: [], reason: found.refused }
    const { text: before } = found
    if (before === undefined && mode === 'update') return { document, path, status: 'missing', sections: [] }
    const merged = mergeSections(before ?? `# ${DOCUMENT_TITLES[document]}\n`, sections[document], {
      addMissing: mode === 'init',
      hash,
    })
    if ('damage' in merged)
      return { document, path, status: 'refused', sections: [], reason: `its marks are damaged: ${merged.damage}` }
    const status = before === undefined ? 'new' : before === merged.text ? 'current' : 'changed'
    return {
      document,
      path,
      status,
      ...(before === undefined ? {} : { before }),
      after: merged.text,
      sections: merged.sections,
    }
  })
}
