import { type Static, Type } from 'typebox'
import { Id, listQuery, named, nullable, Reference, strict, Timestamp } from '#platform/schema'

export const deletedTypes = ['lead', 'contact', 'account', 'opportunity'] as const
export type DeletedType = (typeof deletedTypes)[number]

export const DeletedRecordParams = strict({
  record_type: Type.Enum(deletedTypes, { description: 'Type of the records.' }),
})

export const DeletedRecordQuery = listQuery({})
export type DeletedRecordQuery = Static<typeof DeletedRecordQuery>

export const DeletedRecord = named(
  'DeletedRecord',
  strict({
    id: Id,
    name: Type.String({ description: 'Name; for persons without a name, their email address or phone number.' }),
    email: nullable(Type.String({ description: 'Email address of a lead or contact.' })),
    company: nullable(Type.String({ description: 'Company of a lead, or name of the account of a contact or deal.' })),
    deleted_at: { ...Timestamp, description: 'Time of deletion.' },
    deleted_by: {
      ...nullable(Reference),
      description: 'User who deleted the record; null if the user no longer exists.',
    },
    restorable_until: { ...Timestamp, description: 'Time from which the record can no longer be restored.' },
  }),
)
export type DeletedRecord = Static<typeof DeletedRecord>
