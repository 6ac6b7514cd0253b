import { type TObject, type TProperties, type TSchema, Type } from 'typebox'
import type { SettingsSecret, SettingsSection } from '#platform/module'
import { named, nullable, strict } from '#platform/schema'

export type SettingsChanges = Record<string, Record<string, unknown>>

/** Response schema: a secret is replaced by a `has_…` flag. */
export function createSettingsSchema(sections: SettingsSection[]) {
  const parts = sections.map(({ name, schema, secrets = [] }) => [name, toReadSchema(schema, secrets)])
  return named('Settings', strict({ version: Type.Integer({ minimum: 1 }), ...Object.fromEntries(parts) }))
}

export function createSettingsChangesSchema(sections: SettingsSection[]) {
  const parts = sections.map(({ name, schema, secrets = [] }) => [
    name,
    Type.Optional(toChangesSchema(schema, secrets)),
  ])
  const schema = strict(Object.fromEntries(parts))
  return named('SettingsChanges', Type.Unsafe<SettingsChanges>(schema))
}

function toReadSchema(schema: TObject, secrets: readonly SettingsSecret[], prefix = ''): TObject {
  const properties: TProperties = {}
  for (const [name, field] of Object.entries(schema.properties)) {
    properties[name] = isGroup(field) ? toReadSchema(field, secrets, `${prefix}${name}.`) : withoutUrlPattern(field)
  }
  for (const { name } of secretsOfGroup(secrets, prefix)) properties[`has_${name}`] = Type.Boolean()
  return strict(properties)
}

/** An operator may have stored a URL that the API rejects, such as one without https; it must still be readable. */
function withoutUrlPattern(field: TSchema): TSchema {
  const { anyOf, pattern, ...rest } = field as TSchema & { anyOf?: TSchema[]; format?: string; pattern?: string }
  if (anyOf) return Type.Unsafe({ ...field, anyOf: anyOf.map(withoutUrlPattern) })
  return pattern && rest.format === 'uri' ? Type.Unsafe(rest) : field
}

/** Has no defaults: fields that are not sent keep their value. */
function toChangesSchema(schema: TObject, secrets: readonly SettingsSecret[], prefix = ''): TObject {
  const properties: TProperties = {}
  for (const [name, field] of Object.entries(schema.properties)) {
    const path = `${prefix}${name}`
    properties[name] = Type.Optional(
      isGroup(field) ? toChangesSchema(field, secrets, `${path}.`) : toChangeSchema(field, path, secrets),
    )
  }
  for (const { name, boundTo } of secretsOfGroup(secrets, prefix))
    properties[name] = Type.Optional(toSecretSchema(boundTo))
  return strict(properties)
}

const isGroup = (field: TSchema): field is TObject => 'properties' in field

function toChangeSchema(field: TSchema, path: string, secrets: readonly SettingsSecret[]): TSchema {
  const { default: _, description, ...rest } = field as TSchema & { default?: unknown; description?: string }
  const bound = secrets.filter(({ boundTo }) => boundTo.includes(path)).map((secret) => formatField(secret.path))
  const warning = bound.length
    ? `A change deletes the stored ${bound.join(' and ')}, unless the same request sends it again.`
    : undefined
  const text = [description, warning].filter(Boolean).join(' ')
  return Type.Unsafe({ ...rest, ...(text && { description: text }) })
}

function toSecretSchema(boundTo: readonly string[]): TSchema {
  const description =
    'Write-only; null deletes it.' +
    (boundTo.length ? ` Deleted when ${boundTo.map(formatField).join(' or ')} changes, unless it is sent again.` : '')
  return Type.Unsafe({ ...nullable(Type.String({ minLength: 1, maxLength: 4_096 })), description })
}

const formatField = (path: string): string => `\`${path.split('.').at(-1)}\``

const secretsOfGroup = (secrets: readonly SettingsSecret[], prefix: string) =>
  secrets
    .filter(({ path }) => path.startsWith(prefix) && !path.slice(prefix.length).includes('.'))
    .map(({ path, boundTo }) => ({ name: path.slice(prefix.length), boundTo }))
