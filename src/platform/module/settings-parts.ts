import { strict } from '#platform/schema'
import type { SettingsSection } from './registries.ts'

/** Several modules can register parts of one section. Clients see one section with the fields of all parts. */
export function mergeSettingsParts(parts: readonly SettingsSection[]): SettingsSection[] {
  return [...Map.groupBy(parts, ({ name }) => name).values()].map(mergeParts)
}

function mergeParts(parts: readonly SettingsSection[]): SettingsSection {
  if (parts.length === 1) return parts[0]!
  const ordered = parts.toSorted((one, other) => (one.position ?? 0) - (other.position ?? 0))
  const fields = ordered.flatMap(({ schema }) => Object.entries(schema.properties))
  const [name] = ordered.map((part) => part.name)
  const repeated = fields.find(([field], index) => fields.findIndex(([other]) => other === field) < index)
  if (repeated) throw new Error(`Two parts of the settings section ${name} have the field ${repeated[0]}.`)
  return {
    name: name!,
    schema: strict(Object.fromEntries(fields)),
    secrets: ordered.flatMap(({ secrets = [] }) => secrets),
    isSensitive: ordered.some(({ isSensitive }) => isSensitive),
    async problemsIn(tx, settings) {
      const problems = await Promise.all(ordered.map((part) => part.problemsIn?.(tx, settings) ?? []))
      return problems.flat()
    },
  }
}
