import { type TObject, type TProperties, type TSchema, Type } from 'typebox'
import type { SettingsSection } from '#platform/module'
import { named, nullable, strict } from '#platform/schema'

export type SettingsChanges = Record<string, Record<string, unknown>>

const Secret = nullable(Type.String({ minLength: 1, maxLength: 4_096 }))

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

function toReadSchema(schema: TObject, secrets: readonly string[]): TObject {
  const properties: TProperties = {}
  for (const [name, field] of Object.entries(schema.properties)) {
    properties[name] = isGroup(field) ? toReadSchema(field, nestedSecrets(secrets, name)) : withoutUrlPattern(field)
  }
  for (const name of ownSecrets(secrets)) properties[`has_${name}`] = Type.Boolean()
  return strict(properties)
}

/** An operator may have stored a URL that the API rejects, such as one without https; it must still be readable. */
function withoutUrlPattern(field: TSchema): TSchema {
  const { anyOf, pattern, ...rest } = field as TSchema & { anyOf?: TSchema[]; format?: string; pattern?: string }
  if (anyOf) return Type.Unsafe({ ...field, anyOf: anyOf.map(withoutUrlPattern) })
  return pattern && rest.format === 'uri' ? Type.Unsafe(rest) : field
}

/** Has no defaults: fields that are not sent keep their value. */
function toChangesSchema(schema: TObject, secrets: readonly string[]): TObject {
  const properties: TProperties = {}
  for (const [name, field] of Object.entries(schema.properties)) {
    const change = isGroup(field) ? toChangesSchema(field, nestedSecrets(secrets, name)) : withoutDefault(field)
    properties[name] = Type.Optional(change)
  }
  for (const name of ownSecrets(secrets)) properties[name] = Type.Optional(Secret)
  return strict(properties)
}

const isGroup = (field: TSchema): field is TObject => 'properties' in field

function withoutDefault(field: TSchema): TSchema {
  const { default: _, ...rest } = field as TSchema & { default?: unknown }
  return Type.Unsafe(rest)
}

const ownSecrets = (secrets: readonly string[]) => secrets.filter((path) => !path.includes('.'))

const nestedSecrets = (secrets: readonly string[], name: string) =>
  secrets.filter((path) => path.startsWith(`${name}.`)).map((path) => path.slice(name.length + 1))
