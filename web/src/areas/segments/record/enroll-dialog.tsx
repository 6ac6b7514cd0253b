import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { api, read, withKey } from '../../../api/client.ts'
import { useIntent } from '../../../api/intent.ts'
import { startTracking } from '../../../api/tasks.ts'
import type { Choice } from '../../../patterns/combobox/use-combobox.ts'
import { fieldProblem } from '../../../patterns/field-problem.ts'
import { FormDialog } from '../../../patterns/form-dialog.tsx'
import { RecordSearch } from '../../../patterns/record/record-search.tsx'
import { recordChoices } from '../../../patterns/rule-builder/choice-sources.ts'
import { Skeleton } from '../../../patterns/states.tsx'
import { useForm } from '../../../patterns/use-form.ts'
import { useMe } from '../../../session/me.ts'
import { segmentTexts } from '../../../texts/en/segment-texts.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { formatNumber } from '../../../ui/format.ts'
import { RadioGroup } from '../../../ui/radio-group.tsx'
import { showToast } from '../../../ui/toast.tsx'
import { refreshMembers, type Segment } from '../segment-queries.ts'
import { describeEnrollment, readEnrollment } from './enroll-result.ts'
import styles from './segment.module.css'
import { SizeText, useSize } from './segment-size.tsx'

const texts = segmentTexts.enroll

export type TargetType = 'campaign' | 'cadence'
type Mode = 'once' | 'continuous'

type EnrollProps = { segment: Segment; type: TargetType; close: () => void }

/** Adds the members to a campaign or cadence, now or also those to come, after a look at their number. */
export function EnrollDialog({ segment, type, close }: EnrollProps) {
  const { id, name, object_type: objectType } = segment
  const { locale } = useMe()
  const [target, setTarget] = useState<Choice>()
  const [mode, setMode] = useState<Mode>('once')
  const [result, setResult] = useState<string>()
  const size = useSize(segment)
  const source = recordChoices(type, objectType)
  const intent = useIntent()
  const form = useForm(async () => {
    if (!target?.id) throw fieldProblem('target_id', texts.chooseTarget[type])
    const body = { target_type: type, target_id: target.id, mode }
    const params = { path: { segment_id: id } }
    const headers = withKey(intent.keyOf(body))
    const started = await read(api.POST('/api/segments/{segment_id}/enroll', { params, headers, body }))
    intent.end()
    if ('task_id' in started) {
      close()
      const status = await startTracking(started.task_id, texts.task(name, target.name))
      const result = readEnrollment(status.result)
      if (status.state === 'succeeded' && result) showToast(describeEnrollment(result, target.name, locale))
      else showToast(status.error?.message ?? texts.stopped, { tone: 'failed' })
    } else {
      const result = readEnrollment(started)
      setResult(result ? describeEnrollment(result, target.name, locale) : texts.started(target.name))
    }
    await refreshMembers(id)
  }, segmentTexts.problem)
  if (result && target)
    return (
      <Dialog
        title={texts.title[type]}
        close={close}
        isForReading
        footer={
          <>
            <Link to={`/${type}s/${target.id}` as '/'} className={styles.openTarget}>
              {texts.open[type]}
            </Link>
            <Button variant="primary" onClick={close}>
              {segmentTexts.close}
            </Button>
          </>
        }
      >
        <p>{result}</p>
      </Dialog>
    )
  const count = size.data?.count
  const shown = count === undefined ? '' : `${formatNumber(count, locale)}${size.data?.relation === 'gte' ? '+' : ''}`
  const submit =
    mode === 'continuous'
      ? texts.startContinuous
      : count === undefined
        ? texts.add
        : texts.addCount(count, shown, segmentTexts.nouns[objectType](count))
  return (
    <FormDialog title={texts.title[type]} submit={submit} form={form} close={close}>
      {size.isPending ? <Skeleton rows={1} /> : <SizeText size={size.data} objectType={objectType} />}
      <RecordSearch
        label={texts.target[type]}
        queryKey={source.queryKey}
        find={source.find}
        chosen={target}
        choose={setTarget}
        error={form.errors.target_id}
        autoFocus
      />
      <RadioGroup<Mode>
        label={texts.mode}
        name="mode"
        value={mode}
        onChange={setMode}
        options={[
          { value: 'once', ...texts.modes.once },
          { value: 'continuous', ...texts.modes.continuous },
        ]}
      />
    </FormDialog>
  )
}
