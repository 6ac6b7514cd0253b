import type { Schemas } from '../../../api/client.ts'

export type RecordType = 'leads' | 'contacts'
export type ListedImport = Schemas['ListedImport']
export type RecordImport = Schemas['RecordImport']
export type ImportRow = Schemas['ImportRow']
export type ColumnMapping = RecordImport['suggested_mapping'][number]
export type Transform = NonNullable<ColumnMapping['transform']>
export type ImportOptions = NonNullable<RecordImport['options']>

/** The outcomes of rows. A row with a warning has another outcome, too. */
export type Outcome = 'created' | 'updated' | 'skipped' | 'failed' | 'warnings'

export const recordTypes: readonly RecordType[] = ['leads', 'contacts']
export const typeOf = ({ object_type }: Pick<ListedImport, 'object_type'>): RecordType => `${object_type}s`
