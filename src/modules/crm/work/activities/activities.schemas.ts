import { type Static, Type } from 'typebox'
import { OwnerFilter } from '#modules/identity'
import {
  clearable,
  enumList,
  Id,
  Instant,
  listQuery,
  named,
  nullable,
  Reference,
  sortOrder,
  strict,
  Timestamp,
} from '#platform/schema'
import { activityTypes, signalTypes, touchTypes } from './activity.rules.ts'

const Text = Type.String()
const text = nullable(Text)
const at = nullable(Timestamp)
const id = nullable(Id)

export const Activity = named(
  'Activity',
  strict({
    id: Id,
    lead_id: id,
    contact_id: id,
    account_id: id,
    opportunity_id: id,
    type: Type.Enum([...activityTypes]),
    direction: Type.Enum(['in', 'out', 'none']),
    subject: text,
    body: text,
    outcome: text,
    duration_seconds: nullable(Type.Integer()),
    occurred_at: Timestamp,
    due_at: at,
    completed_at: at,
    assignee_id: id,
    assignee: nullable(Reference),
    actor_type: Type.Enum(['user', 'automation', 'person', 'system']),
    actor_user_id: id,
    actor: nullable(Reference),
    source: Type.Enum(['manual', 'api', 'cadence', 'campaign', 'import', 'system']),
    external_id: text,
    campaign_id: id,
    meta: Type.Record(Text, Type.Unknown()),
    created_at: Timestamp,
    updated_at: Timestamp,
    version: Type.Integer(),
  }),
)
export type Activity = Static<typeof Activity>

const content = {
  subject: clearable(Type.String({ maxLength: 200 })),
  body: clearable(Type.String({ maxLength: 20_000 })),
  outcome: clearable(
    Type.String({ maxLength: 100, description: 'Outcome of a call or meeting; free text for other types.' }),
  ),
  duration_seconds: clearable(Type.Integer({ minimum: 0, maximum: 86_400 })),
  due_at: clearable(Instant),
  assignee_id: clearable(Id),
}

export const NewActivity = strict({
  type: Type.Enum([...touchTypes, ...signalTypes]),
  direction: Type.Optional(Type.Enum(['in', 'out', 'none'], { description: 'Default: derived from the type.' })),
  ...content,
  occurred_at: Type.Optional({ ...Instant, description: 'Default: now.' }),
  automated: Type.Optional(
    Type.Boolean({ default: false, description: 'Automated activity; does not count as a first response.' }),
  ),
  external_id: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 200,
      description: 'Client-supplied id; an activity with the same id is logged only once.',
    }),
  ),
  meta: Type.Optional(
    Type.Record(Type.String({ maxLength: 100 }), Type.Unknown(), { maxProperties: 100, description: 'At most 8 kB.' }),
  ),
})
export type NewActivity = Static<typeof NewActivity>

export const ActivityChanges = strict({ ...content, completed_at: clearable(Instant) })
export type ActivityChanges = Static<typeof ActivityChanges>

export const ActivityQuery = listQuery({
  sort: sortOrder(['-occurred_at', 'occurred_at']),
  type: Type.Optional(enumList([...activityTypes])),
  from: Type.Optional({ ...Instant, description: 'Only activities at or after this time.' }),
  to: Type.Optional({ ...Instant, description: 'Only activities before this time.' }),
  open_tasks: Type.Optional(Type.Boolean({ description: 'Only tasks that are not completed.' })),
})
export type ActivityQuery = Static<typeof ActivityQuery>

export const OpenTask = named(
  'OpenTask',
  strict({
    ...Activity.properties,
    record: strict({ type: Type.Enum(['lead', 'contact', 'account', 'opportunity']), id: Id, name: Type.String() }),
  }),
)
export type OpenTask = Static<typeof OpenTask>

export const OpenTaskQuery = listQuery({
  sort: sortOrder(['due_at', '-due_at']),
  assignee_id: { ...OwnerFilter, default: 'me', description: 'Id of the user, or `me` for the caller.' },
  open_tasks: Type.Literal(true, { default: true, description: 'Only open tasks are listed here.' }),
  due_before: Type.Optional({ ...Instant, description: 'Only tasks that are due before this time.' }),
})
export type OpenTaskQuery = Static<typeof OpenTaskQuery>
