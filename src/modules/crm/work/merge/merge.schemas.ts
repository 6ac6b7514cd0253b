import { type Static, Type } from 'typebox'
import { Id, named, strict } from '#platform/schema'
import { Lead } from '../../people/lead-records/leads.schemas.ts'

export const MergeLeadsRequest = strict({
  duplicate_ids: Type.Array(Id, { minItems: 1, maxItems: 10, uniqueItems: true }),
  prefer: Type.Optional(
    Type.Record(Type.String({ maxLength: 50 }), Id, {
      maxProperties: 50,
      description:
        'Id of the lead whose value is kept, by field. Default: the value of the surviving lead, else the newest value.',
    }),
  ),
})
export type MergeLeadsRequest = Static<typeof MergeLeadsRequest>

export const MergedLead = named('MergedLead', strict({ lead: Lead, merge_id: Id, merged_ids: Type.Array(Id) }))
export type MergedLead = Static<typeof MergedLead>

export const MergeParams = strict({ merge_id: Id })
export const UndoneLeadMerge = named(
  'UndoneMerge',
  strict({
    lead: Lead,
    restored_ids: Type.Array(Id),
    ended_enrollments: Type.Integer({
      minimum: 0,
      description: 'Number of enrollments in cadences that the merge had ended. They stay ended.',
    }),
  }),
)
export type UndoneLeadMerge = Static<typeof UndoneLeadMerge>
