import { type Static, Type } from 'typebox'
import {
  clearable,
  Id,
  Line,
  listQuery,
  named,
  nullable,
  Reference,
  Search,
  sortOrder,
  strict,
  Timestamp,
  withExample,
} from '#platform/schema'
import { Module } from '../modules/modules.schemas.ts'
import {
  CertificateSettings,
  enrollmentStatuses,
  pathOrderings,
  pathStatuses,
  pathTypes,
} from '../records/learning.schemas.ts'

const OwnEnrollment = strict({
  id: Id,
  status: Type.Enum([...enrollmentStatuses]),
  progress_rate: Type.Number(),
  due_on: nullable(Type.String({ format: 'date' })),
})

const path = {
  id: Id,
  title: Type.String(),
  description: nullable(Type.String()),
  type: Type.Enum([...pathTypes]),
  status: Type.Enum([...pathStatuses]),
  ordering: Type.Enum([...pathOrderings]),
  prerequisite_path_ids: Type.Array(Id),
  due_in_days: nullable(Type.Integer()),
  self_enroll: Type.Boolean(),
  auto_enroll_team_ids: Type.Array(Id),
  audience_team_ids: nullable(Type.Array(Id)),
  certificate: CertificateSettings,
  revision: Type.Integer({ description: 'Counts modules that were added or removed after publishing.' }),
  module_count: Type.Integer(),
  estimated_minutes: Type.Integer({ description: 'Sum of its modules.' }),
  owner_id: nullable(Id),
  owner: nullable(Reference),
  enrollment: nullable({ ...OwnEnrollment, description: 'The latest enrollment of the caller.' }),
  created_by: nullable(Id),
  created_at: Timestamp,
  updated_at: Timestamp,
  version: Type.Integer(),
}

export const Path = named('LearningPath', strict(path))
export type Path = Static<typeof Path>

export const PathDetails = named('LearningPathDetails', strict({ ...path, modules: Type.Array(Module) }))
export type PathDetails = Static<typeof PathDetails>

const Certificate = strict({
  enabled: Type.Optional(Type.Boolean({ description: 'Default: false.' })),
  title: clearable({ ...Line(150), description: 'Default: the title of the path.' }),
  valid_days: clearable(Type.Integer({ minimum: 1, maximum: 3_650, description: 'Default: without end.' })),
  recertify: Type.Optional(
    Type.Boolean({ description: 'Enroll the holder again before the certificate expires. Default: false.' }),
  ),
  recertify_lead_days: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 1_825, description: 'At most half of `valid_days`. Default: 30.' }),
  ),
})
export type CertificateInput = Static<typeof Certificate>

const Ids = (maxItems: number, description: string) => Type.Array(Id, { maxItems, uniqueItems: true, description })

const optionalFields = {
  description: clearable(Type.String({ maxLength: 5_000 })),
  ordering: Type.Optional(
    Type.Enum([...pathOrderings], {
      description: 'Default: `sequential`, each module opens after the required ones before it.',
    }),
  ),
  prerequisite_path_ids: Type.Optional(
    Ids(10, 'Paths that must be completed first. Archived and deleted ones no longer count.'),
  ),
  due_in_days: clearable(Type.Integer({ minimum: 1, maximum: 365 })),
  self_enroll: Type.Optional(Type.Boolean({ description: 'Default: true.' })),
  auto_enroll_team_ids: Type.Optional(Ids(50, 'Their current and future members are enrolled.')),
  audience_team_ids: clearable(
    Type.Array(Id, { minItems: 1, maxItems: 50, uniqueItems: true, description: 'Null: all users.' }),
  ),
  certificate: Type.Optional(Certificate),
}

export const NewPath = withExample(strict({ title: Line(150), type: Type.Enum([...pathTypes]), ...optionalFields }), {
  title: 'Product basics',
  type: 'product',
  due_in_days: 30,
})
export type NewPath = Static<typeof NewPath>

export const PathChanges = withExample(
  strict({
    title: Type.Optional(Line(150)),
    type: Type.Optional(Type.Enum([...pathTypes])),
    ...optionalFields,
    status: Type.Optional(
      Type.Enum([...pathStatuses], { description: 'From `draft` to `published`, `archived` and `draft` again.' }),
    ),
    module_order: Type.Optional(
      Type.Array(Id, { maxItems: 200, uniqueItems: true, description: 'Ids of all modules in their new order.' }),
    ),
    owner_id: Type.Optional(Id),
  }),
  { title: 'Product basics for partners' },
)
export type PathChanges = Static<typeof PathChanges>

export const PathQuery = listQuery({
  search: Type.Optional(Search),
  type: Type.Optional(Type.Enum([...pathTypes])),
  status: Type.Optional(
    Type.Enum([...pathStatuses], {
      description: 'Default: `published`. Others are listed for the owner, managers and admins.',
    }),
  ),
  sort: sortOrder(['-created_at', 'created_at']),
})
export type PathQuery = Static<typeof PathQuery>

export const PathParams = strict({ path_id: Id })
