import { Type } from 'typebox'
import { Id, nullable, strict, Timestamp } from '#platform/schema'
import type { FileRow } from './files.queries.ts'

export const FileSummary = strict({
  id: Id,
  filename: Type.String(),
  media_type: Type.String(),
  size_bytes: Type.Integer({ minimum: 1 }),
  sha256: Type.String({ description: 'SHA-256 of the content in hexadecimal.' }),
  scan: strict({
    status: Type.Enum(['pending', 'clean', 'infected', 'failed', 'skipped']),
    engine: Type.Enum(['clamd', 'none']),
  }),
  uploaded_by: nullable(Id),
  created_at: Timestamp,
})

export const toFileSummary = (file: FileRow) => ({
  id: file.id,
  filename: file.filename,
  media_type: file.media_type,
  size_bytes: file.size_bytes,
  sha256: file.sha256.toString('hex'),
  scan: { status: file.scan_status as 'pending', engine: file.scan_engine as 'none' },
  uploaded_by: file.uploaded_by,
  created_at: file.created_at,
})
