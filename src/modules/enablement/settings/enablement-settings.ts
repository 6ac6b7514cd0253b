import { type Static, Type } from 'typebox'
import { readSection } from '#modules/identity'
import type { TenantTx } from '#platform/db'
import type { SettingsSection } from '#platform/module'
import { strict } from '#platform/schema'

const days = (defaultValue: number, description: string) =>
  Type.Integer({ minimum: 1, maximum: 3_650, default: defaultValue, description })
const minutes = (defaultValue: number, maximum: number, description: string) =>
  Type.Integer({ minimum: 0, maximum, default: defaultValue, description })

const weight = (defaultValue: number) => Type.Integer({ minimum: 0, maximum: 100, default: defaultValue })
const target = (defaultValue: number) => Type.Integer({ minimum: 1, maximum: 100, default: defaultValue })

const EnablementSettings = strict({
  members_may_publish: Type.Boolean({ default: false, description: 'Members can publish their own content.' }),
  attribution_window_days: Type.Integer({
    minimum: 1,
    maximum: 365,
    default: 90,
    description: 'Views at most this many days before the close of a deal count as influence.',
  }),
  transcript_retention_days: days(
    365,
    'Messages of roleplays are deleted after this many days; scores and quotes stay.',
  ),
  video_retention_days: days(
    180,
    'Recordings of assigned pitches are deleted after this many days, unless the prompt has its own number; transcripts and scores stay.',
  ),
  practice_retention_days: days(
    30,
    'Recordings of practice pitches are deleted after this many days; transcripts and scores stay.',
  ),
  voice_minutes_per_user_day: minutes(
    60,
    1_440,
    'Maximum minutes of voice calls per user and day (UTC). When it is reached, roleplays continue as text; 0 disables voice calls.',
  ),
  voice_minutes_per_tenant_day: minutes(
    1_000,
    1_000_000,
    'Maximum minutes of voice calls of all users per day (UTC); 0 disables voice calls.',
  ),
  experts_self_register: Type.Boolean({
    default: false,
    description: 'Members can add themselves to the experts.',
  }),
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
  internal_domains: Type.Array(
    Type.String({ pattern: '^[a-z0-9.-]{3,253}$', maxLength: 253, examples: ['acme.example'] }),
    {
      maxItems: 50,
      default: [],
      description: 'Visits of rooms with email addresses of these domains do not count as visits of buyers.',
    },
  ),
})

type EnablementSettings = Static<typeof EnablementSettings>

export const enablementSettings = {
  name: 'enablement',
  schema: EnablementSettings,
  problemsIn: async (_tx, settings) => findWeightProblems(settings as EnablementSettings),
} as const satisfies SettingsSection

function findWeightProblems({ readiness: { weights } }: EnablementSettings) {
  const sum = Object.values(weights).reduce((total, value) => total + value, 0)
  return sum === 100
    ? []
    : [{ path: '/readiness/weights', code: 'sum', message: `\`weights\` must add up to 100, not ${sum}.` }]
}

export const readEnablementSettings = (tx: TenantTx): Promise<EnablementSettings> => readSection(tx, enablementSettings)
