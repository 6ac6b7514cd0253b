import { type Static, Type } from 'typebox'
import { Contact, ListedAccount, ListedLead } from '#modules/crm'
import { Id, listQuery, named, nullable, strict, Timestamp, withExample } from '#platform/schema'
import { RecordIds } from '../segments/segments.schemas.ts'

const labelFields = {
  id: Id,
  name: nullable(Type.String()),
  email: nullable(Type.String()),
  company: nullable(Type.String({ description: 'Company of a lead, name of the account of a contact or account.' })),
  owner_id: nullable(Id),
  created_at: Timestamp,
}

export const SegmentRecord = named('SegmentRecord', strict(labelFields))

export const SegmentMember = named(
  'SegmentMember',
  strict({
    ...labelFields,
    lead: Type.Optional(ListedLead),
    contact: Type.Optional(Contact),
    account: Type.Optional(ListedAccount),
  }),
)
export type SegmentMember = Static<typeof SegmentMember>

export const SegmentMemberQuery = listQuery({
  fields: Type.Enum(['summary', 'full'], {
    default: 'summary',
    description: '`full` adds the record under `lead`, `contact` or `account`.',
  }),
})
export type SegmentMemberQuery = Static<typeof SegmentMemberQuery>

export const MemberChanges = withExample(strict({ add: Type.Optional(RecordIds), remove: Type.Optional(RecordIds) }), {
  add: ['01890000-0000-7000-8000-000000000001'],
})
export type MemberChanges = Static<typeof MemberChanges>

export const ChangedMembers = strict({ added: Type.Integer(), removed: Type.Integer() })
export type ChangedMembers = Static<typeof ChangedMembers>
