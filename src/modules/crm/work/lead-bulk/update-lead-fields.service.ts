import type { TenantTx } from '#platform/db'
import { attempt, requireValue } from '#platform/errors'
import { moveConsents } from '../../people/consent/inherit-consent.service.ts'
import type { ChangedLead } from '../../people/lead-records/lead-stage.service.ts'
import { type LeadColumns, type LeadRow, lockLeads } from '../../people/lead-records/leads.queries.ts'
import { deriveLeadColumns } from '../../people/lead-records/leads.rules.ts'
import { registerLeadSources } from '../../people/lead-sources/lead-sources.queries.ts'
import { assertAllowedChanges, effectiveChanges, fieldNames } from '../../people/leads/lead-changes.service.ts'
import { checkCustomChanges } from '../../records/custom-values/check-custom-values.service.ts'
import { lockCustomFieldsShared } from '../../records/custom-values/field-definitions.queries.ts'
import {
  assertCustomSize,
  claimUniqueValues,
  indexCustomValues,
} from '../../records/custom-values/store-custom-values.service.ts'
import { type AnnualRevenueColumns, toAnnualRevenueColumns } from '../../records/fields/annual-revenue.service.ts'
import { assertValidCountryAndTimezone } from '../../records/fields/record.rules.ts'
import type { BulkContext, RecordResult } from '../bulk/bulk-action.ts'
import type { BulkLeadFields } from './lead-bulk.schemas.ts'
import { recordFieldChanges } from './record-field-changes.service.ts'
import { updateManyLeads } from './update-many-leads.service.ts'

type PreparedFields = { fields: BulkLeadFields; revenue: AnnualRevenueColumns | undefined }

/** Checks the values that are the same for all leads. */
export async function prepareFields(tx: TenantTx, fields: BulkLeadFields, now: Date): Promise<PreparedFields> {
  assertValidCountryAndTimezone(fields)
  const { annual_revenue, custom } = fields
  const revenue = annual_revenue === undefined ? undefined : await toAnnualRevenueColumns(tx, annual_revenue)
  if (!custom) return { fields, revenue }
  return { fields: { ...fields, custom: await checkCustomChanges(tx, 'lead', custom, now) }, revenue }
}

export async function updateLeadFields(
  tx: TenantTx,
  ids: readonly string[],
  input: BulkLeadFields,
  by: BulkContext,
): Promise<RecordResult[]> {
  const prepared = await prepareFields(tx, input, by.now)
  const leads = await lockLeads(tx, ids)
  const plans = new Map(leads.map((lead) => [lead.id, attempt(() => planChange(lead, prepared))]))
  const changed = leads.flatMap((lead) => {
    const plan = plans.get(lead.id)!
    return 'value' in plan && plan.value ? [{ lead, columns: plan.value.columns }] : []
  })
  // Lock order: lead source, consent.
  if (input.source && changed.length) await registerLeadSources(tx, [input.source])
  // A new country can change how the phone number is read, and opt-outs follow the person to the new number.
  const consents = await moveConsents(
    tx,
    by.services,
    changed.map(({ lead, columns: { phone_e164 = lead.phone_e164 } }) => ({
      record: { ...lead, ref: { kind: 'lead' as const, id: lead.id } },
      addresses: { email: undefined, phone_e164 },
    })),
  )
  const fieldsOf = ({ after: { id } }: ChangedLead) => requireValue(plans.get(id)!)!.fields
  return await updateManyLeads(
    tx,
    ids,
    {
      columnsFor({ id }) {
        const plan = requireValue(plans.get(id)!)
        return plan && { ...plan.columns, ...consents.get(id) }
      },
      fieldsOf,
      async onUpdated(changes) {
        if (input.custom) await storeCustom(tx, changes, Object.keys(input.custom))
        await recordFieldChanges(tx, changes, fieldsOf, by)
      },
    },
    by.now,
  )
}

const derivingFields = ['title', 'company', 'website', 'country']

function planChange(lead: LeadRow, { fields, revenue }: PreparedFields) {
  const effective = effectiveChanges(lead, fields)
  const names = fieldNames(effective)
  if (!names.length) return undefined
  assertAllowedChanges(lead, effective)
  const { annual_revenue, custom, ...plain } = effective as BulkLeadFields
  if (custom) assertCustomSize(custom)
  const columns: LeadColumns = {
    ...plain,
    ...(names.some((name) => derivingFields.includes(name)) && deriveLeadColumns({ ...lead, ...plain })),
    ...(annual_revenue !== undefined && revenue),
    ...(custom && { custom: JSON.stringify(custom) }),
  }
  return { fields: names, columns }
}

async function storeCustom(tx: TenantTx, changes: readonly ChangedLead[], keys: readonly string[]): Promise<void> {
  const leads = changes.map(({ after }) => after)
  if (!leads.length) return
  await indexCustomValues(tx, 'lead', leads)
  const fields = await lockCustomFieldsShared(tx, 'lead')
  if (!fields.some(({ key, is_unique }) => is_unique && keys.includes(key))) return
  for (const lead of leads) await claimUniqueValues(tx, 'lead', lead)
}
