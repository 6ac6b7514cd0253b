import { type Step, steps } from './step-names.ts'
import { type RecordType, recordTypes } from './types.ts'

export const parseImportsSearch = ({ kind }: Record<string, unknown>): { kind?: RecordType } => ({
  kind: recordTypes.find((one) => one === kind),
})

export type ImportSearch = { step?: Step; after?: string }

const uuid = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i

/** `after` is the import whose columns and options a new file takes over. */
export const parseImportSearch = ({ step, after }: Record<string, unknown>): ImportSearch => ({
  step: steps.find((one) => one === step),
  ...(typeof after === 'string' && uuid.test(after) && { after }),
})
