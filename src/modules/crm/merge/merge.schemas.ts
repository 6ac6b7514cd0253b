import { type Static, Type } from 'typebox'
import { Id, named, strict } from '#platform/schema'
import { Lead } from '../leads/leads.schemas.ts'

export const LeadMerge = strict({
  duplicate_ids: Type.Array(Id, { minItems: 1, maxItems: 10, uniqueItems: true }),
  prefer: Type.Optional(
    Type.Record(Type.String({ maxLength: 50 }), Id, {
      maxProperties: 50,
      description: 'Whose value is taken, by field. Else the value of the lead that stays, else the newest there is.',
    }),
  ),
})
export type LeadMerge = Static<typeof LeadMerge>

export const MergedLead = named('MergedLead', strict({ lead: Lead, merge_id: Id, merged_ids: Type.Array(Id) }))
export type MergedLead = Static<typeof MergedLead>

export const MergeParams = strict({ merge_id: Id })
export const UndoneMerge = named('UndoneMerge', strict({ lead: Lead, restored_ids: Type.Array(Id) }))
export type UndoneMerge = Static<typeof UndoneMerge>
