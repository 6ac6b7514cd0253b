import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { isProblem } from '../../../api/problem.ts'
import { parseAmount, toAmountText } from '../../../patterns/amounts.ts'
import { fieldProblem } from '../../../patterns/field-problem.ts'
import { FormDialog } from '../../../patterns/form-dialog.tsx'
import { useForm } from '../../../patterns/use-form.ts'
import { useMe } from '../../../session/me.ts'
import { dealTexts } from '../../../texts/en/deal-texts.ts'
import { SelectField, TextArea, TextField } from '../../../ui/field.tsx'
import { formatMoney } from '../../../ui/format.ts'
import { showToast } from '../../../ui/toast.tsx'
import type { DealSummary } from '../board-moves.ts'
import type { Closing } from '../closing.ts'
import {
  type Deal,
  type DealChanges,
  readDeal,
  refreshDeals,
  storeDeal,
  updateDeal,
  versionOf,
} from '../deal-queries.ts'

type DialogProps = Closing & { close: () => void }

export const CloseDealDialog = (props: DialogProps) =>
  props.stage.kind === 'won' ? <WinDialog {...props} /> : <LoseDialog {...props} />

/** Sends a change that the user has confirmed. If another user changed the deal, it is loaded again before the next attempt. */
export function useConfirmedChange(deal: Pick<DealSummary, 'id' | 'version'>) {
  const queries = useQueryClient()
  return async (changes: DealChanges): Promise<Deal> => {
    try {
      const saved = await updateDeal(deal.id, versionOf(queries, deal), changes)
      storeDeal(queries, saved)
      void refreshDeals(queries)
      return saved
    } catch (error) {
      if (!isProblem(error) || error.status !== 412) throw error
      storeDeal(queries, await readDeal(deal.id))
      throw error
    }
  }
}

function WinDialog({ deal, stage, close }: DialogProps) {
  const me = useMe()
  const change = useConfirmedChange(deal)
  const currency = deal.amount?.currency ?? me.tenant.general.currency
  const form = useForm(async (data) => {
    const amount = parseAmount(String(data.get('amount')), me.locale)
    if (amount === undefined) throw fieldProblem('amount', dealTexts.notAnAmount)
    const saved = await change({ stage_key: stage.key, amount: { amount, currency } })
    showToast(dealTexts.win.done(saved.name, formatMoney(saved.amount!, me.locale)))
    close()
  }, dealTexts.problem)
  return (
    <FormDialog title={dealTexts.win.title(deal.name)} submit={dealTexts.win.submit} form={form} close={close}>
      <p>{dealTexts.win.text}</p>
      <TextField
        label={dealTexts.amountIn(currency)}
        name="amount"
        inputMode="decimal"
        required
        autoFocus
        defaultValue={toAmountText(deal.amount?.amount, me.locale)}
        error={form.errors.amount ?? form.errors['amount.amount']}
      />
    </FormDialog>
  )
}

const reasons = [
  { value: '', label: dealTexts.lose.chooseReason },
  ...Object.entries(dealTexts.lostReasons).map(([value, label]) => ({ value, label })),
]

function LoseDialog({ deal, stage, close }: DialogProps) {
  const [reason, setReason] = useState('')
  const change = useConfirmedChange(deal)
  const form = useForm(async (data) => {
    if (reason === '') throw fieldProblem('lost_reason', dealTexts.lose.chooseReason)
    const detail = String(data.get('lost_detail')).trim()
    const lost_reason = reason as keyof typeof dealTexts.lostReasons
    const saved = await change({ stage_key: stage.key, lost_reason, lost_detail: detail || null })
    showToast(dealTexts.lose.done(saved.name))
    close()
  }, dealTexts.problem)
  return (
    <FormDialog title={dealTexts.lose.title(deal.name)} submit={dealTexts.lose.submit} form={form} close={close}>
      <SelectField
        label={dealTexts.lose.reason}
        name="lost_reason"
        required
        autoFocus
        options={reasons}
        value={reason}
        onChange={(event) => setReason(event.target.value)}
        error={form.errors.lost_reason}
      />
      <TextArea label={dealTexts.lose.detail} name="lost_detail" maxLength={500} error={form.errors.lost_detail} />
    </FormDialog>
  )
}
