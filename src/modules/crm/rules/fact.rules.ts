import type { Static, TObject } from 'typebox'
import { Compile } from 'typebox/compile'
import type { TLocalizedValidationError } from 'typebox/error'
import { Value } from 'typebox/value'
import type { RuleFact } from '#platform/module'
import { isStorableText, pointerTo, type Report } from './read-value.rules.ts'

type Compiled = ReturnType<typeof Compile<TObject>>
type Definition<S extends TObject> = Omit<RuleFact, 'params' | 'compile'> & {
  params: S
  compile(params: Static<S>, record: Parameters<RuleFact['compile']>[1]): ReturnType<RuleFact['compile']>
}

const checks = new WeakMap<RuleFact, Compiled>()
const names = new Set<string>()

/**
 * Something rules may ask of a record beyond its fields. `compile` makes the condition from parameters that have been checked;
 * whatever comes from them must be bound, never written into the statement.
 */
export function defineFact<S extends TObject>(definition: Definition<S>): RuleFact {
  if (!/^[a-z_]+$/.test(definition.name)) throw new Error(`${definition.name} is not the name of a fact.`)
  if (names.has(definition.name)) throw new Error(`The fact ${definition.name} is defined twice.`)
  names.add(definition.name)
  return Object.freeze(definition) as RuleFact
}

/** The parameters with their defaults, or undefined once their problems are noted. */
export function parseFact(fact: RuleFact, given: object, report: Report): object | undefined {
  const check = checks.get(fact) ?? Compile(fact.params)
  checks.set(fact, check)
  // Value.Clone would take a member named __proto__ for the prototype, unseen by the check.
  const params = Value.Default(fact.params, structuredClone(given)) as object
  if (!isStorable(given)) return report('', 'characters', 'A parameter contains characters that cannot be stored.')
  if (check.Check(params)) return params
  // A member that does not belong fails twice; that nothing may stand there tells nothing.
  const errors = check.Errors(params).filter(({ keyword }) => keyword !== 'boolean')
  for (const error of errors.slice(0, 10)) noteError(error, report)
  return undefined
}

/** What is missing or does not belong is pointed at itself, not at the object around it. */
function noteError({ keyword, instancePath, message, params }: TLocalizedValidationError, report: Report): void {
  const { requiredProperties, additionalProperties } = params as Record<string, string[] | undefined>
  for (const name of requiredProperties ?? []) report(`${instancePath}/${pointerTo(name)}`, keyword, 'This is missing.')
  for (const name of additionalProperties ?? [])
    report(`${instancePath}/${pointerTo(name)}`, keyword, 'This does not belong here.')
  if (!requiredProperties && !additionalProperties) report(instancePath, keyword, `This ${message}.`)
}

function isStorable(value: unknown): boolean {
  if (typeof value === 'string') return isStorableText(value)
  return typeof value !== 'object' || value === null || Object.values(value).every(isStorable)
}
