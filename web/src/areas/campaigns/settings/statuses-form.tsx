import { ArrowDown, ArrowUp, Plus, X } from 'lucide-react'
import { useState } from 'react'
import formStyles from '../../../patterns/form.module.css'
import { FormConflict, FormMessage, FormProblem } from '../../../patterns/form-message.tsx'
import { useRecordForm } from '../../../patterns/use-record-form.ts'
import { campaignSettingsTexts as texts } from '../../../texts/en/campaign-settings-texts.ts'
import { campaignTexts } from '../../../texts/en/campaign-texts.ts'
import { Button, IconButton } from '../../../ui/button.tsx'
import { Checkbox, TextField } from '../../../ui/field.tsx'
import {
  type Campaign,
  loadCampaign,
  type MemberStatus,
  refreshCampaigns,
  storeCampaign,
  updateCampaign,
} from '../campaign-queries.ts'
import { findProblem, moveRow, type StatusRow, toRows, toStatuses } from './member-statuses.ts'
import styles from './settings.module.css'

type StatusFields = { member_statuses: MemberStatus[] }

const fieldName = 'member_statuses'
const mostStatuses = 20

const fieldsOf = ({ member_statuses }: Campaign): StatusFields => ({ member_statuses })
const readFields = (data: FormData): StatusFields => ({ member_statuses: JSON.parse(String(data.get(fieldName))) })

const describeStatuses = (_: string, value: unknown): string =>
  (value as MemberStatus[]).map(({ label }) => label).join(', ')

/** The statuses that the people of a campaign can have, in their order. */
export function StatusesForm({ campaign }: { campaign: Campaign }) {
  const form = useRecordForm<Campaign, StatusFields>({
    record: campaign,
    fieldsOf,
    readFields,
    send: (changes, version) => updateCampaign({ id: campaign.id, version }, changes),
    reload: () => loadCampaign(campaign.id),
    onSaved: (saved) => {
      storeCampaign(saved)
      void refreshCampaigns()
    },
    describe: campaignTexts.problem,
  })
  const [problem, setProblem] = useState<string>()
  return (
    <form
      key={form.formKey}
      ref={form.element}
      className={formStyles.form}
      onSubmit={(event) => {
        const found = findProblem(rowsOf(event.currentTarget))
        setProblem(found)
        if (found) event.preventDefault()
        else form.onSubmit(event)
      }}
    >
      <p className={styles.text}>{texts.statusesText}</p>
      <Rows statuses={form.base.member_statuses} />
      {problem && <FormProblem>{problem}</FormProblem>}
      <FormMessage form={form} />
      <FormConflict form={form} labels={texts.fields} format={describeStatuses} />
      <div className={styles.buttons}>
        <Button type="submit" variant="primary" disabled={form.isPending}>
          {texts.saveStatuses}
        </Button>
      </div>
    </form>
  )
}

const rowsOf = (form: HTMLFormElement): StatusRow[] => toRows(readFields(new FormData(form)).member_statuses)

function Rows({ statuses }: { statuses: readonly MemberStatus[] }) {
  const [rows, setRows] = useState(() => toRows(statuses))
  const change = (at: number, changes: Partial<StatusRow>) =>
    setRows(rows.map((row, index) => (index === at ? { ...row, ...changes } : row)))
  const move = (from: number, to: number) => setRows(moveRow(rows, from, to))
  const add = () =>
    setRows([...rows, { id: Math.max(...rows.map(({ id }) => id)) + 1, key: null, label: '', isResponse: false }])
  const nameOf = ({ label }: StatusRow) => label || texts.newStatus
  return (
    <>
      <input type="hidden" name={fieldName} value={JSON.stringify(toStatuses(rows))} />
      <ol className={styles.statuses}>
        {rows.map((row, at) => (
          <li key={row.id}>
            <TextField
              label={texts.statusLabel(at + 1)}
              isLabelHidden
              maxLength={100}
              value={row.label}
              placeholder={texts.newStatus}
              autoFocus={row.key === null}
              onChange={(event) => change(at, { label: event.target.value })}
            />
            <Checkbox
              label={texts.isResponse}
              checked={row.isResponse}
              onChange={(event) => change(at, { isResponse: event.target.checked })}
            />
            <span className={styles.moves}>
              <IconButton
                size="small"
                label={texts.up(nameOf(row))}
                icon={<ArrowUp size={14} />}
                disabled={at === 0}
                onClick={() => move(at, at - 1)}
              />
              <IconButton
                size="small"
                label={texts.down(nameOf(row))}
                icon={<ArrowDown size={14} />}
                disabled={at === rows.length - 1}
                onClick={() => move(at, at + 1)}
              />
              <IconButton
                size="small"
                label={texts.removeStatus(nameOf(row))}
                icon={<X size={14} />}
                onClick={() => setRows(rows.toSpliced(at, 1))}
              />
            </span>
          </li>
        ))}
      </ol>
      <div>
        <Button size="small" icon={<Plus size={14} />} disabled={rows.length >= mostStatuses} onClick={add}>
          {texts.addStatus}
        </Button>
      </div>
    </>
  )
}
