import { useQuery } from '@tanstack/react-query'
import { useActionState, useEffect, useState } from 'react'
import { readDraft, writeDraft } from '../../../api/drafts.ts'
import { messagesByField, withWords } from '../../../api/field-messages.ts'
import { useIntent } from '../../../api/intent.ts'
import { type ApiProblem, isProblem } from '../../../api/problem.ts'
import { ExistingRecord } from '../../../patterns/record/similar-records.tsx'
import { useMe } from '../../../session/me.ts'
import { createTexts as texts } from '../../../texts/en/lead-create-texts.ts'
import { stateTexts } from '../../../texts/en/state-texts.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { SelectField, TextField } from '../../../ui/field.tsx'
import { showToast } from '../../../ui/toast.tsx'
import { useValues } from '../../../ui/use-values.ts'
import { nameOfLead } from '../lead-names.ts'
import { sourcesQuery } from '../lead-queries.ts'
import styles from './create.module.css'
import { createLead, isEmptyLead, type NewLeadValues, noValues } from './new-lead.ts'
import { SimilarLeads } from './similar-leads.tsx'

const formId = 'new-lead'

/** Asks for the email address first, because it finds the person if the workspace knows them. The draft is kept. */
export function CreateDialog({ open, close }: { open: (id: string) => void; close: () => void }) {
  const me = useMe()
  const draftKey = `${me.id}:new-lead`
  const { values, bind } = useValues<NewLeadValues>(() => ({ ...noValues, ...parseDraft(readDraft(draftKey)) }))
  const intent = useIntent(draftKey)
  const [checkedEmail, setCheckedEmail] = useState('')
  const sources = useQuery(sourcesQuery).data ?? []
  useEffect(() => writeDraft(draftKey, isEmptyLead(values) ? '' : JSON.stringify(values)), [draftKey, values])
  const [problem, submit, isPending] = useActionState(async (): Promise<ApiProblem | undefined> => {
    try {
      const lead = await createLead(values, me.id, intent)
      writeDraft(draftKey, '')
      showToast(texts.created(nameOfLead(lead)))
      close()
      open(lead.id)
      return undefined
    } catch (error) {
      if (isProblem(error)) return error
      throw error
    }
  }, undefined)
  const errors = problem ? messagesByField(problem) : {}
  const show = (id: string) => {
    close()
    open(id)
  }
  return (
    <Dialog
      title={texts.title}
      close={close}
      footer={
        <>
          <Button onClick={close}>{texts.cancel}</Button>
          <Button type="submit" form={formId} variant="primary" disabled={isPending || isEmptyLead(values)}>
            {texts.create}
          </Button>
        </>
      }
    >
      <form id={formId} action={submit} className={styles.form}>
        <TextField
          label={texts.email}
          type="email"
          maxLength={254}
          {...bind('email')}
          error={errors.email}
          onBlur={() => setCheckedEmail(values.email.trim())}
        />
        <SimilarLeads email={checkedEmail} open={show} />
        <div className={styles.two}>
          <TextField label={texts.firstName} maxLength={100} {...bind('first_name')} error={errors.first_name} />
          <TextField label={texts.lastName} maxLength={100} {...bind('last_name')} error={errors.last_name} />
          <TextField label={texts.company} maxLength={200} {...bind('company')} error={errors.company} />
          <TextField label={texts.jobTitle} maxLength={150} {...bind('title')} error={errors.title} />
          <TextField label={texts.phone} type="tel" maxLength={40} {...bind('phone')} error={errors.phone} />
          <SelectField
            label={texts.source}
            {...bind('source')}
            error={errors.source}
            options={[
              { value: '', label: texts.noSource },
              ...sources.map(({ key, label }) => ({ value: key, label })),
            ]}
          />
          <SelectField
            label={texts.owner}
            {...bind('owner')}
            error={errors.owner_id}
            options={[
              { value: 'me', label: texts.me },
              { value: 'automatic', label: texts.automatic },
              { value: 'none', label: texts.noOwner },
            ]}
          />
        </div>
        {problem && <CreateProblem problem={problem} open={show} />}
      </form>
    </Dialog>
  )
}

/** Says why the lead cannot be created, unless a field already says so. */
function CreateProblem({ problem, open }: { problem: ApiProblem; open: (id: string) => void }) {
  const { existing_id: existingId } = problem.extra
  if (problem.code === 'already_exists' && typeof existingId === 'string')
    return <ExistingRecord text={texts.exists} openText={texts.openExisting} open={() => open(existingId)} />
  if (problem.errors.length > 0 && problem.errors.every(({ path }) => path !== '')) return null
  return (
    <p role="alert" className={styles.problem}>
      {problem.errors[0] ? withWords(problem.errors[0].message) : stateTexts.problem(problem.code)}
    </p>
  )
}

function parseDraft(text: string): Partial<NewLeadValues> {
  try {
    return JSON.parse(text || '{}')
  } catch {
    return {}
  }
}
