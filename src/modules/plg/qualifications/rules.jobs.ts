import { settingsUpdated } from '#events/identity'
import { retryOnContention } from '#platform/db'
import { nilUuid } from '#platform/ids'
import {
  defineJob,
  defineJobHandler,
  defineTenantSchedule,
  enqueue,
  type JobContext,
  type JobHandler,
} from '#platform/jobs'
import type { Services } from '#platform/module'
import { subscribe } from '#platform/outbox'
import { strict } from '#platform/schema'
import { checkQualifications, markCandidates, markFitCandidates } from './check-qualifications.service.ts'
import { listTenantsWithQualifications } from './qualifications.queries.ts'

const applyRules = defineJob('plg.apply_rules', 'bulk', strict({}))

/** New and changed rules are evaluated for all active actors; qualifications of deleted rules end. */
export const onRulesChanged = subscribe(
  settingsUpdated,
  'plg.follow_rules',
  async (tx, { data: { section, changed } }) => {
    if (section === 'plg' && changed.some((path) => path.startsWith('pql_rules'))) await enqueue(tx, applyRules, {})
  },
  { inTransaction: true },
)

type RuleServices = Pick<Services, 'clock' | 'registry'>
type Context = Pick<JobContext, 'inTenant' | 'signal'>

export const applyRulesHandler = (services: RuleServices): JobHandler =>
  defineJobHandler(applyRules, async ({ inTenant, signal }) => {
    await retryOnContention(() => inTenant((tx) => markCandidates(tx, services.clock.now())), signal)
    await checkAllQualifications({ inTenant, signal }, services)
  })

/** Renews qualifications whose rule is still met, and ends those whose time is over. */
export const checkQualificationsSchedule = (services: RuleServices) =>
  defineTenantSchedule('plg.check_qualifications', '7 3 * * *', {
    listTenants: listTenantsWithQualifications,
    async runForTenant({ inTenant, signal }) {
      await retryOnContention(() => inTenant((tx) => markFitCandidates(tx, services.clock.now())), signal)
      await checkAllQualifications({ inTenant, signal }, services)
    },
  })

async function checkAllQualifications({ inTenant, signal }: Context, services: RuleServices): Promise<void> {
  for (let after: string | undefined = nilUuid; after; ) {
    signal.throwIfAborted()
    const start: string = after
    after = await retryOnContention(() => inTenant((tx) => checkQualifications(tx, start, services)), signal)
  }
}
