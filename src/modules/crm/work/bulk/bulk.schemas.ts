import { Type } from 'typebox'
import { AcceptedTask, Id, Line, nullable, strict } from '#platform/schema'
import type { RecordOutcome } from './bulk.rules.ts'

const exampleUserIds = ['019570a8-7c1e-7d3a-9f10-2b4c6d8e0f12', '019570a8-7c1e-7d3a-9f10-2b4c6d8e0f13']

type Noun = 'lead' | 'contact'

/** Parameters of the actions that leads and contacts have. */
export const sharedParams = (noun: Noun) => ({
  owner_id: Type.Optional(
    Type.Union([Id, Type.Null()], { description: 'For `assign`: the new owner, or null to unassign.' }),
  ),
  distribute_to: Type.Optional(
    Type.Array(Id, {
      minItems: 2,
      maxItems: 100,
      uniqueItems: true,
      description: `For \`assign\`: users who get the ${noun}s in round-robin order.`,
      examples: [exampleUserIds],
    }),
  ),
  tags: Type.Optional(
    Type.Array(Line(50), {
      minItems: 1,
      maxItems: 50,
      uniqueItems: true,
      description: `For \`add_tags\` and \`remove_tags\`. A ${noun} has at most 50 tags.`,
      examples: [['trade fair']],
    }),
  ),
  source: Type.Optional(
    Type.String({
      ...Line(200),
      description: 'For `opt_out`: where the opt-outs come from, `bulk opt-out` by default.',
      examples: ['letter of 3 May'],
    }),
  ),
  campaign_id: Type.Optional({ ...Id, description: 'For `add_to_campaign`.' }),
  member_status: Type.Optional(
    Type.String({
      ...Line(50),
      description: 'For `add_to_campaign`: a status of the campaign, its first one by default.',
      examples: ['sent'],
    }),
  ),
  cadence_id: Type.Optional({ ...Id, description: 'For `enroll_cadence`.' }),
  sender_id: Type.Optional({
    ...Id,
    description:
      `For \`enroll_cadence\`: the sender, by default the owner of the ${noun} or of the cadence. Another user must allow it in the sender ` +
      'settings, unless the caller is a manager, an admin or lead of a team of the user.',
  }),
})

export const RecordIds = Type.Array(Id, { minItems: 1, maxItems: 10_000 })

export const expectedCount = (description: string) =>
  Type.Optional(Type.Integer({ minimum: 0, maximum: 1_000_000_000, description }))

const count = Type.Integer({ minimum: 0 })

export const outcomeCounts = { total: count, succeeded: count, unchanged: count, failed: count }

const outcomes: RecordOutcome['outcome'][] = ['ok', 'unchanged', 'failed']
export const outcomeFields = {
  outcome: Type.Enum(outcomes),
  code: nullable(Type.String()),
  message: nullable(Type.String()),
}

export const StartedBulkTask = strict({ ...AcceptedTask.properties, total: count })

export const BulkTaskParams = strict({ task_id: { ...Id, description: 'Task of the bulk update.' } })

export const StartedBulkUndo = strict({
  ...AcceptedTask.properties,
  total: { ...count, description: 'Number of records that the bulk update changed.' },
})
