import { readTemplateVariables } from '#modules/email'
import { assertAssignable } from '#modules/identity'
import type { UserActor } from '#platform/access'
import { recordAudit } from '#platform/audit'
import { type TenantTx, toSearchText } from '#platform/db'
import { conflict, invalidInput, unknownReference } from '#platform/errors'
import { newId } from '#platform/ids'
import type { Services } from '#platform/module'
import { emit } from '#platform/outbox'
import { findCampaign } from '../../campaigns/campaigns/campaigns.queries.ts'
import { cadenceCreated } from '../../marketing.events.ts'
import { lockCadenceNames } from '../cadence-records/cadences.queries.ts'
import { assertTimes, defaultExitOn, defaultWindow } from './cadence.rules.ts'
import { toCadence } from './cadence-details.service.ts'
import { findCadenceIdByName, insertCadence, upsertSteps } from './cadences.queries.ts'
import type { Cadence, NewCadence } from './cadences.schemas.ts'
import { listStepErrors, type StepValues, toStepValues } from './steps.rules.ts'

export async function createCadence(
  tx: TenantTx,
  actor: UserActor,
  { steps = [], window = defaultWindow, exit_on = defaultExitOn, ...fields }: NewCadence,
  { clock }: Pick<Services, 'clock'>,
): Promise<Cadence> {
  const now = clock.now()
  const values = toStepValues(steps)
  assertTimes({ window, timezone: fields.timezone })
  await assertTemplates(tx, values)
  await assertReferences(tx, fields)
  await lockCadenceNames(tx)
  await assertUniqueName(tx, fields.name)
  const cadence = await insertCadence(tx, {
    id: newId(),
    ...fields,
    run_window: JSON.stringify(window),
    exit_on: JSON.stringify(exit_on),
    search_text: toCadenceSearchText(fields),
    created_by: actor.userId,
    created_at: now,
    updated_at: now,
  })
  await upsertSteps(
    tx,
    values.map((step) => ({ ...step, cadence_id: cadence.id })),
  )
  await recordAudit(tx, 'cadence.created', {
    id: cadence.id,
    label: cadence.name,
    after: { ...cadence, steps: values.length },
  })
  await emit(tx, cadenceCreated, cadence, {})
  return await toCadence(tx, cadence)
}

export const toCadenceSearchText = ({ name, description }: { name: string; description?: string | null }): string =>
  ` ${toSearchText(name, description)}`

/** For transactions that hold the lock of the names. */
export async function assertUniqueName(tx: TenantTx, name: string, ownId?: string): Promise<void> {
  const existingId = await findCadenceIdByName(tx, name)
  if (existingId && existingId !== ownId)
    throw conflict('already_exists', 'A cadence with this name already exists.', { existing_id: existingId })
}

type References = { owner_id?: string | null; campaign_id?: string | null }

export async function assertReferences(tx: TenantTx, { owner_id, campaign_id }: References): Promise<void> {
  await assertAssignable(tx, owner_id)
  if (campaign_id && !(await findCampaign(tx, campaign_id))) throw unknownReference('/campaign_id', 'campaign')
}

export async function assertTemplates(tx: TenantTx, steps: readonly StepValues[]): Promise<void> {
  const errors = listStepErrors(steps, await readTemplateVariables(tx))
  if (errors.length) throw invalidInput(errors)
}
