import type { Static, TObject } from 'typebox'
import { Compile } from 'typebox/compile'
import type { TLocalizedValidationError } from 'typebox/error'
import { Value } from 'typebox/value'
import type { FactScope, NestedRule, RuleFact } from '#platform/module'
import { isStorable } from '#platform/schema'
import { type Report, shorten, toPointerSegment } from './parse-value.rules.ts'

type CompiledSchema = ReturnType<typeof Compile<TObject>>
type Resolve = NonNullable<RuleFact['resolve']>
type Select = NonNullable<RuleFact['select']>
type FactDefinition<S extends TObject, Resolved> = Omit<RuleFact, 'params' | 'resolve' | 'compile' | 'select'> & {
  params: S
  resolve?(
    tx: Parameters<Resolve>[0],
    params: Static<S>,
    report: Report,
    scope: FactScope,
  ): Promise<Resolved | NestedRule | undefined>
  compile(params: Resolved, record: Parameters<RuleFact['compile']>[1]): ReturnType<RuleFact['compile']>
  select?(params: Resolved, context: Parameters<Select>[1]): ReturnType<Select>
}

const compiledSchemas = new WeakMap<RuleFact, CompiledSchema>()
const names = new Set<string>()

/** Defines a fact. `compile` and `select` must bind values from its parameters, never write them into the statement. */
export function defineFact<S extends TObject, Resolved extends object = Static<S>>(
  definition: FactDefinition<S, Resolved>,
): RuleFact {
  if (!/^[a-z_]+$/.test(definition.name)) throw new Error(`${definition.name} is not a valid fact name.`)
  if (names.has(definition.name)) throw new Error(`The fact ${definition.name} is defined twice.`)
  names.add(definition.name)
  return Object.freeze(definition) as RuleFact
}

export function parseFactParams(fact: RuleFact, input: object, report: Report): object | undefined {
  const schema = compiledSchemas.get(fact) ?? Compile(fact.params)
  compiledSchemas.set(fact, schema)
  // Value.Clone would take a member named __proto__ as the prototype and hide it from the check.
  const params = Value.Default(fact.params, structuredClone(input)) as object
  if (!isStorable(input)) return report('', 'characters', 'The parameters contain characters that cannot be stored.')
  if (schema.Check(params)) return params
  // An unknown member is reported twice; the `boolean` error carries no information.
  const errors = schema.Errors(params).filter(({ keyword }) => keyword !== 'boolean')
  for (const error of errors.slice(0, 10)) reportError(error, report)
  return undefined
}

function reportError({ keyword, instancePath, message, params }: TLocalizedValidationError, report: Report): void {
  const { requiredProperties, additionalProperties } = params as Record<string, string[] | undefined>
  for (const name of requiredProperties ?? [])
    report(`${instancePath}/${toPointerSegment(name)}`, keyword, `\`${shorten(name)}\` is required.`)
  for (const name of additionalProperties ?? [])
    report(`${instancePath}/${toPointerSegment(name)}`, keyword, `\`${shorten(name)}\` is not allowed here.`)
  if (!requiredProperties && !additionalProperties) report(instancePath, keyword, `The value ${message}.`)
}
