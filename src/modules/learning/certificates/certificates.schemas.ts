import { type Static, Type } from 'typebox'
import { Line, named, nullable, strict, Timestamp } from '#platform/schema'
import { certificateStatuses } from './certificates.rules.ts'

const code = { code: Type.String({ examples: ['4X9K-2MPA-7C0T'] }), title: Type.String() }

/** A certificate as its holder and coaches see it with the enrollment. */
export const CertificateSummary = named(
  'CertificateSummary',
  strict({
    ...code,
    status: Type.Enum([...certificateStatuses]),
    issued_at: Timestamp,
    expires_at: nullable(Timestamp),
  }),
)
export type CertificateSummary = Static<typeof CertificateSummary>

export const Certificate = named(
  'Certificate',
  strict({
    ...code,
    valid: Type.Boolean(),
    status: Type.Enum([...certificateStatuses]),
    holder_name: nullable(Type.String({ description: 'Null after the erasure of the holder.' })),
    issued_on: Type.String({ format: 'date' }),
    expires_on: nullable(Type.String({ format: 'date' })),
    issuer: Type.String({ description: 'Name of the workspace.' }),
  }),
)
export type Certificate = Static<typeof Certificate>

export const CertificateParams = strict({
  code: Type.String({
    minLength: 1,
    maxLength: 40,
    description: 'With or without hyphens, in upper or lower case.',
    examples: ['4X9K-2MPA-7C0T'],
  }),
})

export const Revocation = strict({ reason: Line(500) })
export type Revocation = Static<typeof Revocation>
