import { type Static, Type } from 'typebox'
import {
  clearable,
  enumList,
  Id,
  Line,
  listQuery,
  named,
  nullable,
  Reference,
  sortOrder,
  strict,
  Timestamp,
} from '#platform/schema'

const Status = Type.Enum(['active', 'disabled'])
const Description = Type.String({ maxLength: 500 })
const VendorUrl = Type.String({ format: 'uri', pattern: '^https?://', maxLength: 2_000 })
const Allowlist = Type.Array(Type.String({ minLength: 2, maxLength: 50 }), {
  maxItems: 50,
  description:
    'Networks in CIDR notation and IP addresses that the API keys can be used from. An empty list allows any.',
  examples: [['203.0.113.0/24', '2001:db8::/32']],
})

export const ConnectedApp = named(
  'ConnectedApp',
  strict({
    id: Id,
    name: Type.String(),
    description: nullable(Type.String()),
    vendor_url: nullable(Type.String()),
    ip_allowlist: Type.Array(Type.String()),
    status: Status,
    live_key_count: Type.Integer({ description: 'Number of active API keys of the app.' }),
    created_by: nullable(Reference),
    created_at: Timestamp,
    updated_at: Timestamp,
    version: Type.Integer(),
  }),
)
export type ConnectedApp = Static<typeof ConnectedApp>

export const NewConnectedApp = strict({
  name: Line(80),
  description: clearable(Description),
  vendor_url: clearable(VendorUrl),
  ip_allowlist: Type.Optional(Allowlist),
})
export type NewConnectedApp = Static<typeof NewConnectedApp>

export const ConnectedAppChanges = strict({
  name: Type.Optional(Line(80)),
  description: clearable(Description),
  vendor_url: clearable(VendorUrl),
  ip_allowlist: Type.Optional(Allowlist),
  status: Type.Optional(Type.Enum(['active', 'disabled'], { description: 'API keys of a disabled app are rejected.' })),
})
export type ConnectedAppChanges = Static<typeof ConnectedAppChanges>

export const ConnectedAppFilter = listQuery({
  status: Type.Optional(enumList(['active', 'disabled'])),
  sort: sortOrder(['name', '-name']),
})
export type ConnectedAppFilter = Static<typeof ConnectedAppFilter>

export const ConnectedAppParams = strict({ app_id: Id })
