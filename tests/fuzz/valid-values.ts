import fc from 'fast-check'
import { type ApiDocument, createSample, resolve, type Schema, typeOf } from '../hostile/json-schema.ts'
import { type Draw, drawBelow, hasChance, pick } from './draw.ts'

type ValueSource = { draw: Draw; document: ApiDocument; drawId(field: string): string }

const domains = ['engines.example', 'mail.example', 'sub.company.example.com', 'xn--bcher-kva.example']
const words = ['Ada', 'Moss', 'Lovelace', 'fair', 'Ünïcödé', '試験', 'O’Brien', '100%', 'a_b', "it's", '=1+1', '🧑🏽']

/** Draws a value that the schema accepts; optional fields are present in one of three cases. */
export function drawValue(source: ValueSource, schema: Schema, field = '', depth = 0): unknown {
  const { draw, document } = source
  const resolved = resolve(document, schema)
  const alternatives = resolved.anyOf ?? resolved.oneOf
  if (alternatives) return drawValue(source, pick(draw, alternatives), field, depth)
  if (resolved.const !== undefined) return resolved.const
  if (resolved.enum) return pick(draw, resolved.enum)
  if (resolved.examples && hasChance(draw, 30)) return pick(draw, resolved.examples)
  if (Array.isArray(resolved.type) && resolved.type.includes('null') && hasChance(draw, 20)) return null
  const type = typeOf(resolved)
  if (type === 'object') return drawObject(source, resolved, depth)
  if (type === 'array') return drawArray(source, resolved, field, depth)
  if (type === 'boolean') return hasChance(draw, 50)
  if (type === 'integer' || type === 'number') return drawNumber(draw, resolved, type)
  if (type === 'null') return null
  return type === 'string' ? drawText(source, resolved, field) : pick(draw, [1, 'abc', true, null, ['abc'], {}])
}

function drawObject(source: ValueSource, schema: Schema, depth: number): object {
  const { properties = {}, required = [], additionalProperties } = schema
  const optionalPercent = depth > 3 ? 10 : 35
  const fields = Object.entries(properties)
    .filter(([name]) => required.includes(name) || hasChance(source.draw, optionalPercent))
    .map(([name, inner]) => [name, drawValue(source, inner, name, depth + 1)])
  const inner = additionalProperties === true ? {} : additionalProperties
  if (inner && hasChance(source.draw, 50))
    fields.push([pick(source.draw, ['size', 'some_key', 'web']), drawValue(source, inner, '', depth + 1)])
  return Object.fromEntries(fields)
}

function drawArray(source: ValueSource, schema: Schema, field: string, depth: number): unknown[] {
  const { items = {}, minItems = 0, maxItems = 10, uniqueItems } = schema
  const length = Math.min(minItems + drawBelow(source.draw, 4), maxItems)
  const values = Array.from({ length }, () => drawValue(source, items, field, depth + 1))
  return uniqueItems ? [...new Map(values.map((value) => [JSON.stringify(value), value])).values()] : values
}

function drawNumber(draw: Draw, { minimum = -1_000, maximum = 1_000 }: Schema, type: string): number {
  if (hasChance(draw, 15)) return pick(draw, [minimum, maximum])
  const size = Math.min(maximum - minimum, hasChance(draw, 70) ? 20 : 2 ** 31)
  const number = Math.floor(minimum) + drawBelow(draw, Math.floor(size) + 1)
  return type === 'number' && hasChance(draw, 50) ? Math.min(number + 0.5, maximum) : number
}

const isId = ({ format, pattern = '' }: Schema) => format === 'uuid' || pattern.includes('[0-9a-f]{8}')
const two = (draw: Draw, max: number) => String(1 + drawBelow(draw, max)).padStart(2, '0')
const drawDay = (draw: Draw) => `${pick(draw, ['2025', '2026', '2027', '2100'])}-${two(draw, 12)}-${two(draw, 28)}`

function drawText({ draw, document, drawId }: ValueSource, schema: Schema, field: string): string {
  const { format, pattern, minLength = 0, maxLength = 50 } = schema
  if (isId(schema)) return drawId(field)
  if (format === 'date') return drawDay(draw)
  if (format === 'date-time') return `${drawDay(draw)}T${two(draw, 23)}:30:00${pick(draw, ['Z', '+02:00', '.123456Z'])}`
  if (format === 'email') return `${pick(draw, ['ada', 'a.b+c', 'x_1'])}${drawBelow(draw, 99)}@${pick(draw, domains)}`
  if (format === 'uri') return `https://${pick(draw, domains)}/${pick(draw, ['', 'a?b=c', '%20', 'p#f'])}`
  if (pattern) return drawMatch(draw, pattern) ?? String(createSample(document, schema))
  if (hasChance(draw, 4)) return pick(draw, ['x', 'é', 'ß']).repeat(Math.min(maxLength, 5_000))
  const text = hasChance(draw, 50)
    ? pick(draw, words)
    : draw(fc.string, { unit: pick(draw, ['grapheme', 'grapheme-ascii'] as const), minLength: 1, maxLength: 20 })
  return text.padEnd(minLength, 'x').slice(0, maxLength)
}

const matchers = new Map<string, fc.Arbitrary<string> | undefined>()
const matcherOf = (pattern: string) => matchers.get(pattern)!

/** Returns undefined for patterns with assertions, which the library cannot generate. */
function drawMatch(draw: Draw, pattern: string): string | undefined {
  if (!matchers.has(pattern)) matchers.set(pattern, createMatcher(pattern))
  return matchers.get(pattern) && draw(matcherOf, pattern)
}

function createMatcher(pattern: string): fc.Arbitrary<string> | undefined {
  try {
    return fc.stringMatching(new RegExp(pattern))
  } catch {
    return undefined
  }
}
