import type { OpenApiDocument, SchemaObject } from './document.ts'

/** Descriptions by record and field; a nested field is named by its path. Those of `*` apply to every record. */
export type FieldTexts = Record<string, Record<string, string>>

const verbs = [
  'Add',
  'BulkUpdate',
  'Change',
  'Complete',
  'Convert',
  'Create',
  'Distribute',
  'Enroll',
  'Get',
  'List',
  'Merge',
  'Preview',
  'Record',
  'Reorder',
  'Replace',
  'Request',
  'Reset',
  'Review',
  'Send',
  'Start',
  'Submit',
  'Update',
  'Verify',
]
const participles = ['Created', 'Listed', 'Own', 'Replaced', 'Updated', 'Versioned', 'Viewed']

/** Finds the record in names such as `CreateLeadRequest`, `LeadSummary` and `CreatedUser`. */
const recordName = new RegExp(
  `^(?:${[...participles, ...verbs].join('|')})?([A-Z]\\w*?)(?:Request|Result|Changes|Summary|Details)?$`,
)

/** Adds the shared descriptions to the fields of components that declare none, or only their default. */
export const addFieldTexts =
  (texts: FieldTexts) =>
  (document: OpenApiDocument): OpenApiDocument => {
    const schemas = Object.entries(document.components.schemas).map(([name, schema]) => {
      const records = [name, recordName.exec(name)?.[1] ?? name].map((record) => texts[record] ?? {})
      return [name, describeFields(schema, [], { records, shared: texts['*'] ?? {} })]
    })
    return { ...document, components: { ...document.components, schemas: Object.fromEntries(schemas) } }
  }

type Texts = { records: Record<string, string>[]; shared: Record<string, string> }

function describeFields(schema: SchemaObject, path: readonly string[], texts: Texts): SchemaObject {
  const visit = (part: SchemaObject) => describeFields(part, path, texts)
  const { properties, items, anyOf, additionalProperties } = schema as SchemaObject & { additionalProperties?: unknown }
  return {
    ...schema,
    ...(properties && {
      properties: Object.fromEntries(
        Object.entries(properties).map(([name, field]) => [name, describeField(field, [...path, name], texts)]),
      ),
    }),
    ...(items && { items: visit(items) }),
    ...(anyOf && { anyOf: anyOf.map(visit) }),
    ...(typeof additionalProperties === 'object' && {
      additionalProperties: describeFields(additionalProperties as SchemaObject, [...path, '*'], texts),
    }),
  }
}

function describeField(field: SchemaObject, path: readonly string[], texts: Texts): SchemaObject {
  const described = describeFields(field, path, texts)
  const own = described.description
  if (own && !own.startsWith('Default: ')) return described
  const description = [findText(path, texts), own].filter(Boolean).join(' ')
  return description ? { ...described, description } : described
}

/** The whole path of the record wins over its end, and a longer end over a shorter one. */
function findText(path: readonly string[], { records, shared }: Texts): string | undefined {
  const ends = path.map((_, index) => path.slice(index).join('.'))
  for (const record of records) {
    // The last part alone names a field of the record itself, not of an object within it.
    const known = ends.slice(0, Math.max(1, ends.length - 1)).find((end) => end in record)
    if (known) return record[known]
  }
  const known = ends.find((end) => end in shared)
  return known && shared[known]
}
