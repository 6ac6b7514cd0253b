import { type Egress, toUrlInputError } from '#platform/egress'
import type { InputError } from '#platform/errors'
import type { SettingsSection } from '#platform/module'
import { flattenTree } from './section-changes.ts'

type SchemaNode = { format?: string; properties?: Record<string, SchemaNode>; anyOf?: SchemaNode[] }
type ChangedSection = { section: SettingsSection; after: Record<string, unknown>; changed: string[] }

/** Checks changed URLs only: one that was stored before must not block other changes of its section. */
export function findUrlErrors(
  { section, after, changed }: ChangedSection,
  egress: Pick<Egress, 'findUrlProblem'>,
): InputError[] {
  const values = flattenTree(after)
  return changed.flatMap((path) => {
    const value = values.get(path)
    const names = path.split('.')
    if (typeof value !== 'string' || !isUrlField(section.schema as SchemaNode, names)) return []
    const problem = egress.findUrlProblem(value)
    return problem ? [toUrlInputError(problem, `/${[section.name, ...names].join('/')}`)] : []
  })
}

function isUrlField(schema: SchemaNode | undefined, [name, ...rest]: string[]): boolean {
  if (name !== undefined) return isUrlField(schema?.properties?.[name], rest)
  return schema?.format === 'uri' || (schema?.anyOf ?? []).some(({ format }) => format === 'uri')
}
