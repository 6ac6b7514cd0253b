import { labelOfKey } from '../../patterns/label-of-key.ts'
import type { LeadSource } from './lead-queries.ts'

/** The label of a source in the workspace; its key in words until the labels are loaded. */
export const labelOfSource = (sources: readonly LeadSource[] | undefined, key: string): string =>
  sources?.find((source) => source.key === key)?.label ?? labelOfKey(key)
