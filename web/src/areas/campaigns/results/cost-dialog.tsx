import { parseAmount, toAmountText } from '../../../patterns/amounts.ts'
import { fieldProblem } from '../../../patterns/field-problem.ts'
import { FieldRow } from '../../../patterns/form/field-row.tsx'
import { FormDialog } from '../../../patterns/form-dialog.tsx'
import { useForm } from '../../../patterns/use-form.ts'
import { useMe } from '../../../session/me.ts'
import { campaignListTexts } from '../../../texts/en/campaign-list-texts.ts'
import { campaignResultTexts as texts } from '../../../texts/en/campaign-result-texts.ts'
import { campaignTexts } from '../../../texts/en/campaign-texts.ts'
import { recordTexts } from '../../../texts/en/record-texts.ts'
import { TextField } from '../../../ui/field.tsx'
import { showToast } from '../../../ui/toast.tsx'
import { type Campaign, refreshCampaigns, storeCampaign, updateCampaign } from '../campaign-queries.ts'

/** Asks for the cost, without which there is no return. */
export function CostDialog({ campaign, close }: { campaign: Campaign; close: () => void }) {
  const { locale, tenant } = useMe()
  const { actual_cost: cost } = campaign
  const form = useForm(async (data) => {
    const amount = parseAmount(String(data.get('amount')), locale)
    if (amount === undefined) throw fieldProblem('actual_cost', campaignListTexts.form.notAnAmount)
    const currency = String(data.get('currency')).trim().toUpperCase()
    storeCampaign(await updateCampaign(campaign, { actual_cost: { amount, currency } }))
    close()
    showToast(recordTexts.saved)
    await refreshCampaigns()
  }, campaignTexts.problem)
  const { errors } = form
  return (
    <FormDialog title={texts.costTitle} submit={texts.saveCost} form={form} close={close}>
      <FieldRow>
        <TextField
          label={texts.cost}
          name="amount"
          inputMode="decimal"
          required
          autoFocus
          defaultValue={toAmountText(cost?.amount, locale)}
          error={errors.actual_cost ?? errors['actual_cost.amount']}
        />
        <TextField
          label={campaignListTexts.form.currency}
          name="currency"
          maxLength={3}
          defaultValue={cost?.currency ?? tenant.general.currency}
          error={errors['actual_cost.currency']}
        />
      </FieldRow>
    </FormDialog>
  )
}
