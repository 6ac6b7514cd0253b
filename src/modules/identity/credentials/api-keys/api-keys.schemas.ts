import { type Static, Type } from 'typebox'
import { scopes } from '#platform/access'
import {
  CalendarDay,
  clearable,
  enumList,
  Id,
  Instant,
  Line,
  listQuery,
  named,
  nullable,
  Reference,
  sortOrder,
  strict,
  Timestamp,
  withExample,
} from '#platform/schema'
import { wildcards } from './effective-scopes.rules.ts'

const grantable = [...scopes, ...wildcards]
const GrantedScope = Type.Enum(grantable, { type: 'string' })

const grantedScopes = (description: string) =>
  Type.Array(GrantedScope, { minItems: 1, maxItems: grantable.length, uniqueItems: true, description })

export const NewApiKey = withExample(
  strict({
    name: Line(80),
    scopes: Type.Optional(
      grantedScopes('Scopes of the key, limited by the permissions of its creator. Optional with a preset.'),
    ),
    expires_at: clearable(
      Type.Union([Instant, CalendarDay], {
        description: 'Timestamp or date. A date means the end of that day in UTC.',
      }),
    ),
    preset: clearable(
      Type.Enum(['read_only', 'full'], {
        description:
          '`read_only` keys cannot write, regardless of their scopes. `full` stands for the scopes `crm.read`, `crm.write` and `crm.delete` ' +
          'and must not be combined with `scopes`.',
      }),
    ),
    connected_app_id: clearable(Id),
  }),
  { name: 'Website form', scopes: ['leads.read', 'leads.write'] },
)
export type NewApiKey = Static<typeof NewApiKey>

export const ApiKeyChanges = strict({
  name: Type.Optional(Line(80)),
  scopes: Type.Optional(grantedScopes('Scopes of the key, limited by the permissions of its creator.')),
  connected_app_id: clearable(Id),
})
export type ApiKeyChanges = Static<typeof ApiKeyChanges>

export const ApiKeyRotation = Type.Object(
  {
    overlap_seconds: Type.Integer({
      minimum: 0,
      maximum: 604_800,
      default: 0,
      description: 'Seconds that the old key keeps working.',
    }),
  },
  { additionalProperties: false, default: {} },
)
export type ApiKeyRotation = Static<typeof ApiKeyRotation>

export const ApiKeyFilter = listQuery({
  sort: sortOrder(['-created_at', 'created_at']),
  user_id: Type.Optional(Id),
  status: Type.Optional(enumList(['active', 'expired', 'revoked'])),
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
  strict({ ...keyFields, key: nullable(Type.String({ description: 'The key. Only returned once.' })) }),
)
export type CreatedApiKey = Static<typeof CreatedApiKey>
