import { type Static, Type } from 'typebox'
import {
  anyOf,
  clearable,
  Id,
  Instant,
  listQuery,
  named,
  nullable,
  Reference,
  strict,
  Timestamp,
} from '#platform/schema'
import { activityTypes, signals, touches } from './activity.rules.ts'

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
  outcome: clearable(Type.String({ maxLength: 100, description: 'Calls and meetings end in one of a few ways.' })),
  duration_seconds: clearable(Type.Integer({ minimum: 0, maximum: 86_400 })),
  due_at: clearable(Instant),
  assignee_id: clearable(Id),
}

export const NewActivity = strict({
  type: Type.Enum([...touches, ...signals]),
  direction: Type.Optional(
    Type.Enum(['in', 'out', 'none'], { description: 'Unless given, it follows from the type: we call, they click.' }),
  ),
  ...content,
  occurred_at: Type.Optional({ ...Instant, description: 'Unless given, now.' }),
  automated: Type.Optional(
    Type.Boolean({ default: false, description: 'A machine did it; it is no first response to a lead.' }),
  ),
  external_id: Type.Optional(
    Type.String({ minLength: 1, maxLength: 200, description: 'Your own id; the same one is logged once.' }),
  ),
  meta: Type.Optional(
    Type.Record(Type.String({ maxLength: 100 }), Type.Unknown(), { maxProperties: 100, description: 'At most 8 kB.' }),
  ),
})
export type NewActivity = Static<typeof NewActivity>

export const ActivityChanges = strict({ ...content, completed_at: clearable(Instant) })
export type ActivityChanges = Static<typeof ActivityChanges>

export const ActivityQuery = listQuery({
  type: Type.Optional(anyOf([...activityTypes])),
  from: Type.Optional({ ...Instant, description: 'What happened at this instant or later.' }),
  to: Type.Optional({ ...Instant, description: 'What happened before this instant.' }),
  open_tasks: Type.Optional(Type.Boolean({ description: 'Only tasks that are still to be done.' })),
})
export type ActivityQuery = Static<typeof ActivityQuery>
