import type { Draft } from '../model/draft.ts'
import type { ImportField } from '../model/fields.ts'
import type { Problem } from '../model/problems.ts'
import type { Step } from '../model/step-names.ts'
import type { RecordImport, RecordType } from '../model/types.ts'

export type Wizard = {
  type: RecordType
  file: RecordImport
  fields: readonly ImportField[]
  draft: Draft
  change: (change: (before: Draft) => Draft) => void
  problems: readonly Problem[]
  /** Messages of the server about the columns and options, by their path in the request. */
  messages: Readonly<Record<string, string>>
  step: Step
  go: (step: Step) => void
}
