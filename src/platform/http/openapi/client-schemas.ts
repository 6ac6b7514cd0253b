import { dataKeywords } from './components.ts'
import type { OpenApiDocument, SchemaObject } from './document.ts'

type Node = Record<string, unknown>

/**
 * Describes the defaults of bodies instead of declaring them, because client generators make a field with a default required.
 * Parameters keep theirs: their own `required` says that they are optional.
 */
export const describeDefaults = (document: OpenApiDocument): OpenApiDocument =>
  changeSchemas(document, withDescribedDefault, new Set([...dataKeywords, 'parameters'])) as OpenApiDocument

/** Replaces the objects that a service validates itself by the schema that clients see. */
export const publishSchemas = (document: OpenApiDocument): OpenApiDocument =>
  changeSchemas(document, (node) => (node['x-published'] as Node | undefined) ?? node, dataKeywords) as OpenApiDocument

/** Adds the type of the values of an enum, which some client generators require. */
export const addEnumTypes = (document: OpenApiDocument): OpenApiDocument =>
  changeSchemas(document, withEnumType, dataKeywords) as OpenApiDocument

/** Changes every schema. The keys of `properties` are names of fields, which may equal keywords. */
function changeSchemas(node: unknown, change: (schema: Node) => Node, skipped: ReadonlySet<string>): unknown {
  const visit = (value: unknown) => changeSchemas(value, change, skipped)
  if (Array.isArray(node)) return node.map(visit)
  if (typeof node !== 'object' || node === null) return node
  return changeValues(change(node as Node), (value, key) => {
    if (skipped.has(key)) return value
    return key === 'properties' ? changeValues(value as Node, visit) : visit(value)
  })
}

const changeValues = (node: Node, change: (value: unknown, key: string) => unknown): Node =>
  Object.fromEntries(Object.entries(node).map(([key, value]) => [key, change(value, key)]))

function withDescribedDefault(node: Node): Node {
  if (!('default' in node)) return node
  const { default: value, ...schema } = node
  const text = /\bdefault\b/i.test(String(schema.description ?? '')) ? undefined : describeDefault(value)
  return text ? { ...schema, description: [schema.description, text].filter(Boolean).join(' ') } : schema
}

function describeDefault(value: unknown): string | undefined {
  const values = [value].flat()
  if (!values.length || values.some((item) => typeof item === 'object')) return undefined
  return `Default: ${values.map((item) => `\`${item}\``).join(', ')}.`
}

function withEnumType(node: Node): Node {
  const { enum: values, type } = node as SchemaObject
  if (!Array.isArray(values) || type !== undefined) return node
  const types = [...new Set(values.map((value) => (value === null ? 'null' : typeof value)))]
  return { type: types.length === 1 ? types[0] : types, ...node }
}
