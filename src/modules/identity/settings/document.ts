import { type TObject, type TProperties, type TSchema, Type } from 'typebox'
import type { SettingsSection } from '#platform/module'
import { named, nullable, strict } from '#platform/schema'

/** Section by section, what somebody wants to have changed. */
export type DocumentChanges = Record<string, Record<string, unknown>>

const Secret = nullable(Type.String({ minLength: 1, maxLength: 4_096 }))

/** The whole document as it is read: of a secret it only tells whether there is one. */
export function settingsDocument(sections: SettingsSection[]) {
  const parts = sections.map(({ name, schema, secrets = [] }) => [name, shown(schema, secrets)])
  return named('Settings', strict({ version: Type.Integer({ minimum: 1 }), ...Object.fromEntries(parts) }))
}

/** What may be sent to change it: some of it or all of it, and the secrets themselves. */
export function settingsChanges(sections: SettingsSection[]) {
  const parts = sections.map(({ name, schema, secrets = [] }) => [name, Type.Optional(changeable(schema, secrets))])
  const schema = strict(Object.fromEntries(parts))
  return named('SettingsChanges', Type.Unsafe<DocumentChanges>(schema))
}

function shown(schema: TObject, secrets: readonly string[]): TObject {
  const properties: TProperties = {}
  for (const [name, field] of Object.entries(schema.properties)) {
    properties[name] = isGroup(field) ? shown(field, inside(secrets, name)) : asStored(field)
  }
  for (const name of here(secrets)) properties[`has_${name}`] = Type.Boolean()
  return strict(properties)
}

/** Whoever holds the database may store an address we would not take, such as one without https. It is told as it is. */
function asStored(field: TSchema): TSchema {
  const { anyOf, pattern, ...rest } = field as TSchema & { anyOf?: TSchema[]; format?: string; pattern?: string }
  if (anyOf) return Type.Unsafe({ ...field, anyOf: anyOf.map(asStored) })
  return pattern && rest.format === 'uri' ? Type.Unsafe(rest) : field
}

/** Without the defaults: what is left out of a change stays as it is. */
function changeable(schema: TObject, secrets: readonly string[]): TObject {
  const properties: TProperties = {}
  for (const [name, field] of Object.entries(schema.properties)) {
    const change = isGroup(field) ? changeable(field, inside(secrets, name)) : withoutDefault(field)
    properties[name] = Type.Optional(change)
  }
  for (const name of here(secrets)) properties[name] = Type.Optional(Secret)
  return strict(properties)
}

const isGroup = (field: TSchema): field is TObject => 'properties' in field

function withoutDefault(field: TSchema): TSchema {
  const { default: _, ...rest } = field as TSchema & { default?: unknown }
  return Type.Unsafe(rest)
}

const here = (secrets: readonly string[]) => secrets.filter((path) => !path.includes('.'))

const inside = (secrets: readonly string[], name: string) =>
  secrets.filter((path) => path.startsWith(`${name}.`)).map((path) => path.slice(name.length + 1))
