import { Link, useNavigate } from '@tanstack/react-router'
import { areaKeys } from '../../../api/area-keys.ts'
import { isProblem } from '../../../api/problem.ts'
import { queryClient } from '../../../api/queries.ts'
import { FormDialog } from '../../../patterns/form-dialog.tsx'
import { useForm } from '../../../patterns/use-form.ts'
import { searchOfList } from '../../../session/list-places.ts'
import { segmentTexts as texts } from '../../../texts/en/segment-texts.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { showToast } from '../../../ui/toast.tsx'
import { deleteSegment, refreshMembers, type Segment, segmentQuery } from '../segment-queries.ts'
import styles from './segment.module.css'
import { forgetDraft } from './use-rule-draft.ts'

type DialogProps = { segment: Segment; close: () => void }

/** A segment that is used cannot be deleted; the dialog says by what. */
export const DeleteDialog = (props: DialogProps) =>
  props.segment.used_by.length > 0 ? <UsedDialog {...props} /> : <ConfirmDialog {...props} />

function ConfirmDialog({ segment: { id, name, version }, close }: DialogProps) {
  const navigate = useNavigate()
  const form = useForm(async () => {
    try {
      await deleteSegment(id, version)
    } catch (error) {
      // The dialog shows what uses the segment by now.
      if (isProblem(error, 'segment_in_use') || isProblem(error, 'version_mismatch')) await refreshMembers(id)
      throw error
    }
    forgetDraft(id)
    showToast(texts.remove.done(name))
    await navigate({ to: '/segments', search: searchOfList('/segments', location.pathname) as never })
    queryClient.removeQueries({ queryKey: segmentQuery(id).queryKey })
    await queryClient.invalidateQueries({ queryKey: areaKeys.segments.all })
  }, texts.problem)
  return (
    <FormDialog title={texts.remove.of(name)} submit={texts.remove.action} variant="danger" form={form} close={close}>
      <p>{texts.remove.text}</p>
    </FormDialog>
  )
}

function UsedDialog({ segment: { name, used_by: uses }, close }: DialogProps) {
  return (
    <Dialog title={texts.remove.used(name)} close={close} footer={<Button onClick={close}>{texts.close}</Button>}>
      <p>{texts.remove.usedText}</p>
      <ul className={styles.rows}>
        {uses.map(({ id, type, name: user, target_type: targetType, target }) => (
          <li key={id}>
            <span className={styles.rowName}>
              {type === 'segment' ? (
                <Link to={`/segments/${id}` as '/'} onClick={close}>
                  {user}
                </Link>
              ) : (
                <Link to={`/${targetType}s/${target?.id}` as '/'} onClick={close}>
                  {user}
                </Link>
              )}
              <small>{texts.targetTypes[type === 'segment' ? 'segment' : (targetType ?? '')]}</small>
            </span>
          </li>
        ))}
      </ul>
    </Dialog>
  )
}
