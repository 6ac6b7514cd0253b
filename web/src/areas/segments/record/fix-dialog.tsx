import { startTracking } from '../../../api/tasks.ts'
import { FormDialog } from '../../../patterns/form-dialog.tsx'
import { Skeleton } from '../../../patterns/states.tsx'
import { useForm } from '../../../patterns/use-form.ts'
import { segmentTexts as texts } from '../../../texts/en/segment-texts.ts'
import { showToast } from '../../../ui/toast.tsx'
import { refreshMembers, type Segment, storeSegment, updateSegment } from '../segment-queries.ts'
import { SizeText, useSize } from './segment-size.tsx'
import { forgetDraft } from './use-rule-draft.ts'

/** Makes a fixed list of the members of now, which cannot be undone. */
export function FixDialog({ segment, close }: { segment: Segment; close: () => void }) {
  const { id, name, version, object_type: type } = segment
  const size = useSize(segment)
  const form = useForm(async () => {
    const { task_id, ...fixed } = await updateSegment(id, version, { kind: 'static' })
    forgetDraft(id)
    storeSegment(fixed)
    close()
    if (!task_id) return showToast(texts.fix.done)
    await startTracking(task_id, texts.fix.task(name))
    await refreshMembers(id)
  }, texts.problem)
  return (
    <FormDialog title={texts.fix.of(name)} submit={texts.fix.action} form={form} close={close}>
      {size.isPending ? <Skeleton rows={1} /> : <SizeText size={size.data} objectType={type} />}
      <p>{texts.fix.warning}</p>
    </FormDialog>
  )
}
