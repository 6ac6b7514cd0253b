import { type Static, Type } from 'typebox'
import { Id, nullable, strict, Timestamp } from '#platform/schema'
import { ContentFile, ContentItem } from '../content/content.schemas.ts'

const versionFields = {
  id: Id,
  version_no: Type.Integer(),
  note: nullable(Type.String()),
  is_current: Type.Boolean(),
  removed_at: nullable(Timestamp),
  uploaded_by: nullable(Id),
  created_at: Timestamp,
  file: nullable({ ...ContentFile, description: '`null` after the file was purged.' }),
}
export const ContentVersion = strict(versionFields)
export type ContentVersion = Static<typeof ContentVersion>

export const UploadedVersion = strict({
  ...versionFields,
  item: ContentItem,
  unchanged: Type.Boolean({ description: 'The current version already has this content, so no version was added.' }),
})
export type UploadedVersion = Static<typeof UploadedVersion>

const Filename = Type.String({ minLength: 1, maxLength: 255 })
export const FileParams = strict({ item_id: Id, filename: Filename })
export const VersionParams = strict({ item_id: Id, version_no: Type.Integer({ minimum: 1, maximum: 1_000_000 }) })

const Download = Type.Optional(Type.Boolean({ description: '`true` downloads the file instead of showing it.' }))
const Ticket = Type.Optional(Type.String({ maxLength: 1_000, description: 'Replaces the `Authorization` header.' }))
export const FileQuery = strict({
  version: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000_000 })),
  download: Download,
  ticket: Ticket,
})
export const PublicFileQuery = Type.Object({
  download: Download,
  ticket: Ticket,
  track: Type.Optional(Type.Boolean({ default: true, description: '`false` does not count the request as a view.' })),
})
