export { withoutBrokenSignatures } from './broken-signatures.ts'
/** Secrets out of texts. */
export { redact, type Redact, type Redaction } from './redact.ts'
