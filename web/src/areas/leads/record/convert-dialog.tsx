import { useQuery } from '@tanstack/react-query'
import { useActionState, useState } from 'react'
import { areaKeys } from '../../../api/area-keys.ts'
import { api, read, withKey } from '../../../api/client.ts'
import { messagesByField } from '../../../api/field-messages.ts'
import { type Intent, useIntent } from '../../../api/intent.ts'
import { isProblem } from '../../../api/problem.ts'
import { queryClient } from '../../../api/queries.ts'
import { can, useMe } from '../../../session/me.ts'
import { convertTexts as texts } from '../../../texts/en/convert-texts.ts'
import { stateTexts } from '../../../texts/en/state-texts.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { Checkbox, SelectField } from '../../../ui/field.tsx'
import { useValues } from '../../../ui/use-values.ts'
import { nameOfLead } from '../lead-names.ts'
import { type Conversion, type Lead, refreshLeads, storeLead } from '../lead-queries.ts'
import { ConversionResult } from './conversion-result.tsx'
import styles from './convert.module.css'
import { type BindConversion, type ConversionValues, DealFields, suggestDeal, toDeal } from './deal-fields.tsx'
import { duplicatesQuery } from './record-queries.ts'

const automatic = ''
const noChoices = { account_id: automatic, contact_id: automatic }
const formId = 'convert'

/** Turns a lead into a contact with an account, and optionally a deal. */
export function ConvertDialog({ lead, close }: { lead: Lead; close: () => void }) {
  const me = useMe()
  const [hasDeal, setHasDeal] = useState(can(me, 'opportunities.write'))
  const [result, setResult] = useState<Conversion>()
  const { currency } = me.tenant.general
  const { values, bind } = useValues<ConversionValues>(() => ({ ...noChoices, ...suggestDeal(lead) }))
  const intent = useIntent()
  const [problem, submit, isPending] = useActionState(async () => {
    try {
      setResult(await convertLead(lead, values, hasDeal ? currency : undefined, intent))
      return undefined
    } catch (error) {
      return isProblem(error) ? error : new Error('unknown')
    }
  }, undefined)
  if (result) return <ConversionResult result={result} close={close} />
  const errors = isProblem(problem) ? messagesByField(problem) : {}
  const hasFieldErrors = Object.keys(errors).length > 0
  return (
    <Dialog
      title={texts.title(nameOfLead(lead))}
      close={close}
      footer={
        <>
          <Button onClick={close}>{texts.cancel}</Button>
          <Button type="submit" form={formId} variant="primary" disabled={isPending}>
            {texts.convert}
          </Button>
        </>
      }
    >
      <form id={formId} action={submit} className={styles.form}>
        <MatchFields lead={lead} errors={errors} bind={bind} />
        {can(me, 'opportunities.write') && (
          <Checkbox label={texts.createDeal} checked={hasDeal} onChange={(event) => setHasDeal(event.target.checked)} />
        )}
        {hasDeal && <DealFields errors={errors} currency={currency} bind={bind} />}
        {problem && !hasFieldErrors && (
          <p role="alert" className={styles.problem}>
            {stateTexts.problem(isProblem(problem) ? problem.code : 'unknown')}
          </p>
        )}
      </form>
    </Dialog>
  )
}

type MatchFieldsProps = { lead: Lead; errors: Readonly<Record<string, string>>; bind: BindConversion }

function MatchFields({ lead, errors, bind }: MatchFieldsProps) {
  const { company, company_domain: domain, email } = lead
  const accounts = useQuery({
    queryKey: areaKeys.accountMatches(domain, company),
    queryFn: async ({ signal }) => {
      const query = { search: domain ?? company!, limit: 5, count: 'none' as const }
      return (await read(api.GET('/api/accounts/', { params: { query }, signal }))).items
    },
    enabled: Boolean(domain ?? company),
  }).data
  const contacts = useQuery(duplicatesQuery(lead.id)).data?.filter(({ entity_type }) => entity_type === 'contact')
  const isSame = (one: string | null | undefined, other: string | null | undefined) =>
    Boolean(one && other && one.toLowerCase() === other.toLowerCase())
  const account = accounts?.find((one) => isSame(one.domain, domain) || isSame(one.name, company))
  const contact = contacts?.find(({ record }) => isSame(record.email, email))
  return (
    <>
      <SelectField
        label={texts.account}
        {...bind('account_id')}
        error={errors.account_id}
        options={[
          {
            value: automatic,
            label: account ? texts.use(account.name) : texts.create(company ?? domain ?? nameOfLead(lead)),
          },
          ...(accounts ?? [])
            .filter((one) => one !== account)
            .map(({ id, name }) => ({ value: id, label: texts.use(name) })),
        ]}
      />
      <SelectField
        label={texts.contact}
        {...bind('contact_id')}
        error={errors.contact_id}
        options={[
          {
            value: automatic,
            label: contact ? texts.use(nameOfLead(contact.record)) : texts.create(nameOfLead(lead)),
          },
          ...(contacts ?? [])
            .filter((one) => one !== contact)
            .map(({ record }) => ({ value: record.id, label: texts.use(nameOfLead(record)) })),
        ]}
      />
    </>
  )
}

/** Creates a deal if a currency is given. */
async function convertLead(
  { id }: Lead,
  values: ConversionValues,
  currency: string | undefined,
  intent: Intent,
): Promise<Conversion> {
  const { account_id, contact_id } = values
  const body = {
    ...(account_id && { account_id }),
    ...(contact_id && { contact_id }),
    ...(currency && { create_opportunity: true, opportunity: toDeal(values, currency) }),
  }
  const headers = withKey(intent.keyOf(body))
  const result = await read(
    api.POST('/api/leads/{lead_id}/convert', { params: { path: { lead_id: id } }, headers, body }),
  )
  storeLead(result.lead)
  await Promise.all([refreshLeads(), queryClient.invalidateQueries({ queryKey: areaKeys.deals.all })])
  return result
}
