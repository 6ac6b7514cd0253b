import { type Static, Type } from 'typebox'
import { scopes } from '#platform/access'
import {
  anyOf,
  CalendarDay,
  clearable,
  Id,
  Instant,
  Line,
  listQuery,
  named,
  nullable,
  Reference,
  strict,
  Timestamp,
} from '#platform/schema'
import type { KeyScope } from './effective-scopes.rules.ts'

const wildcards: KeyScope[] = ['crm.read', 'crm.write', 'crm.delete']
const GrantedScope = Type.Enum([...scopes, ...wildcards])

const grantedScopes = (description: string) =>
  Type.Array(GrantedScope, { minItems: 1, maxItems: 117, uniqueItems: true, description })

export const NewApiKey = strict({
  name: Line(80),
  scopes: Type.Optional(grantedScopes('What the key may do, as far as you may do it. May be left out with a preset.')),
  expires_at: clearable(
    Type.Union([Instant, CalendarDay], {
      description: 'An instant, or a day: then the key works until its end (UTC).',
    }),
  ),
  preset: clearable(Type.Enum(['read_only'], { description: 'A read-only key never writes, whatever its scopes.' })),
  connected_app_id: clearable(Id),
})
export type NewApiKey = Static<typeof NewApiKey>

export const ApiKeyChanges = strict({
  name: Type.Optional(Line(80)),
  scopes: Type.Optional(
    grantedScopes('What the key may do, as far as its creator may do it. A read-only key still never writes.'),
  ),
  connected_app_id: clearable(Id),
})
export type ApiKeyChanges = Static<typeof ApiKeyChanges>

export const Rotation = Type.Object(
  {
    overlap_seconds: Type.Integer({
      minimum: 0,
      maximum: 604_800,
      default: 0,
      description: 'How long the old key goes on working beside the new one.',
    }),
  },
  { additionalProperties: false, default: {} },
)
export type Rotation = Static<typeof Rotation>

export const ApiKeyFilter = listQuery({
  user_id: Type.Optional(Id),
  status: Type.Optional(anyOf(['active', 'expired', 'revoked'])),
  connected_app_id: Type.Optional(Id),
})
export type ApiKeyFilter = Static<typeof ApiKeyFilter>

export const ApiKeyParams = strict({ key_id: Id })

const keyFields = {
  id: Id,
  name: Type.String(),
  key_prefix: Type.String(),
  last_four: Type.String(),
  scopes: Type.Array(Type.String()),
  effective_scopes: Type.Array(Type.String()),
  preset: nullable(Type.Enum(['read_only'])),
  connected_app: nullable(Reference),
  expires_at: nullable(Timestamp),
  last_used_at: nullable(Timestamp),
  last_used_ip: nullable(Type.String()),
  status: Type.Enum(['active', 'expired', 'revoked']),
  created_by: Reference,
  created_at: Timestamp,
  revoked_at: nullable(Timestamp),
  revoke_reason: nullable(Type.String()),
}

export const ApiKey = named('ApiKey', strict(keyFields))
export type ApiKey = Static<typeof ApiKey>

export const CreatedApiKey = named(
  'CreatedApiKey',
  strict({ ...keyFields, key: nullable(Type.String({ description: 'The key itself. It is shown this once.' })) }),
)
export type CreatedApiKey = Static<typeof CreatedApiKey>
