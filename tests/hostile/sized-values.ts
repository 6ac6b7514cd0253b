import { type Form, hostileText } from './hostile-forms.ts'
import { type ApiDocument, createSample, type Schema, typeOf, variantsOf } from './json-schema.ts'
import type { Position } from './positions.ts'

/** Below the limit of bodies, with room for the rest of the request. */
const maxBodyLength = 900_000
const maxQueryLength = 8_000
const fixedFormats = ['uuid', 'date', 'date-time']

/** Whether a position takes texts or lists that a caller can make long. */
export const isSized = ({ schema, isKey }: Position): boolean =>
  !isKey && ((typeOf(schema) === 'array' && !schema.enum) || isText(schema))

const isText = (schema: Schema): boolean =>
  typeOf(schema) === 'string' && !schema.enum && !fixedFormats.includes(schema.format ?? '')

export const lengthOf = ({ schema, part }: Position): number =>
  Math.min(schema.maxLength ?? 1_000, part === 'body' ? maxBodyLength : maxQueryLength)

/** Returns the longest allowed value in the form. */
export function sizedValue(document: ApiDocument, position: Position, form: Form): unknown {
  const { schema } = position
  if (typeOf(schema) !== 'array') return textOf(schema, form, lengthOf(position))
  const [item = {}] = variantsOf(document, schema.items ?? {})
  const longest = isText(item) ? textOf(item, form, Math.min(item.maxLength ?? 100, 10_000)) : undefined
  const sample = longest ?? createSample(document, item)
  const size = JSON.stringify(sample)?.length ?? 1
  const count = Math.min(schema.maxItems ?? 100, Math.floor(maxBodyLength / (size + 1)))
  return Array.from({ length: count }, (_, index) => (longest === undefined ? sample : withNumber(longest, index)))
}

/** Lists whose items must differ would otherwise be refused at the second one. */
const withNumber = (text: string, index: number): string =>
  text.length < 8 ? text : `${index.toString(36)}${text.slice(index.toString(36).length)}`

function textOf({ format }: Schema, form: Form, length: number): string {
  if (format === 'email') return `${hostileText('long words', Math.min(60, length - 12))}@acme.example`
  if (format === 'uri') return `https://acme.example/${encodeURI(hostileText(form, Math.floor(length / 3) - 30))}`
  return hostileText(form, length)
}
