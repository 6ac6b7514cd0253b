import { type Static, Type } from 'typebox'
import { readSection } from '#modules/identity'
import type { TenantTx } from '#platform/db'
import type { SettingsSection } from '#platform/module'
import { strict } from '#platform/schema'

const weight = (defaultValue: number) => Type.Integer({ minimum: 0, maximum: 100, default: defaultValue })
const target = (defaultValue: number) => Type.Integer({ minimum: 1, maximum: 100, default: defaultValue })

const Fields = strict({
  readiness: Type.Object(
    {
      weights: Type.Object(
        { learning: weight(35), coaching: weight(25), pitch: weight(20), content: weight(20) },
        {
          additionalProperties: false,
          default: {},
          description: 'Weights of the parts of readiness. Must add up to 100.',
        },
      ),
      targets: Type.Object(
        { sessions: target(3), items: target(8), shares: target(4) },
        {
          additionalProperties: false,
          default: {},
          description:
            'Sessions in 90 days, and viewed items and items shared in rooms in 30 days, that count in full.',
        },
      ),
      excluded_roles: Type.Array(Type.Enum(['admin', 'manager', 'member', 'viewer']), {
        maxItems: 4,
        default: ['viewer'],
        description: 'Users with these roles have no readiness.',
      }),
    },
    { additionalProperties: false, default: {} },
  ),
})
type Fields = Static<typeof Fields>

export const readinessSettings = {
  name: 'enablement',
  position: 6,
  schema: Fields,
  problemsIn: async (_tx, settings) => findWeightProblems(settings as Fields),
} as const satisfies SettingsSection

function findWeightProblems({ readiness: { weights } }: Fields) {
  const sum = Object.values(weights).reduce((total, value) => total + value, 0)
  return sum === 100
    ? []
    : [{ path: '/readiness/weights', code: 'sum', message: `\`weights\` must add up to 100, not ${sum}.` }]
}

export async function readReadinessSettings(tx: TenantTx): Promise<Fields['readiness']> {
  return (await readSection(tx, readinessSettings)).readiness
}
