import { readCrmSettings } from '#modules/crm'
import type { UserActor } from '#platform/access'
import { recordAudit } from '#platform/audit'
import type { TenantTx } from '#platform/db'
import { invalid } from '#platform/errors'
import type { Services } from '#platform/module'
import { listSenderSettings } from '../cadence-records/senders.queries.ts'
import { upsertSender } from './senders.queries.ts'
import type { ReplacedSenderSettings, SenderSettings } from './senders.schemas.ts'

const defaults: SenderSettings = {
  away_from: null,
  away_to: null,
  daily_limit: null,
  signature: null,
  others_may_enroll: false,
}

export async function getSenderSettings(tx: TenantTx, { userId }: UserActor): Promise<SenderSettings> {
  const [settings] = await listSenderSettings(tx, [userId])
  if (!settings) return defaults
  const { user_id: _, ...own } = settings
  return own
}

/** Steps that are already planned for the absence are moved when they are due. */
export async function replaceSenderSettings(
  tx: TenantTx,
  actor: UserActor,
  input: ReplacedSenderSettings,
  { clock }: Pick<Services, 'clock'>,
): Promise<SenderSettings> {
  const settings = { ...defaults, ...input }
  await assertSenderSettings(tx, settings)
  const before = await getSenderSettings(tx, actor)
  await upsertSender(tx, actor.userId, settings, clock.now())
  const hide = ({ signature, ...visible }: SenderSettings) => ({ ...visible, has_signature: signature !== null })
  await recordAudit(tx, 'cadence.sender_updated', { id: actor.userId, before: hide(before), after: hide(settings) })
  return settings
}

async function assertSenderSettings(tx: TenantTx, { away_from, away_to, daily_limit }: SenderSettings): Promise<void> {
  if ((away_from === null) !== (away_to === null))
    throw invalid('body', '/away_to', 'required', '`away_from` and `away_to` must be given together.')
  if (away_from !== null && away_to !== null && away_to < away_from)
    throw invalid('body', '/away_to', 'order', '`away_to` must not be before `away_from`.')
  const { daily_limit_per_sender: limit } = (await readCrmSettings(tx)).sending
  if (daily_limit !== null && daily_limit > limit)
    throw invalid(
      'body',
      '/daily_limit',
      'range',
      `\`daily_limit\` must not exceed the limit of the workspace, ${limit}.`,
    )
}
