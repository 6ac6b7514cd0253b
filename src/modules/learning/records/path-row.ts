import type { Selectable } from 'kysely'
import type { Database } from '#platform/db'
import type { CertificateSettings, PathStatus, PathType } from './learning.schemas.ts'

export const pathColumns = [
  'id',
  'title',
  'description',
  'type',
  'status',
  'ordering',
  'prerequisite_path_ids',
  'due_in_days',
  'self_enroll',
  'auto_enroll_team_ids',
  'audience_team_ids',
  'revision',
  'certificate',
  'owner_id',
  'created_by',
  'created_at',
  'updated_at',
  'version',
] as const

type Columns = Selectable<Database['enablement.learning_paths']>
type TypedColumns = {
  type: PathType
  status: PathStatus
  ordering: 'sequential' | 'free'
  certificate: CertificateSettings
}
export type PathRow = Omit<Pick<Columns, (typeof pathColumns)[number]>, keyof TypedColumns> & TypedColumns
